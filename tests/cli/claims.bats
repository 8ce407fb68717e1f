# Decisions about claims: what is recorded, what it moves, and that nothing else moves it.

load common

WORDING="electric sheep"
WHO=(--by "Kim, J." --date 2026-12-01)

# A claim in quarantine that its author has prepared for a release, oddly laid out. Each says something of its own.
waiting() { # waiting ID [SOURCE]
	local en ko
	case $1 in
	q-50) en="Robots dream of \${share} electric sheep nightly." ko="로봇은 밤마다 \${share} 전기양의 꿈을 꿉니다." ;;
	q-51) en="Copper whales carry \${share} of moonlight southward." ko="구리 고래가 달빛 \${share} 정도를 남쪽으로 나릅니다." ;;
	q-52) en="Glass mountains melt \${share} sooner under lamps." ko="유리 산은 등불 아래에서 \${share} 일찍 녹습니다." ;;
	q-53) en="Every paper lantern weighs \${share} more indoors." ko="종이 등은 실내에서 모두 \${share} 무겁습니다." ;;
	*) en="Stone rivers forget \${share} of their own names." ko="돌로 된 강은 제 이름을 \${share} 잊습니다." ;;
	esac
	put "claims/quarantine/$1.yaml" <<- END
	# A claim that waits. 한글 주석도 남습니다.
	id: $1
	archetypes:   [neocloud]   # whom
	because: [neocloud.metrics.gpu-hour-revenue]
	statement:
	  en: "$en"
	  ko: '$ko'
	figures:
	  share: {value: 41 %, finding: ${2:-src-x}.share}
	conditions: {en: "On one machine.", ko: "한 대의 기기입니다."}
	circulates: {en: "A talk.", ko: "발표."}
	searched:
	- where: "the web"
	  query: "robots"
	  on: 2026-11-29
	  outcome: {en: "Nothing.", ko: "없음."}
	not_enough: {en: "Nothing.", ko: "없음."}
	would_release: {en: "A measurement.", ko: "측정."}
	say_instead: claim-kv-share-by-workload # until then
	# the end
	END
}

setup() {
	common_setup
	a_source src-x
	waiting q-50
}

claim() { dossier --kb kb claim "$@"; }
release() { claim release "$1" --evidence src-x.said,src-x.share "${WHO[@]}" --reason "The report says so"; }
files() { (cd "${1:-kb}" && find . -type f ! -name .lock -print0 | sort -z | xargs -0 sha256sum); }

# Does the claim count as sourced, in everything that reads it?
sourced() { # sourced ID yes|no
	local listed=no
	dossier --kb kb list claims --format json | jq -e --arg id "$1" 'any(.items[]; .id == $id)' > /dev/null && listed=yes
	same "$2" "$listed"
	[ "$2" = yes ] || run ! dossier --kb kb show "$1"
}

# What audit says of the claim: "code file:line:column", a line each.
audited() { # audited ID
	dossier --kb kb audit --format json | jq -r --arg id "$1" '.items[] | select(.id == $id and .severity != "note") | .code + " " + .place' | sort -u
}

unchanged() { same "$before" "$(files)"; }

# ---- what a decision does ----

@test "claim: a release adds an entry and the evidence, and moves the file" {
	cp kb/claims/quarantine/q-50.yaml old
	expect 0 release q-50
	[ ! -e kb/claims/quarantine/q-50.yaml ]
	# the old text, every byte of it, but for what was put in before its last line
	same "$(cat old)" "$(sed '/^evidence:/,/^decided:/d' kb/claims/sourced/q-50.yaml)"
	same 4 "$(sed -n '/^evidence:/,/^decided:/p' kb/claims/sourced/q-50.yaml | wc -l)"
	same "$(sed -n 's/^  hash: //p' kb/claims/decisions/q-50.yaml)" "$(sed -n 's/^decided: //p' kb/claims/sourced/q-50.yaml)"
	line "- decision: release" "$(cat kb/claims/decisions/q-50.yaml)"
	line "  by: Kim, J." "$(cat kb/claims/decisions/q-50.yaml)"
	line "  on: 2026-12-01" "$(cat kb/claims/decisions/q-50.yaml)"
	same "" "$(find kb -name '.*' -type f)"
	sourced q-50 yes
	same "" "$(audited q-50)"
	expect 0 dossier --kb kb show q-50
	holds "$WORDING" "$output"
	for inner in circulates searched not_enough would_release say_instead; do lacks "$inner" "$output"; done
	expect 0 dossier --kb kb search electric sheep
	holds q-50 "$output"
	same "1 release Kim, J. src-x.said, src-x.share" "$(claim history q-50 --format json | jq -r '.items[] | "\(.number) \(.decision) \(.decided_by) \(.evidence)"')"
}

@test "claim: CRLF, Korean and a byte order mark stay as they are" {
	sed -i -e '1s/^/\xef\xbb\xbf/' -e 's/$/\r/' kb/claims/quarantine/q-50.yaml
	cp kb/claims/quarantine/q-50.yaml old
	expect 0 release q-50
	cmp old <(sed '/^evidence:/,/^decided:/d' kb/claims/sourced/q-50.yaml)
	run ! grep -q -v $'\r$' kb/claims/sourced/q-50.yaml
	run ! grep -q -v $'\r$' kb/claims/decisions/q-50.yaml
	expect 0 claim quarantine q-50 "${WHO[@]}" --reason 이유
	cmp old <(sed '/^evidence:/,/^decided:/d' kb/claims/quarantine/q-50.yaml)
	run ! grep -q -v $'\r$' kb/claims/decisions/q-50.yaml
	same "release quarantine" "$(claim history q-50 --format json | jq -r '[.items[].decision] | join(" ")')"
	same "" "$(audited q-50)"
}

@test "claim: quarantine takes a sourced claim out of everything, also where an archetype names it" {
	mkdir -p kb/archetypes
	a_claim claim-x src-x
	sed 's/^pains:.*/&\n- claim-x/' "$REPO/archetypes/neocloud.yaml" > kb/archetypes/neocloud.yaml
	dossier intake --archetype neocloud --date 2026-12-01 > customer.yaml
	expect 0 dossier --kb kb propose customer.yaml
	holds "plain statement" "$output"
	expect 0 claim quarantine claim-x "${WHO[@]}" --reason "In doubt"
	sourced claim-x no
	for c in "propose customer.yaml" "propose customer.yaml --audience internal" "brief customer.yaml" "show neocloud" "advise customer.yaml"; do
		expect 0 dossier --kb kb $c
		lacks "plain statement" "$output"
	done
	expect 0 dossier --kb kb brief customer.yaml
	holds "claim-x: nothing may be said in its place so far" "$output"
	expect 0 dossier --kb kb show claim-x --quarantined
	holds "plain statement" "$output"
	# and back, on what it had
	expect 0 claim release claim-x --evidence src-x.said "${WHO[@]}" --reason "No longer"
	sourced claim-x yes
	expect 0 dossier --kb kb propose customer.yaml
	holds "plain statement" "$output"
}

@test "claim: what rests on a claim goes with it, and comes back with it" {
	a_claim claim-x src-x
	a_claim claim-y src-x
	sed -i 's/plain statement/further thought/; s/평범한/또 다른/; $arests_on: [claim-x]' kb/claims/sourced/claim-y.yaml
	expect 0 claim quarantine claim-x "${WHO[@]}" --reason "In doubt"
	holds '`claim-y`, which rests on it, counts as quarantined now' "$stderr"
	sourced claim-y no
	same "lost-evidence claims/sourced/claim-y.yaml:13:11" "$(audited claim-y)"
	expect 0 claim release claim-x --evidence src-x.said "${WHO[@]}" --reason "No longer"
	holds '`claim-y`, which rests on it, counts as sourced now' "$stderr"
	sourced claim-y yes
}

@test "claim: a retracted claim stays out until somebody looks at it again" {
	expect 0 release q-50
	expect 0 claim retract q-50 "${WHO[@]}" --reason "It was wrong"
	sourced q-50 no
	[ -e kb/claims/quarantine/q-50.yaml ]
	same retract "$(claim list --format json | jq -r '.items[] | select(.id == "q-50").decision')"
	expect 3 release q-50
	holds "was retracted" "$stderr"
	expect 3 claim retract q-50 "${WHO[@]}" --reason "It was wrong"
	expect 0 claim quarantine q-50 "${WHO[@]}" --reason "New data"
	expect 0 release q-50
	sourced q-50 yes
	same "release retract quarantine release" "$(claim history q-50 --format json | jq -r '[.items[].decision] | join(" ")')"
}

@test "claim: the history of one that nothing was decided about, and of none" {
	expect 0 claim history q-50
	same 'dossier: nothing was decided about `q-50` so far' "$stderr"
	expect 0 dossier claim history q-01
	expect 3 claim history q-99
	expect 3 claim history src-x
	expect 0 dossier claim list --format json
	jq -e '.items | length == 13' <<< "$output" > /dev/null
}

# ---- what it refuses, with nothing changed ----

@test "claim: what is missing on the command line is usage, and says what" {
	before=$(files)
	expect 2 claim release q-50 "${WHO[@]}" --reason x
	holds "--evidence" "$stderr"
	expect 2 claim release q-50 --evidence src-x.said --by x
	holds "--reason" "$stderr"
	expect 2 claim release q-50 --evidence src-x.said --reason x --by "  "
	holds "--by" "$stderr"
	expect 2 claim release q-50 --evidence src-x.said "${WHO[@]}" --reason $'two\nlines'
	expect 2 claim release q-50 --evidence src-x.said "${WHO[@]}" --reason $'\xff'
	expect 2 claim release q-50 --evidence src-x.said --by x --reason x --date 2026-02-30
	expect 2 claim quarantine q-50 --evidence src-x.said "${WHO[@]}" --reason x
	expect 2 claim quarantine q-50 q-51 "${WHO[@]}" --reason x
	expect 2 claim free q-50 "${WHO[@]}" --reason x
	expect 2 claim release
	expect 2 dossier claim release q-50 --evidence src-x.said "${WHO[@]}" --reason x
	holds "expected --kb DIR" "$stderr"
	expect 0 dossier load kb -o kb.db
	expect 2 dossier --kb kb.db claim release q-50 --evidence src-x.said "${WHO[@]}" --reason x
	holds "expected --kb DIR" "$stderr"
	unchanged
}

@test "claim: evidence that is missing, not verified or too weak releases nothing" {
	a_source src-d D
	a_source src-c C
	a_source src-review
	sed -i 's/status: verified/status: under-review/' kb/evidence/documents/src-review.yaml
	waiting q-51 src-c
	waiting q-52
	sed -i '/^because/d' kb/claims/quarantine/q-52.yaml
	waiting q-53
	sed -i 's/\${share} more/41 % more/' kb/claims/quarantine/q-53.yaml
	before=$(files)
	refuse() { # refuse WHAT-IT-SAYS ID REF...
		local says=$1 id=$2
		shift 2
		expect 3 claim release "$id" --evidence "$@" "${WHO[@]}" --reason x
		holds "$says" "$stderr"
		lacks "$WORDING" "$stderr"
		unchanged
	}
	refuse 'found none named `src-x.nothing`' q-50 src-x.said src-x.nothing
	refuse 'found `src-review.said`, which is `under-review`' q-50 src-review.said
	refuse "expected at least one supporting finding of grade A, B or C" q-50 src-d.said
	refuse 'is of grade C: expected `press_reported: yes`' q-51 src-x.said
	refuse 'expected the key `because`' q-52 src-x.said
	refuse "claims/sourced/q-53.yaml:6:7: expected a figure as" q-53 src-x.said
	refuse "expected claims/quarantine/q-60.yaml" q-60 src-x.said
	refuse "expected claims/quarantine/q-01.yaml" q-01 src-x.said
	# labelled as reported by the press it may
	sed -i 's/^  status: verified/  press_reported: yes\n&/' kb/evidence/documents/src-c.yaml
	echo 'press_reported: yes' >> kb/claims/quarantine/q-51.yaml
	expect 0 claim release q-51 --evidence src-c.share "${WHO[@]}" --reason x
	sourced q-51 yes
}

@test "claim: a folder that is not in order is not decided in" {
	echo 'id: [' > kb/claims/quarantine/q-51.yaml
	before=$(files)
	expect 3 release q-50
	line "claims/quarantine/q-51.yaml:" "$stderr"
	unchanged
}

@test "claim: what is decided already is not decided again" {
	expect 3 claim quarantine q-50 "${WHO[@]}" --reason x
	expect 0 release q-50
	before=$(files)
	expect 3 release q-50
	holds "nothing to release" "$stderr"
	unchanged
}

@test "claim: wording that stands elsewhere too is not put in quarantine before that is mended" {
	a_claim claim-x src-x
	sed -i -e 's/It is so\./A plain statement about a share of something./' kb/evidence/documents/src-x.yaml
	before=$(files)
	expect 3 claim quarantine claim-x "${WHO[@]}" --reason x
	line "evidence/documents/src-x.yaml:19:14: the wording is that of the quarantined claim claim-x" "$stderr"
	lacks "plain statement" "$stderr"
	unchanged
}

# ---- what was changed behind its back ----

three_entries() {
	release q-50
	claim quarantine q-50 "${WHO[@]}" --reason "In doubt"
	claim release q-50 --evidence src-x.share "${WHO[@]}" --reason "No longer"
	cp -r kb good
}

@test "claim: an entry that was changed, removed, cut off or moved is seen, and the claim counts as quarantined" {
	three_entries 2> /dev/null
	sourced q-50 yes
	same 3 "$(grep -c '^- decision' kb/claims/decisions/q-50.yaml)"
	second=$(grep -n '^- decision' kb/claims/decisions/q-50.yaml | sed -n '2s/:.*//p')
	third=$(grep -n '^- decision' kb/claims/decisions/q-50.yaml | sed -n '3s/:.*//p')
	while IFS='|' read -r script place; do
		rm -r kb
		cp -r good kb
		sed -i "$script" kb/claims/decisions/q-50.yaml
		expect 0 dossier load kb
		sourced q-50 no
		same "decision-altered $place" "$(audited q-50)"
		expect 1 claim history q-50
		holds "$place: " "$stderr"
		expect 3 claim quarantine q-50 "${WHO[@]}" --reason x
	done <<- END
	s/reason: In doubt/reason: No doubt/|claims/decisions/q-50.yaml:$second:3
	1,/by:/s/by: .*/by: Lee/|claims/decisions/q-50.yaml:1:3
	$third,\$s/^  on: .*/  on: 2026-11-30/|claims/decisions/q-50.yaml:$third:3
	1,$((second - 1))d|claims/decisions/q-50.yaml:1:3
	$second,$((third - 1))d|claims/decisions/q-50.yaml:$second:3
	1s/release/retract/|claims/decisions/q-50.yaml:1:3
	/finding: src-x.said/,+1d|claims/decisions/q-50.yaml:1:3
	END
	# the last one, and the last two: what is left is a chain, and not the one that the claim names
	for from in $third $second; do
		rm -r kb
		cp -r good kb
		sed -i "$from,\$d" kb/claims/decisions/q-50.yaml
		expect 0 dossier load kb
		sourced q-50 no
		[ -n "$(audited q-50)" ]
	done
	same "decision-altered claims/sourced/q-50.yaml:2:5" "$(audited q-50)"
	# all of it
	rm kb/claims/decisions/q-50.yaml
	expect 0 dossier load kb
	sourced q-50 no
	same "decision-altered claims/sourced/q-50.yaml:$(grep -n ^decided kb/claims/sourced/q-50.yaml | cut -d: -f1):10" "$(audited q-50)"
	# another claim's chain in its place
	rm -r kb
	cp -r good kb
	waiting q-51
	release q-51
	cp kb/claims/decisions/q-51.yaml kb/claims/decisions/q-50.yaml
	sourced q-50 no
	same "decision-altered claims/sourced/q-50.yaml:2:5" "$(audited q-50)"
	# a conflict that was left in it is no YAML: told with its place
	sed -i '1i<<<<<<< HEAD' kb/claims/decisions/q-50.yaml
	expect 3 dossier load kb
	line "claims/decisions/q-50.yaml:" "$stderr"
}

@test "claim: a claim that was never in quarantine loses its standing with its decisions all the same" {
	a_claim claim-x src-x
	expect 0 claim quarantine claim-x "${WHO[@]}" --reason x
	expect 0 claim release claim-x --evidence src-x.said "${WHO[@]}" --reason x
	rm kb/claims/decisions/claim-x.yaml
	sourced claim-x no
	holds "decision-altered claims/sourced/claim-x.yaml:" "$(audited claim-x)"
}

@test "claim: moved by hand, or changed after the decision, it counts as quarantined" {
	expect 0 release q-50
	cp -r kb good
	# out of its folder
	mkdir -p kb/claims/quarantine
	mv kb/claims/sourced/q-50.yaml kb/claims/quarantine/
	expect 0 dossier load kb
	sourced q-50 no
	same "decision-disagrees claims/decisions/q-50.yaml:1:13" "$(audited q-50)"
	# into it, with a decision that says otherwise
	mv kb/claims/quarantine/q-50.yaml kb/claims/sourced/
	expect 0 claim quarantine q-50 "${WHO[@]}" --reason x
	mv kb/claims/quarantine/q-50.yaml kb/claims/sourced/
	expect 0 dossier load kb
	sourced q-50 no
	holds "decision-disagrees claims/decisions/q-50.yaml:" "$(audited q-50)"
	# another text than the one that was decided about
	rm -r kb
	cp -r good kb
	sed -i 's/nightly/daily/' kb/claims/sourced/q-50.yaml
	expect 0 dossier load kb
	sourced q-50 no
	same "changed-claim claims/sourced/q-50.yaml:2:5" "$(audited q-50)"
	# decided about anew, it may be said
	expect 0 claim release q-50 --evidence src-x.share "${WHO[@]}" --reason "Reworded"
	sourced q-50 yes
	# comments and order are not what it says
	sed -i -e '/^conditions/d' -e '1a# more\nconditions: {ko: "한 대의 기기입니다.", en: "On one machine."}' kb/claims/sourced/q-50.yaml
	sourced q-50 yes
}

# ---- evidence that goes away ----

@test "claim: with its evidence withdrawn it counts as quarantined again, and with it back as sourced" {
	expect 0 release q-50
	cp -r kb good
	for change in '/id: said/,$s/status: verified/status: withdrawn/' '/id: said/,$s/status: verified/status: under-review/' '/id: said/,$d'; do
		sed -i "$change" kb/evidence/documents/src-x.yaml
		expect 0 dossier load kb
		sourced q-50 no
		same "lost-evidence claims/decisions/q-50.yaml:7:14" "$(audited q-50)"
		expect 0 dossier --kb kb search electric sheep
		lacks q-50 "$output"
		cp good/evidence/documents/src-x.yaml kb/evidence/documents/
		sourced q-50 yes
	done
	# a finding that says something else by now is told, and somebody has to look
	sed -i 's/section four/section five/' kb/evidence/documents/src-x.yaml
	sourced q-50 yes
	same "changed-evidence claims/decisions/q-50.yaml:7:14
suspect-link claims/sourced/q-50.yaml:21:3" "$(audited q-50)"
}

@test "claim: one piece of evidence of two withdrawn: still listed and found, and flagged" {
	a_claim claim-x src-x
	a_source src-y
	sed -i 's/src-x.said/src-y.said/' kb/claims/sourced/claim-x.yaml
	sed -i '/id: said/,$s/status: verified/status: withdrawn/' kb/evidence/documents/src-y.yaml
	expect 0 dossier load kb
	sourced claim-x yes
	same "withdrawn-evidence claims/sourced/claim-x.yaml:10:13" "$(audited claim-x)"
	expect 0 dossier --kb kb show claim-x
	lacks src-y.said "$output"
	expect 0 dossier --kb kb search plain statement
	holds claim-x "$output"
	# nothing left but the other: that of its figure
	sed -i '0,/status: verified/s//status: withdrawn/' kb/evidence/documents/src-x.yaml
	expect 0 dossier load kb
	sourced claim-x no
	holds "lost-evidence claims/sourced/claim-x.yaml:8:33" "$(audited claim-x)"
}

@test "claim: a claim about an archetype without any other figure takes its figures with it" {
	mkdir -p kb/archetypes kb/claims/sourced
	cp "$REPO/archetypes/neocloud.yaml" kb/archetypes/
	a_claim claim-x src-x
	sed -i '0,/status: verified/s//status: withdrawn/' kb/evidence/documents/src-x.yaml
	expect 0 dossier load kb
	expect 1 dossier --kb kb audit
}

# ---- layers and databases ----

@test "claim: a release in a folder over the default content, and in a database made of it" {
	waiting q-02
	expect 0 release q-02
	sourced q-02 yes
	expect 0 dossier load kb -o kb.db
	expect 0 dossier --kb kb.db show q-02
	holds "Stone rivers" "$output"
	expect 0 dossier --kb kb.db claim history q-02 --format json
	jq -e '.items | length == 1' <<< "$output" > /dev/null
	# without its second half nobody can tell whether it was decided
	mkdir elsewhere
	cp kb.db elsewhere/
	dossier --kb elsewhere/kb.db list claims > out 2> err || true
	lacks q-02 "$(cat out)"
	# the wording below is no freer for it
	put claims/sourced/claim-new.yaml < <(sed -e "s/q-02/claim-new/" -e '/^evidence/,/^decided/d' -e "s/en: \"Stone.*/en: \"$(wording q-02 en)\"/" kb/claims/sourced/q-02.yaml; echo 'evidence: [{finding: src-x.said, relation: supports}]')
	expect 3 dossier load kb
	holds "the wording is that of the quarantined claim q-02" "$stderr"
}

@test "claim: of several folders, the one that has the claim is decided in" {
	KB=over a_source src-y
	before=$(files over)
	expect 0 dossier --kb kb --kb over claim release q-50 --evidence src-x.said "${WHO[@]}" --reason x
	[ -e kb/claims/sourced/q-50.yaml ]
	same "$before" "$(files over)"
	KB=over waiting q-60
	expect 0 dossier --kb kb --kb over claim release q-60 --evidence src-x.said,src-y.said "${WHO[@]}" --reason x
	[ -e over/claims/sourced/q-60.yaml ]
}

# ---- git ----

repository() {
	git init -q -b main kb
	git -C kb config user.email nobody@example.org
	git -C kb config user.name Nobody
	commit start
}
commit() { git -C kb add -A && git -C kb commit -q -m "$1"; }

@test "claim: two branches that decide about two claims merge, and about one conflict" {
	waiting q-51
	repository
	git -C kb checkout -q -b one
	expect 0 release q-50
	same "" "$(git -C kb status --porcelain | grep -v -E 'claims/(decisions|quarantine|sourced)/')"
	commit one
	git -C kb checkout -q -b two main
	expect 0 release q-51
	commit two
	git -C kb merge -q -m both one
	same "" "$(git -C kb status --porcelain)"
	sourced q-50 yes
	sourced q-51 yes
	same "" "$(audited q-50)$(audited q-51)"
	git -C kb checkout -q -b three main
	expect 0 claim release q-50 --evidence src-x.said --by Lee --date 2026-12-02 --reason "Also read"
	commit three
	run git -C kb merge -q -m both one
	[ "$status" -ne 0 ]
	holds "claims/decisions/q-50.yaml" "$(git -C kb diff --name-only --diff-filter=U)"
	git -C kb merge --abort
	# a second decision about the same first one
	git -C kb checkout -q -b four one
	claim quarantine q-50 "${WHO[@]}" --reason "Doubt"
	commit four
	git -C kb checkout -q -b five one
	claim retract q-50 --by Lee --date 2026-12-03 --reason "Wrong"
	commit five
	run git -C kb merge -q -m both four
	[ "$status" -ne 0 ]
	holds "claims/decisions/q-50.yaml" "$(git -C kb diff --name-only --diff-filter=U)"
}

# ---- at once, and where it cannot write ----

@test "claim: decisions at once all land" {
	local ids="q-50" i
	for i in 51 52 53; do waiting q-$i; ids+=" q-$i"; done
	for i in $ids; do release $i 2> err.$i & done
	wait
	for i in $ids; do holds "is released" "$(cat err.$i)"; sourced $i yes; done
	same "" "$(find kb -name '.*' -type f)"
}

@test "claim: where somebody decides and does not end, it says who" {
	mkdir -p kb/claims/decisions
	printf -- '-\nprocess 1, Lee\n' > kb/claims/decisions/.lock
	before=$(files)
	flock kb/claims/decisions/.lock sleep 30 3>&- &
	local holder=$!
	sleep 0.2
	expect 4 release q-50
	holds "somebody else decides here: process 1, Lee" "$stderr"
	unchanged
	sourced q-50 no
	kill $holder
	pkill -P $holder 2> /dev/null || true
}

@test "claim: where another user was cut short, it says so and leaves the note" {
	mkdir -p kb/claims/decisions
	printf 'q-50\nprocess 1, Lee\n' > kb/claims/decisions/.lock
	chmod 444 kb/claims/decisions/.lock
	chmod a+x "$BATS_RUN_TMPDIR" "$BATS_RUN_TMPDIR"/test "$T" && chmod -R a+rwX kb && chmod a-w kb/claims/decisions/.lock
	local as=()
	[ "$(id -u)" -ne 0 ] || as=(setpriv --reuid=65534 --regid=65534 --clear-groups env HOME=/nonexistent XDG_CACHE_HOME=/nonexistent)
	"${as[@]}" "$DOSSIER" --kb kb list models > /dev/null 2>&1 || skip "no other user can run it"
	before=$(files)
	expect 4 "${as[@]}" "$DOSSIER" --kb kb claim release q-50 --evidence src-x.said,src-x.share "${WHO[@]}" --reason x
	same "dossier: cannot decide here: kb/claims/decisions/.lock: Permission denied" "$stderr"
	unchanged
	same "q-50" "$(head -1 kb/claims/decisions/.lock)"
}

@test "claim: a folder that cannot be written to" {
	[ "$(id -u)" -ne 0 ] || skip "root may write anywhere"
	chmod -R a-w kb
	expect 4 release q-50
	chmod -R u+w kb
	same 1 "$(wc -l <<< "$stderr")"
	[ ! -e kb/claims/sourced/q-50.yaml ]
}

traced() { # traced INJECTION: a release of q-50 under strace
	ASAN_OPTIONS=detect_leaks=0 strace -f -qq -o trace -e trace=openat,write,pwrite64,fsync,ftruncate,fchmod,rename,unlink,mkdir -e "$1" "$DOSSIER" --kb kb claim release q-50 --evidence src-x.said,src-x.share "${WHO[@]}" --reason x
}

can_trace() { strace -qq -o /dev/null -e trace=fsync -e inject=fsync:error=EIO true 2> /dev/null || skip "strace cannot run here"; }

@test "claim: a disk that fills up or fails: one line, exit 4, and nothing decided" {
	can_trace
	local call n
	cp -r kb good
	before=$(files)
	for call in write:ENOSPC fsync:EIO rename:EIO; do
		for n in 1 2 3; do
			rm -rf kb
			cp -r good kb
			run --separate-stderr traced "inject=${call%:*}:error=${call#*:}:when=$n"
			if [ "$status" -eq 0 ]; then # so many calls there are not, or it was one for the terminal
				sourced q-50 yes
				continue
			fi
			same "$call $n 4" "$call $n $status"
			same 1 "$(wc -l <<< "$stderr")"
			unchanged
			expect 0 release q-50
			sourced q-50 yes
		done
	done
}

@test "claim: killed at any write, flush or rename, it leaves the old state or the new one" {
	can_trace
	local call n count state after
	cp -r kb good
	traced trace=write,pwrite64,fsync,ftruncate,rename,unlink 2> /dev/null
	cp trace calls
	for call in write pwrite64 fsync ftruncate rename unlink; do
		count=$(grep -c -E "^[0-9]+ +$call\(" calls || true)
		[ "$count" -gt 0 ]
		for ((n = 1; n <= count; n++)); do
			rm -rf kb
			cp -r good kb
			traced "inject=$call:signal=KILL:when=$n" > /dev/null 2>&1 || true
			# it opens and verifies, and counts as one or the other
			expect 0 dossier load kb
			state=no
			dossier --kb kb list claims --format json | jq -e 'any(.items[]; .id == "q-50")' > /dev/null && state=yes
			[ "$state" = yes ] || lacks "$WORDING" "$(dossier --kb kb search electric sheep 2>&1)"
			# the next decision, about another claim, completes it or takes it back
			waiting q-51
			expect 0 release q-51
			same "" "$(find kb -name '.*' -type f)"
			after=no
			[ -e kb/claims/sourced/q-50.yaml ] && after=yes
			sourced q-50 $after
			[ "$state" = no ] || same yes $after
			same "$(cat good/claims/quarantine/q-50.yaml)" "$(cat kb/claims/[qs]*/q-50.yaml | sed -e '/^evidence:/,/^decided:/d' -e '/^decided:/d')"
			same "" "$(audited q-50)"
		done
	done
}

@test "claim: reading repairs nothing" {
	can_trace
	traced inject=rename:signal=KILL:when=2 > /dev/null 2>&1 || true
	before=$(files; find kb | sort)
	for c in "audit" "list claims" "load kb" "claim list" "claim history q-50"; do run dossier --kb kb $c; done
	same "$before" "$(files; find kb | sort)"
}

@test "claim: a decision that was cut short is completed when it is asked for again, and said so" {
	can_trace
	traced inject=rename:signal=KILL:when=2 > /dev/null 2>&1 || true
	sourced q-50 no
	same "decision-disagrees claims/decisions/q-50.yaml:1:13" "$(audited q-50)"
	expect 0 release q-50
	holds "had been cut short: completed" "$stderr"
	sourced q-50 yes
	same 1 "$(grep -c '^- decision' kb/claims/decisions/q-50.yaml)"
}

@test "claim: a release that a hand undid is taken back, not carried through" {
	expect 0 release q-50
	mkdir -p kb/claims/quarantine
	mv kb/claims/sourced/q-50.yaml kb/claims/quarantine/
	waiting q-51
	expect 0 release q-51
	holds "the release of \`q-50\`, of 2026-12-01, was not carried through: taken back" "$stderr"
	sourced q-50 no
	same "" "$(audited q-50)"
	same "release quarantine" "$(claim history q-50 --format json | jq -r '[.items[].decision] | join(" ")')"
}

@test "claim: no other command shows the wording, whatever is wrong with it" {
	expect 0 release q-50
	sed -i 's/nightly/daily/' kb/claims/sourced/q-50.yaml
	sed -i 's/reason: .*/reason: electric sheep it is/' kb/claims/decisions/q-50.yaml
	for c in "list claims" "show q-50" "search electric sheep" "audit --all" "audit --format json" "list sources --format json" "show neocloud"; do
		run dossier --kb kb $c
		lacks "$WORDING" "$output"
		lacks "전기양" "$output"
	done
	expect 0 dossier load kb -o kb.db
	run ! grep -q -a -e "$WORDING" kb.db
}
