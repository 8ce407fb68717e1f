# What holds of every draft: figures, evidence, audience, bytes. The customers are those of tests/golden, and
# for each archetype a form that nobody has filled in.

load common

GOLDEN=$REPO/tests/golden

setup_file() {
	clean_environment "$BATS_FILE_TMPDIR"
	cd "$BATS_FILE_TMPDIR" || return 1
	name_files .
	for c in "$GOLDEN"/*.yaml; do cp "$c" "filled-$(basename "$c")"; done
	for a in $ARCHETYPES; do dossier intake --archetype $a --date 2026-12-01 --customer nobody > asked-$a.yaml; done
	for c in filled-*.yaml asked-*.yaml; do
		for l in en ko; do
			dossier propose $c --lang $l > ${c%.yaml}.$l.customer.md
			dossier propose $c --lang $l --audience internal > ${c%.yaml}.$l.internal.md
			dossier brief $c --lang $l > ${c%.yaml}.$l.brief.md
		done
	done
}

setup() { common_setup; F=$BATS_FILE_TMPDIR; }

figures() { perl "$FIGURES" "$F/names" "$F/titles" < "$1"; }
kinds() { figures "$1" 2> /dev/null | cut -f 2 | sort -u | xargs; }

@test "figures: the checker finds what is wrong with a draft" {
	local draft=$F/filled-neocloud.en.customer.md wrong
	figures "$draft" > /dev/null
	for wrong in 's/^Draft of/Draft 42 of/' 's/^What we take as fixed/& (7 of them)/' 's/^\[chat.kv.bytes\]: .*//' 's/^\(\[chat.kv.bytes\]: #s[0-9]* "[^"]*\), calculated.*"/\1"/' 's/, weakest [a-z]*//' 's/: #s1 "/: #s99 "/' 's/^### S2$/### S77/' 's/\[589.5 GB\]\[chat.kv.bytes\]/589.5 GB/' 's/^Draft of/3배 &/' 's/\[S[0-9]*\]\[/[S1][/'; do
		sed "$wrong" "$draft" > spoilt.md
		run ! cmp -s "$draft" spoilt.md
		run ! figures spoilt.md
	done
}

@test "figures: every number of a draft is explained, or is a date or a name" {
	[ "$(ls "$F"/*.md | wc -l)" -eq 60 ]
	for draft in "$F"/*.md; do
		figures "$draft" > /dev/null 2> faults.txt || { echo "$(basename "$draft")"; head -5 faults.txt; } >> all.txt
	done
	[ ! -e all.txt ] || { cat all.txt; return 1; } >&2
}

@test "figures: the drafts of a filled-in file show calculated, stated, published and assumed ones" {
	holds "calculated" "$(kinds "$F/filled-neocloud.en.customer.md")"
	holds "published" "$(kinds "$F/filled-neocloud.en.customer.md")"
	holds "stated" "$(kinds "$F/filled-neocloud.en.customer.md")"
	holds "assumed" "$(kinds "$F/asked-neocloud.en.customer.md")"
	lacks "stated" "$(kinds "$F/asked-neocloud.en.customer.md")"
}

@test "figures: the same in both languages" {
	for c in "$F"/*.yaml; do
		for a in customer internal brief; do
			same "$(grep '^\[.*\]: #s' "${c%.yaml}.en.$a.md" | sed 's/: .*//' | sort)" "$(grep '^\[.*\]: #s' "${c%.yaml}.ko.$a.md" | sed 's/: .*//' | sort)"
			same "$(grep -c '^### S[0-9]*$' "${c%.yaml}.en.$a.md")" "$(grep -c '^### S[0-9]*$' "${c%.yaml}.ko.$a.md")"
		done
	done
}

@test "figures: without quantitative evidence a customer sees none but their own" {
	for l in en ko; do
		same "stated" "$(kinds "$F/filled-edge.$l.customer.md")"
		same "" "$(kinds "$F/asked-edge-robotics.$l.customer.md")"
		for figure in '\[21 GB\]' '\[5.5 GB\]' '\[100 ms\]' '\[3,072' '\[256'; do
			grep -q "$figure" "$F/filled-edge.$l.customer.md"
		done
		for a in internal brief; do
			case $(kinds "$F/filled-edge.$l.$a.md") in
			"calculated stated" | "stated" | "calculated") ;;
			*) kinds "$F/filled-edge.$l.$a.md" >&2; return 1 ;;
			esac
			same "" "$(kinds "$F/asked-edge-robotics.$l.$a.md")"
		done
	done
}

@test "figures: without quantitative evidence no other command shows one either" {
	for l in en ko; do
		expect 0 dossier show edge-robotics --lang $l
		lacks "[published" "$output"
		lacks "[measured" "$output"
		expect 0 dossier intake --archetype edge-robotics --date 2026-12-01 --lang $l
		sed -e 's/2026-12-01//' -e '/accelerators: 16/d' -e 's/dossier.customer.1//' <<< "$output" | grep -E '(^| )[0-9]' | nothing
		for c in filled-edge asked-edge-robotics; do
			expect 0 dossier advise "$F/$c.yaml" --format json --lang $l
			same "" "$(jq -r '.. | objects | select(.kind == "published" or .kind == "measured" or .kind == "assumed") | "\(.ref) \(.value) \(.kind)"' <<< "$output")"
		done
		run jq -e '.workloads[0].sized == false' <<< "$output"
		same true "$output"
	done
	for c in $(dossier show edge-robotics --format json | jq -r '.pains[]'); do
		dossier show "$c" | grep -E '\[(published|measured)' | nothing
	done
}

@test "audience: the customer is the default, internal has to be asked for" {
	cd "$F"
	same "$(cat filled-neocloud.ko.customer.md)" "$(dossier propose filled-neocloud.yaml)"
	same "$(cat filled-neocloud.ko.customer.md)" "$(dossier propose filled-neocloud.yaml -a customer)"
	for draft in *.customer.md; do
		grep -q '^audience: customer$' $draft
		grep -E 'INTERNAL|대외비' $draft | nothing
	done
}

@test "audience: an internal document says INTERNAL in its title, its first line and its file name" {
	for draft in "$F"/*.internal.md "$F"/*.brief.md; do
		grep -q '^audience: internal$' "$draft"
		perl -0777 -ne 's/\A---\n.*?\n---\n\s*//s; print((split /\n/)[0])' "$draft" | grep -q INTERNAL
		grep -m 1 '^# ' "$draft" | grep -q INTERNAL
	done
	cp "$F/filled-neocloud.yaml" c.yaml
	for c in brief "propose --audience internal"; do
		for name in brief.md internal.md INTERNAL/x.md; do
			expect 2 dossier $c c.yaml -o $name
			holds "INTERNAL in the name" "$stderr"
			[ ! -e $name ]
		done
		expect 0 dossier $c c.yaml -o x-INTERNAL.md
		same "" "$output"
		same "$(dossier $c c.yaml)" "$(cat x-INTERNAL.md)"
		rm x-INTERNAL.md
	done
	expect 0 dossier propose c.yaml -o x.md
	same "$(dossier propose c.yaml)" "$(cat x.md)"
}

@test "audience: what is internal is in no customer's document, and is in the internal one" {
	for l in en ko; do
		for a in $ARCHETYPES; do
			dossier show $a --lang $l --format json | jq -r '
				(.structure.approvers[] | .role, .signs, .veto, .basis.inferred), .structure.cycle.length,
				(.objections[] | .says, .answer, .right_when), (.loss_reasons[] | .reason, .instead),
				.positions[].first_question | select(. != null)' > internal.$a
			[ "$(wc -l < internal.$a)" -gt 40 ]
		done
		cat internal.* > internal
		for draft in "$F"/*.$l.customer.md; do
			plain_text < "$draft" | perl "$REPO/tests/data/holds.pl" internal | nothing
		done
		for a in $ARCHETYPES; do
			plain_text < "$F/asked-$a.$l.internal.md" > text
			perl "$REPO/tests/data/holds.pl" internal.$a < text > found
			[ "$(wc -l < found)" -gt 15 ]
		done
	done
}

@test "audience: the customer's document has what they need to correct, and no position but theirs" {
	dossier show neocloud --format json | jq -r '(.structure.metrics[] | .name), (.structure.non_negotiables[] | .what), (.structure.cycle.gates[] | .name, .decides)' > wanted
	plain_text < "$F/filled-neocloud.en.customer.md" > text
	while read -r w; do
		[ "${#w}" -lt 30 ] || same 1 "$(echo "$w" > one; perl "$REPO/tests/data/holds.pl" one < text | wc -l)"
	done < wanted
}

@test "bytes: the same whatever the time zone, language, width, terminal and folder" {
	cp "$F/filled-neocloud.yaml" "$F/filled-edge.yaml" .
	mkdir -p deep/er
	for c in "propose" "propose --audience internal" "brief" "advise --format json" "propose --lang ko"; do
		for x in filled-neocloud filled-edge; do
			dossier $c $x.yaml > first
			dossier $c $x.yaml > again
			cmp first again
			TZ=Asia/Seoul LANG=ko_KR.UTF-8 LC_ALL=C.UTF-8 COLUMNS=40 TERM=dumb dossier $c $x.yaml > other
			cmp first other
			(cd deep/er && HOME=/nonexistent XDG_CACHE_HOME=/nonexistent TZ=America/Los_Angeles LC_ALL=tr_TR.UTF-8 dossier $c ../../$x.yaml) > other
			cmp first other
			dossier $c - < $x.yaml > other
			cmp first other
		done
	done
}

@test "bytes: the date is the customer file's" {
	sed 's/^date: .*/date: 2031-05-06/' "$F/filled-neocloud.yaml" > c.yaml
	for l in en ko; do
		dossier propose c.yaml --lang $l > draft
		grep -q '^date: 2031-05-06$' draft
		[ "$(grep -c 2031-05-06 draft)" -ge 2 ]
	done
	same "$(sed 's/2031-05-06/2026-12-01/' <(dossier propose c.yaml --lang en))" "$(cat "$F/filled-neocloud.en.customer.md")"
}

@test "customers: what one stated is in no other's documents, nor kept anywhere" {
	a_customer zebra neocloud | sed -e 's/concurrency: 64/concurrency: 61/' -e 's/tpot: 40 ms/tpot: 37 ms/' -e 's/Zebra/Zebrafish/g' > a.yaml
	a_customer okapi neocloud > b.yaml
	dossier propose b.yaml > before
	for c in "propose a.yaml" "propose a.yaml --audience internal" "brief a.yaml" "advise a.yaml" "--kb $REPO advise a.yaml"; do dossier $c > /dev/null; done
	dossier propose b.yaml > after
	cmp before after
	for l in en ko; do
		dossier propose b.yaml --lang $l --audience internal > after
		grep -i -E 'zebra|\[61\]|37 ms' after | nothing
	done
	dossier propose a.yaml | grep -q Zebrafish
	dossier propose a.yaml | grep -q '\[37 ms\]'
	grep -r -l -a -i zebra home cache state config 2> /dev/null | nothing
}

@test "checking: no command changes a file, a folder or any state" {
	mkdir work
	cp -r "$REPO"/archetypes "$REPO"/claims work/
	cp "$F/filled-neocloud.yaml" work/c.yaml
	cd work
	before=$(tree_hash .)
	for c in "load ." "audit --today 2026-12-01" "audit --all --fail-on stale --today 2026-12-01" "audit --fingerprints" "list claims" "show neocloud" "search memory" "advise c.yaml" "propose c.yaml" "brief c.yaml" "size -m qwen3-14b -a h200 --weights bf16 --kv bf16 -c 4K -n 4" "intake -a neocloud --date 2026-12-01" "--kb . list claims" "--kb . propose c.yaml"; do
		expect 0 dossier $c
		same "$before" "$(tree_hash .)"
	done
	same "" "$(ls -A "$HOME")"
	[ ! -e "$XDG_STATE_HOME" ] && [ ! -e "$XDG_CONFIG_HOME" ]
	same "dossier" "$(ls -A "$XDG_CACHE_HOME")"
}

@test "checking: works where nothing may be written" {
	[ "$(id -u)" -ne 0 ] || skip "root may write anywhere"
	cp -r "$REPO"/archetypes .
	chmod -R a-w archetypes home .
	expect 0 dossier load .
	expect 0 dossier --kb . list claims
	chmod -R u+w .
}

@test "phases: prefill and decode are never one figure" {
	dossier advise "$F/filled-neocloud.yaml" --format json > advice
	for n in 0 1; do
		jq -e ".workloads[$n].sizing | .prefill.seconds.value > 0 and .decode.step_seconds.value > 0" advice > /dev/null
		# every time in the answer is named by one phase
		jq -r ".workloads[$n].sizing | paths(type == \"object\" and .unit? == \"s\") | join(\".\")" advice | grep -v -E '^(prefill|decode|inputs|assumptions|tiers)\.' | nothing
		jq -r ".workloads[$n].sizing as \$s | [\$s.prefill.seconds.value, \$s.decode.step_seconds.value] as [\$p, \$d] | \$s | .. | objects | select(.unit? == \"s\") | .value as \$v | (1, 512, 1024, 4096, 8192) | select((\$v / (\$p + . * \$d) - 1 | fabs) < 1e-6)" advice | nothing
	done
	for l in en ko; do
		for a in customer internal brief; do
			grep -E '^\| .*\[.*(prefill.*decode|decode.*prefill)|^\| .*(prefill.*decode|decode.*prefill).*\[' "$F/filled-neocloud.$l.$a.md" | nothing
		done
	done
}

@test "edge: a draft says how far the load is from the end of its room, and what to measure there" {
	# Eight H200 hold 49 sequences of 21.47 GB: a quarter more than 48 does not fit, than 30 it does.
	sed -n '/^- id: chat/,/^  reuse/!p' "$REPO/tests/golden/neocloud.yaml" | sed 's/^  concurrency: 48/&\n  accelerators: 8/' > tight.yaml
	sed 's/concurrency: 48/concurrency: 30/' tight.yaml > roomy.yaml
	expect 0 dossier propose tight.yaml --lang en
	for part in "up to [49][documents.fits.concurrency] sequences" "A quarter more load would not fit" "vllm-optimization.preemption-cost"; do holds "$part" "$output"; done
	lacks "At least a quarter more" "$output"
	expect 0 dossier propose roomy.yaml --lang en
	holds "At least a quarter more load fits" "$output"
	lacks "A quarter more load would not fit" "$output"
	# 3.2 GB less 1.806 GB of weights and 0.763 GB of KV leave a fifth; 4 GB leave more than a third.
	sed 's/memory_available: 3.2 GB/memory_available: 4 GB/' "$REPO/tests/golden/smartphone.yaml" > phone.yaml
	expect 0 dossier propose "$REPO/tests/golden/smartphone.yaml" --lang ko
	holds "사분의 일에 미치지 못합니다" "$output"
	expect 0 dossier propose phone.yaml --lang ko
	holds "이 부하 자체가 빨라지지는 않습니다" "$output"
	# What does not fit has no distance to tell.
	sed 's/memory_available: 3.2 GB/memory_available: 2 GB/' "$REPO/tests/golden/smartphone.yaml" > past.yaml
	expect 0 dossier propose past.yaml --lang en
	lacks "How far from the edge" "$output"
	# Without evidence of ours there is the verdict and no figure.
	expect 0 dossier propose "$REPO/tests/golden/edge.yaml" --lang en
	holds "How far from the edge.** At least a quarter of the room is left." "$output"
}

# kb-behaviour 33
@test "files: a name in a customer file leads to no file" {
	mkdir -p work/deep
	cd work/deep
	local id before
	before=$(tree_hash ..)
	for id in ../x /tmp/x ..  . a/b 'a\\b' '""'; do
		a_customer acme neocloud | sed "s|^customer: .*|customer: $id|" > "$T/c.yaml"
		for c in propose brief advise; do
			expect 3 dossier $c "$T/c.yaml"
			line "$T/c.yaml:2:11: expected an id" "$stderr"
			same "" "$output"
		done
	done
	same "$before" "$(tree_hash ..)"
	# what the user typed is where they want it
	a_customer acme neocloud > "$T/c.yaml"
	expect 0 dossier propose "$T/c.yaml" -o ../draft.md
	[ -s ../draft.md ]
}

@test "text: nothing is left open, empty or of the template" {
	for draft in "$F"/*.md; do
		cmark "$draft" > /dev/null
		{
			grep -n -F -e '{{' -e '}}' -e '${' -e '(null)' -e '[]' -e '()' -e '****' -e ' ,' "$draft" || true
			grep -n -E '^ *- *$|^#+ *$|: *- *$' "$draft" || true
			# a heading may stand right above a heading only if that one is deeper
			perl -0777 -ne 'while (/^(#+) (.*)\n\n+(#+) /mg) { print "nothing under: $2\n" if length $3 <= length $1; pos() -= length($3) + 1 }' "$draft"
		} | sed "s|^|$(basename "$draft"): |" >> all.txt
	done
	nothing < all.txt
}

@test "text: a source has one number, however often it is cited" {
	for draft in "$F"/filled-*.md; do
		perl -0777 -ne 'print "$1\n" while /^### S\d+\n\n(.*)$/mg' "$draft" | grep -v -E '^(Calculated|Stated|What|Assumed|계산|고객|가정|워크로드)' | sort | uniq -d | nothing
	done
	[ "$(grep -o '\[S[0-9]*\]\[' "$F/filled-edge.en.customer.md" | sort | uniq -d | wc -l)" -ge 2 ]
}

@test "text: no link runs anything, from a source or from a customer file" {
	id=$(sed -n 's/^\[\([a-z0-9-]*\)\.[a-z0-9-]*\]: #s[0-9]* "[^"]*grade.*/\1/p' "$F/filled-neocloud.en.customer.md" | head -1)
	[ -f "$REPO/evidence/documents/$id.yaml" ]
	mkdir -p kb/evidence/documents
	for url in 'javascript:alert(1)' 'JAVASCRIPT:alert(1)' 'data:text/html,<script>alert(1)</script>' 'vbscript:x' '&#106;avascript:alert(1)' ' javascript:alert(1)' 'file:///etc/passwd' 'https://x.example/><script>alert(1)</script>'; do
		sed "s|^url: .*|url: '$url'|" "$REPO/evidence/documents/$id.yaml" | sed 's/&#106/\&#106/' > kb/evidence/documents/$id.yaml
		run --separate-stderr dossier --kb kb propose "$F/filled-neocloud.yaml"
		if [ "$status" -eq 3 ]; then
			line "evidence/documents/$id.yaml:" "$stderr"
			continue
		fi
		[ "$status" -eq 0 ]
		lacks "<script" "$(cmark --unsafe <<< "$output")"
		cmark --unsafe <<< "$output" | grep -i -E 'href="(javascript|data|vbscript|file):' | nothing
	done
	cat > "names" <<- 'END'
	[x](javascript:alert(1))
	<script>alert(1)</script>
	**bold** _a_ `b` | c
	![x](https://example.org/x.png)
	# heading
	- item
	{{customer.id}} ${share} {{{archetype.name}}}
	[589.5 GB][chat.kv.bytes]
	&lt;script&gt;
	a[^1] b[^1]
	[^1]: a note
	END
	while IFS= read -r name; do
		NAME=$name perl -pe 's/^name: .*/name: {en: \x27$ENV{NAME}\x27, ko: \x27$ENV{NAME}\x27}/; s/^    name: .*/    name: \x27$ENV{NAME}\x27/' "$F/filled-hyperscaler.yaml" > c.yaml
		expect 0 dossier propose c.yaml --lang en
		cmark --unsafe <<< "$output" > html
		grep -i -E '<script|<img|href="javascript' html | nothing
		perl -CSDA -0777 -ne '/<h1>(.*?)<\/h1>/s; $_ = $1; s/&lt;/</g; s/&gt;/>/g; s/&quot;/"/g; s/&amp;/&/g; print' html > title
		same "Memory proposal for $name" "$(cat title)"
		figures /dev/stdin <<< "$output" 2>&1 | grep -v -F -e "bare figure" -e "[589.5 GB][chat.kv.bytes]" | grep -E 'not|twice|link that is none|what link' | nothing
	done < names
}

@test "drafts: what a command writes is none of the files that it reads" {
	local before
	a_source src-x
	dossier load kb -o team.db
	a_customer acme neocloud > c.yaml
	dossier propose c.yaml -o d.md
	dossier issue d.md --to a -r r.yaml
	ln -s c.yaml link.yaml
	ln c.yaml INTERNAL.yaml
	before=$(sha256sum c.yaml d.md r.yaml team.db team-quarantine.db kb/evidence/documents/src-x.yaml "$XDG_STATE_HOME/dossier/ledger.db")
	apart() { # apart COMMAND...
		expect 2 "$@"
		holds "expected another file than is read, found " "$stderr"
		same "$before" "$(sha256sum c.yaml d.md r.yaml team.db team-quarantine.db kb/evidence/documents/src-x.yaml "$XDG_STATE_HOME/dossier/ledger.db")"
	}
	apart dossier propose c.yaml -o c.yaml
	apart dossier propose c.yaml -o ./link.yaml
	apart dossier propose link.yaml -o c.yaml
	apart dossier brief c.yaml -o INTERNAL.yaml
	apart bash -c '"$0" propose - -o c.yaml < c.yaml' "$DOSSIER"
	apart dossier --kb team.db propose c.yaml -o team.db
	DOSSIER_KB=team.db apart dossier propose c.yaml -o team.db
	apart dossier propose c.yaml -o "$XDG_STATE_HOME/dossier/ledger.db"
	apart dossier issue d.md --to a -r d.md
	apart dossier issue d.md --to a -r "$XDG_STATE_HOME/dossier/ledger.db"
	apart dossier issue --reprint d.md -r d.md
	apart dossier issue --reprint 1 -r "$XDG_STATE_HOME/dossier/ledger.db"
	same 1 "$(dossier audit --ledger --format json | jq .entries)"
	expect 3 dossier load kb -o kb/evidence/documents/src-x.yaml
	holds "expected a database that \`dossier load\` wrote, or no file, found another file" "$stderr"
	expect 3 dossier load kb -o c.yaml
	apart dossier propose c.yaml -o c.yaml # nothing changed meanwhile
	# what is not read is written over, and a device may be both
	expect 0 dossier propose c.yaml -o r.yaml
	expect 0 dossier propose c.yaml -o /dev/null
	expect 0 dossier issue d.md --to a -r r.yaml
}
