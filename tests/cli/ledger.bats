# Issuing drafts: what is recorded, how it is held against the knowledge and receipts later, and that the
# ledger stays whole whatever happens to the process, the disk or the file.

load common
setup() {
	common_setup
	LEDGER=$XDG_STATE_HOME/dossier/ledger.db
}

sql() { sqlite3 "$LEDGER" "$1"; }
entries() { dossier audit --ledger --format json | jq '.entries'; }
uses() { # uses SEQ KIND: the ids, a line each
	sql "SELECT json_extract(u.value, '\$.id') FROM entry, json_each(body, '\$.uses') u WHERE seq = $1 AND json_extract(u.value, '\$.kind') = '$2' ORDER BY 1"
}
field() { sed -n "s/^$1: //p" "$2"; } # of a receipt

# A draft that says little, and what a test adds to it.
draft() { # draft [CUSTOMER]
	cat <<- END
	---
	format: dossier.draft/1
	customer: ${1:-acme}
	archetype: neocloud
	audience: customer
	language: en
	date: 2026-12-01
	---

	# A letter

	We would like to talk about memory.
	END
}

# A draft that uses a claim and a finding of the folder kb/.
sourced_draft() {
	draft
	printf '\nA plain statement about [41%%][src-x.share] of something.\n\n## Sources\n\n### S1\n\nA report. A publisher, 2026-02. Grade A, read: full. <https://example.org/report>\n\n[src-x.share]: #s1 "41 %%, published, grade A"\n'
}

sourced_kb() {
	a_source src-x
	a_claim claim-x src-x
}

state() { # state WANTED [WORDS IN WHY] -- OPTION...: of entry 1
	local wanted=$1 why=$2 out
	shift 3
	out=$(dossier "$@" audit --issued --format json) || true
	same "$wanted" "$(jq -r '.items[0].state' <<< "$out")"
	holds "$why" "$(jq -r '.items[0].why' <<< "$out")"
}

@test "ledger: a draft is recorded with its hashes, and the receipt is the head of the chain" {
	a_customer acme neocloud > c.yaml
	dossier propose c.yaml -o d.md
	expect 0 dossier issue d.md --to "Ms Kim, 에이컴" --by me --date 2026-12-02
	printf '%s\n' "$output" > r.yaml
	same "dossier.receipt/1" "$(field format r.yaml)"
	same "$(sha256sum < d.md | cut -d' ' -f1)" "$(field content r.yaml)"
	same "$(sha256sum < "$IMAGES/kb.db" | cut -d' ' -f1)" "$(field knowledge r.yaml)"
	same "1" "$(field entry r.yaml)"
	same "2026-12-02" "$(field date r.yaml)"
	same "$(sql 'SELECT hash FROM entry')" "$(field head r.yaml)"
	same "Ms Kim, 에이컴 me acme d.md $(wc -c < d.md)" "$(sql "SELECT body ->> 'to' || ' ' || (body ->> 'by') || ' ' || (body ->> 'customer') || ' ' || (body ->> 'draft') || ' ' || (body ->> 'bytes') FROM entry")"
	# the figures are those of the definitions: all that are no finding
	sed -n 's/^\[\([a-z0-9_.-]*\)\]: #s[0-9]* "\(.*\)"$/\1 \2/p' d.md | grep -v -E ' (finding|[^,]*, (published|measured), grade .)$' | sort > wanted
	sql "SELECT (f.value ->> 'label') || ' ' || (f.value ->> 'value') FROM entry, json_each(body, '\$.figures') f" | sort > found
	[ "$(wc -l < found)" -gt 50 ]
	diff wanted found
	same "$(printf 'deepseek-v3')" "$(uses 1 model)"
	same "nvidia-h200-sxm" "$(uses 1 accelerator)"
	# the tiers that the customer asks about, and those that the levers count with
	{
		printf 'ddr5-rdimm\nnvme-gen5\n'
		for lever in $(uses 1 lever); do sed -n 's/^change: {\(idle_kv_to\|reuse_from\): \([a-z0-9-]*\)}$/\2/p' "$REPO/templates/levers/$lever.yaml"; done
	} | sort -u > tiers
	[ "$(wc -l < tiers)" -gt 2 ]
	same "$(cat tiers)" "$(uses 1 tier)"
	expect 0 dossier audit --ledger --receipt r.yaml
	holds "1 entry, head $(field head r.yaml)" "$output"
}

@test "ledger: the claims that a proposal shows are known again, in both languages" {
	local file n=0 archetype
	for file in edge hyperscaler merchant neocloud smartphone; do
		archetype=$(sed -n 's/^archetype: //p' "$REPO/tests/golden/$file.yaml")
		# a proposal shows the claims that are the pains of its archetype, and no others
		sqlite3 "$IMAGES/kb.db" "SELECT claim FROM pain WHERE archetype = '$archetype' ORDER BY 1" > wanted
		[ -s wanted ]
		for lang in en ko; do
			n=$((n + 1))
			dossier propose --lang $lang "$REPO/tests/golden/$file.yaml" -o d.md
			dossier issue d.md --to a -r r.yaml
			uses $n claim | diff wanted -
			uses $n finding > $lang
		done
		cmp en ko
	done
}

@test "ledger: what is not issued is not recorded, and reading makes no ledger" {
	a_customer acme neocloud > c.yaml
	dossier propose c.yaml -o d.md
	dossier brief c.yaml > /dev/null
	dossier list claims > /dev/null
	dossier lint d.md
	expect 0 dossier audit --ledger
	holds "0 entries" "$output"
	expect 0 dossier audit --issued --format json
	same 0 "$(jq '.items | length' <<< "$output")"
	[ ! -e "$XDG_STATE_HOME" ]
	expect 2 dossier issue d.md
	expect 2 dossier issue d.md --to ' '
	expect 2 dossier issue d.md --to $'a\nb'
	expect 2 dossier issue d.md --to a --date 2026-02-30
	expect 3 dossier issue none.md --to a
	[ ! -e "$XDG_STATE_HOME" ]
}

@test "ledger: a draft that may not be sent is not" {
	a_customer acme neocloud > c.yaml
	dossier propose c.yaml --audience internal -o INTERNAL.md
	expect 3 dossier issue INTERNAL.md --to a
	holds "an internal one is not sent" "$stderr"
	printf '# No front matter\n' > n.md
	expect 3 dossier issue n.md --to a
	line "n.md:1:1: expected a draft" "$stderr"
	{ draft; printf '\nIt is 41%% faster.\n'; } > figure.md
	expect 1 dossier issue figure.md --to a
	line "figure.md:14:" "$output"
	holds "not issued" "$stderr"
	sourced_kb
	sourced_draft > d.md
	expect 1 dossier --kb kb issue d.md --to a --date 2027-11-30
	line "d.md: due " "$output"
	[ ! -e "$LEDGER" ]
	expect 0 dossier --kb kb issue d.md --to a --date 2027-11-29
}

@test "ledger: files of it are their owner's" {
	draft > d.md
	(umask 0; dossier issue d.md --to a -r r.yaml)
	same "600 600 700" "$(stat -c %a "$LEDGER" r.yaml "$(dirname "$LEDGER")" | xargs)"
	chmod 644 "$LEDGER"
	expect 1 dossier audit --ledger
	line "$LEDGER: expected mode 0600, found 0644" "$output"
	chmod 600 "$LEDGER"
	same ledger.db "$(ls -A "$(dirname "$LEDGER")")"
	expect 0 dossier --ledger here.db issue d.md --to a
	expect 0 dossier issue d.md --to a --ledger here.db
	same 2 "$(dossier --ledger here.db audit --ledger --format json | jq .entries)"
	same 2 "$(dossier audit --ledger here.db --format json | jq .entries)"
	same 2 "$(dossier audit --ledger=here.db --issued --format json | jq '.items | length')"
	same 1 "$(entries)"
	expect 4 dossier --ledger none/l.db issue d.md --to a
	[ ! -e none ]
	expect 2 dossier --ledger '' issue d.md --to a
}

@test "ledger: entries are not changed, not removed and not replaced, and past the guards it shows" {
	local s
	draft > d.md
	for n in 1 2 3 4; do dossier issue d.md --to $n -r $n.yaml; done
	for s in "UPDATE entry SET body = '{}'" "DELETE FROM entry" "REPLACE INTO entry SELECT * FROM entry WHERE seq = 4" \
		"INSERT OR REPLACE INTO entry SELECT 3, kind, date, body, prev, hash FROM entry WHERE seq = 4"; do
		run sqlite3 "$LEDGER" "$s"
		[ "$status" -ne 0 ]
		holds "append-only" "$output"
	done
	expect 0 dossier audit --ledger --receipt 1.yaml 2.yaml --receipt 3.yaml 4.yaml
	cp "$LEDGER" whole.db
	sql "DROP TRIGGER entry_is_not_removed; DELETE FROM entry WHERE seq = 4; CREATE TRIGGER entry_is_not_removed BEFORE DELETE ON entry
BEGIN SELECT raise(ABORT, 'the ledger is append-only: an entry is not removed'); END;"
	expect 0 dossier audit --ledger
	expect 0 dossier audit --ledger --receipt 3.yaml
	expect 1 dossier audit --ledger --receipt 3.yaml 4.yaml
	line "4.yaml: entry 4 was removed: the ledger ends at 3" "$output"
	cp whole.db "$LEDGER"
	sql "DROP TRIGGER entry_is_not_changed; UPDATE entry SET body = replace(body, '\"to\":\"2\"', '\"to\":\"9\"') WHERE seq = 2"
	expect 1 dossier audit --ledger
	line "$LEDGER: entry 2: it was changed after it was written" "$output"
	holds "guards" "$output"
	expect 1 dossier audit --ledger --format json
	same 2 "$(jq '.items | length' <<< "$output")"
	expect 2 dossier audit --ledger "$LEDGER" 1.yaml
	expect 3 dossier audit --ledger --receipt d.md
	expect 3 dossier audit --ledger --receipt none.yaml
}

# kb-behaviour 40 and 41
@test "ledger: twenty at once all land, and receipts are of one chain" {
	local pids=() p
	draft > d.md
	for n in $(seq 20); do
		dossier issue d.md --to "reader $n" -r "$n.yaml" > /dev/null 2> "$n.err" &
		pids+=($!)
	done
	for p in "${pids[@]}"; do wait "$p"; done
	same "" "$(cat ./*.err)"
	same 20 "$(entries)"
	same "$(seq 20 | xargs)" "$(sed -n 's/^entry: //p' ./*.yaml | sort -n | xargs)"
	same 20 "$(sql "SELECT count(DISTINCT body ->> 'to') FROM entry")"
	expect 0 dossier audit --ledger --receipt ./*.yaml
}

@test "ledger: who finds it locked waits" {
	draft > d.md
	dossier issue d.md --to a -r r.yaml
	(echo "BEGIN EXCLUSIVE;"; touch held; sleep 2; echo "COMMIT;") | sqlite3 "$LEDGER" &
	until [ -e held ]; do sleep 0.05; done
	expect 0 dossier audit --ledger
	same "" "$stderr"
	(echo "BEGIN IMMEDIATE;"; touch again; sleep 2; echo "COMMIT;") | sqlite3 "$LEDGER" &
	until [ -e again ]; do sleep 0.05; done
	expect 0 dossier audit --ledger # beside a writer that has not come to its end
	expect 0 dossier issue d.md --to b
	same "" "$stderr"
	wait
	same 2 "$(entries)"
	# kb-behaviour 43: no WAL, which a network file system would not bear
	same delete "$(sql 'PRAGMA journal_mode')"
}

# kb-behaviour 38
@test "ledger: readers and writers side by side lose nothing and are not told of locks" {
	expect 0 env SECONDS_TO_RUN=3 READERS=4 WRITERS=2 DOSSIER="$DOSSIER" bash "$REPO/tests/ledger/crowd"
}

@test "ledger: a process killed at any write, flush, rename or unlink leaves the old or the new state" {
	strace -o /dev/null true 2> /dev/null || skip "strace cannot run here"
	draft > d.md
	expect 0 env DOSSIER="$DOSSIER" bash "$REPO/tests/ledger/kills" d.md
	echo "# $output" >&3
}

@test "ledger: a full disk leaves nothing half-done" {
	draft > d.md
	dossier issue d.md --to a -r r.yaml
	local before size
	before=$(sha256sum < "$LEDGER")
	# a limit on the size of files: each write beyond it fails
	for size in 0 1 4; do
		run --separate-stderr bash -c "ulimit -f $size; exec '$DOSSIER' issue d.md --to b -r r2.yaml"
		same 4 "$status"
		same 1 "$(wc -l <<< "$stderr")"
		same "$before" "$(sha256sum < "$LEDGER")"
		[ ! -e r2.yaml ]
		nothing < <(find . -name '.dossier-*' -o -name '*-journal')
	done
	expect 4 dossier issue d.md --to b -r /dev/full
	holds "entry 2" "$stderr"
	expect 0 dossier audit --ledger --receipt r.yaml
	mkdir small
	mount -t tmpfs -o size=32k tmpfs small 2> /dev/null || skip "no small disk can be mounted here"
	for n in $(seq 100); do
		run --separate-stderr dossier --ledger small/l.db issue d.md --to "$n" -r "s$n.yaml"
		[ "$status" -eq 0 ] || break
	done
	local last=$status text=$stderr state
	state=$(dossier audit --ledger small/l.db --receipt s*.yaml 2>&1) || state="failed: $state"
	umount small
	same 4 "$last"
	same 1 "$(wc -l <<< "$text")"
	holds "the disk is full" "$text"
	holds "$((n - 1)) entries" "$state"
}

@test "ledger: a folder that is read-only: one line and status 4, and it can still be read" {
	draft > d.md
	mkdir shut
	dossier --ledger shut/l.db issue d.md --to a -r r.yaml
	chmod 500 shut
	as_user() { "$DOSSIER" "$@"; }
	if [ "$(id -u)" -eq 0 ]; then
		mount --bind -o ro shut shut 2> /dev/null && mount -o remount,bind,ro shut 2> /dev/null || skip "root may write anywhere"
	fi
	run --separate-stderr as_user --ledger shut/l.db issue d.md --to b
	local wrote=$status text=$stderr read
	read=$(as_user audit --ledger shut/l.db --receipt r.yaml 2>&1) || read="failed: $read"
	run --separate-stderr as_user --ledger shut/new.db issue d.md --to b
	local made=$status
	if [ "$(id -u)" -eq 0 ]; then umount shut; fi
	chmod 700 shut
	same 4 "$wrote"
	same 1 "$(wc -l <<< "$text")"
	holds "shut/l.db" "$text"
	holds "1 entry" "$read"
	same 4 "$made"
	same l.db "$(ls shut)"
}

@test "ledger: a file that is no ledger, is damaged or newer: one line, status 3, and it stays as it is" {
	local before
	draft > d.md
	for n in $(seq 30); do dossier issue d.md --to "$n" -r r.yaml > /dev/null; done
	cp "$LEDGER" good.db
	refused() { # refused WORDS
		before=$(sha256sum < bad.db)
		expect 3 dossier --ledger bad.db issue d.md --to x
		same 1 "$(wc -l <<< "$stderr")"
		line "bad.db: " "$stderr"
		holds "$1" "$stderr"
		same "" "$output"
		same "$before" "$(sha256sum < bad.db)"
		expect 3 dossier audit --ledger bad.db
		same 1 "$(wc -l <<< "$stderr")"
		expect 3 dossier audit --ledger bad.db --issued
		nothing < <(find . -name '*-journal')
	}
	cp good.db bad.db; sqlite3 bad.db 'PRAGMA user_version = 2'; refused "found version 2: a newer dossier wrote it"
	cp "$IMAGES/kb.db" bad.db; chmod 600 bad.db; refused "found another database"
	head -c 3000 good.db > bad.db; refused "damaged"
	head -c $(($(stat -c %s good.db) - 4096)) good.db > bad.db; refused "damaged"
	cp d.md bad.db; refused "no database"
	head -c 20000 /dev/zero > bad.db; refused ""
	cp good.db bad.db; printf 'garbage garbage' | dd of=bad.db conv=notrunc status=none; refused "no database"
	cp good.db bad.db; head -c 8192 /dev/zero | dd of=bad.db bs=4096 seek=1 conv=notrunc status=none
	expect 3 dossier audit --ledger bad.db
	holds "damaged" "$stderr"
	mkdir folder.db
	expect 4 dossier --ledger folder.db issue d.md --to x
	expect 0 dossier audit --ledger
}

# Of a page that is cut in the middle SQLite reads what is missing as zeros: the same row again and again.
@test "ledger: a file that was cut within its entries is damaged, and is not read for ever" {
	draft > d.md
	for n in 1 2 3; do dossier issue d.md --to "$n" -r r.yaml > /dev/null; done
	same 8192 "$(stat -c %s "$LEDGER")"
	head -c 5000 "$LEDGER" > bad.db
	for c in "audit --ledger bad.db" "audit --ledger bad.db --issued" "audit --ledger bad.db --receipt r.yaml" "--ledger bad.db issue --reprint 1" "--ledger bad.db issue --reprint d.md"; do
		expect 3 timeout 20 "$DOSSIER" $c
		same "bad.db: the ledger cannot be read: it is damaged: its entries are in no order" "$stderr"
	done
	expect 3 timeout 20 "$DOSSIER" --ledger bad.db issue d.md --to x
	same 1 "$(wc -l <<< "$stderr")"
}

@test "ledger: a list of what was issued says where the chain does not hold" {
	draft > d.md
	for n in 1 2; do dossier issue d.md --to "$n" -r r.yaml > /dev/null; done
	expect 0 dossier audit --issued
	sql "DROP TRIGGER entry_is_not_changed; UPDATE entry SET body = replace(body, '\"to\":\"2\"', '\"to\":\"9\"') WHERE seq = 2"
	expect 1 dossier audit --issued --format json
	same 2 "$(jq '.items | length' <<< "$output")"
	same "dossier: entry 2 of the ledger: it was changed after it was written; \`dossier audit --ledger\` says more" "$stderr"
}

@test "ledger: an issued draft is sendable, expired, stale or recalled, and why" {
	sourced_kb
	sourced_draft > d.md
	expect 0 dossier --kb kb issue d.md --to a --date 2026-12-01 -r r.yaml
	same "2027-11-29" "$(field sendable_until r.yaml)"
	same claim-x "$(uses 1 claim)"
	same src-x.share "$(uses 1 finding)"
	state sendable "to be reviewed by then" -- --kb kb
	same 2027-11-29 "$(dossier --kb kb audit --issued --format json | jq -r '.items[0].until')"
	expect 0 dossier --kb kb audit --issued --today 2027-11-29
	expect 1 dossier --kb kb audit --issued --today 2027-11-30
	holds "expired" "$output"
	# reviewed again: nothing of the finding has changed but the day
	sed -i 's/^review_by: .*/review_by: 2028-11-29/' kb/evidence/documents/src-x.yaml
	expect 0 dossier --kb kb audit --issued --today 2027-11-30
	# the claim says something else
	sed -i 's/A plain statement/Another plain statement/' kb/claims/sourced/claim-x.yaml
	state stale "claim claim-x has changed" -- --kb kb
	expect 1 dossier --kb kb audit --issued
	a_claim claim-x src-x
	# its evidence says something else
	sed -i 's/On one machine/On two machines/' kb/evidence/documents/src-x.yaml
	state stale "finding src-x.share has changed" -- --kb kb
	a_source src-x
	state sendable "" -- --kb kb
	# the claim is gone
	rm kb/claims/sourced/claim-x.yaml
	state recalled "claim claim-x was withdrawn" -- --kb kb
	# and so is the finding: it went under review
	sed -i '0,/status: verified/s//status: under-review/' kb/evidence/documents/src-x.yaml
	state recalled "finding src-x.share was withdrawn" -- --kb kb
	# without the folder that it was issued with it says so
	state recalled "issued with --kb $T/kb" --
}

@test "ledger: a claim that went back to quarantine recalls what used it" {
	a_source src-x
	put claims/quarantine/q-77.yaml <<- END
	id: q-77
	archetypes: [neocloud]
	because: [neocloud.metrics.gpu-hour-revenue]
	statement: {en: "Robots dream of electric sheep every night.", ko: "로봇은 밤마다 전기양의 꿈을 꿉니다."}
	conditions: {en: "On one machine.", ko: "한 대의 기기입니다."}
	circulates: {en: "A talk.", ko: "발표."}
	searched:
	- where: "the web"
	  query: "robots"
	  on: 2026-11-29
	  outcome: {en: "Nothing.", ko: "없음."}
	not_enough: {en: "Nothing.", ko: "없음."}
	would_release: {en: "A measurement.", ko: "측정."}
	say_instead: claim-kv-share-by-workload
	END
	{ draft; printf '\nRobots dream of electric sheep, every night.\n'; } > d.md
	decide() { dossier --kb kb claim "$@" --by me --date 2026-12-01 --reason "so"; }
	expect 1 dossier --kb kb issue d.md --to a
	holds "q-77" "$output"
	lacks "electric" "$output$stderr"
	decide release q-77 --evidence src-x.said
	expect 0 dossier --kb kb issue d.md --to a -r r.yaml
	same q-77 "$(uses 1 claim)"
	same "2027-11-29" "$(field sendable_until r.yaml)"
	state sendable "" -- --kb kb
	decide quarantine q-77
	state recalled "claim q-77 is in quarantine" -- --kb kb
	expect 1 dossier --kb kb audit --issued
	lacks "electric" "$output"
	decide release q-77 --evidence src-x.said
	decide retract q-77
	state recalled "claim q-77" -- --kb kb
}

@test "ledger: a profile that changed makes a draft stale" {
	a_source src-x
	an_accelerator chip-x src-x
	a_customer acme neocloud | sed 's/accelerator: h200/accelerator: chip-x/' > c.yaml
	dossier --kb kb propose c.yaml -o d.md
	expect 0 dossier --kb kb issue d.md --to a -r r.yaml
	same chip-x "$(uses 1 accelerator)"
	state sendable "" -- --kb kb
	sed -i 's/printed: 200 GB/printed: 210 GB/' kb/evidence/accelerators/chip-x.yaml
	state stale "accelerator chip-x has changed" -- --kb kb
	rm kb/evidence/accelerators/chip-x.yaml
	state stale "accelerator chip-x is no longer there" -- --kb kb
}

@test "ledger: checking it changes nothing, and no other output knows of it" {
	local before command
	a_customer acme neocloud > c.yaml
	a_customer zeta-secret neocloud | sed -e 's/concurrency: 64/concurrency: 61/' -e 's/sessions: 400/sessions: 7919/' > z.yaml
	for command in "propose c.yaml" "brief c.yaml" "list claims" "audit --format json" "search memory"; do
		dossier $command || true # shellcheck disable=SC2086
	done > without
	dossier propose z.yaml -o z.md
	dossier issue z.md --to "Zeta Secret" -r z.receipt
	before=$(tree_hash "$XDG_STATE_HOME")
	for command in "propose c.yaml" "brief c.yaml" "list claims" "audit --format json" "search memory"; do
		dossier $command || true
	done > with
	cmp without with
	dossier audit --ledger > /dev/null
	dossier audit --issued > /dev/null
	same "$before" "$(tree_hash "$XDG_STATE_HOME")"
	# what goes out with another customer's draft has nothing of this one
	dossier propose c.yaml -o c.md
	dossier issue c.md --to Acme > c.receipt
	grep -i -e zeta -e 7919 c.md c.receipt | nothing
}

@test "ledger: a lost receipt is written again as it was, by the number of its entry or by the draft" {
	local n before
	expect 3 dossier issue --reprint 1
	holds "nothing was issued" "$stderr"
	[ ! -e "$XDG_STATE_HOME" ]
	sourced_kb
	draft > 1.md # rests on nothing: no day until which it is good
	sourced_draft > 2.md
	a_customer acme neocloud > c.yaml
	dossier propose c.yaml --lang ko -o 3.md
	dossier issue 1.md --to "null" --by "- a: b # c" > 1.yaml
	dossier --kb kb issue 2.md --to "에이컴 \"Acme\" 김" -r 2.yaml > /dev/null
	dossier issue 3.md --to 007 --by "yes" --date 2026-12-02 > 3.yaml
	dossier issue 1.md --to Lee > 4.yaml
	before=$(tree_hash "$XDG_STATE_HOME")
	for n in 1 2 3 4; do
		dossier issue --reprint $n | cmp $n.yaml -
	done
	dossier issue --reprint 2.md | cmp 2.yaml -
	dossier issue --reprint - < 3.md | cmp 3.yaml -
	(umask 0; dossier issue --reprint 3.md -r again.yaml)
	cmp 3.yaml again.yaml
	same 600 "$(stat -c %a again.yaml)"
	expect 0 dossier audit --ledger --receipt again.yaml
	# the one that was sent twice is asked after
	expect 3 dossier issue --reprint 1.md
	holds "found entries 1 ($(field date 1.yaml), to null), 4 ($(field date 4.yaml), to Lee): give a number" "$stderr"
	echo >> 2.md
	expect 3 dossier issue --reprint 2.md
	holds "found none of this content" "$stderr"
	expect 3 dossier issue --reprint 5
	holds "an entry of the ledger, 1 to 4, found 5" "$stderr"
	cp 3.md 7 # a file all the same
	dossier issue --reprint ./7 | cmp 3.yaml -
	for n in 0 00 9999999999999999999; do expect 2 dossier issue --reprint $n; done
	expect 3 dossier issue --reprint none.md
	for n in --to --by --date; do expect 2 dossier issue --reprint 1 $n 2026-12-01; done
	same "$before" "$(tree_hash "$XDG_STATE_HOME")"
}

@test "ledger: a receipt is not written again for what was changed, nor for what follows it" {
	local n
	for n in 1 2 3; do
		draft > $n.md
		dossier issue $n.md --to $n > $n.yaml
	done
	sql "DROP TRIGGER entry_is_not_changed; UPDATE entry SET body = replace(body, '\"to\":\"2\"', '\"to\":\"5\"') WHERE seq = 2"
	dossier issue --reprint 1 | cmp 1.yaml -
	for n in 2 3; do
		expect 3 dossier issue --reprint $n
		same "" "$output"
		holds "entry 2 of the ledger does not fit: it was changed after it was written; no receipt is written for entry $n" "$stderr"
	done
	sql "UPDATE entry SET body = 'no JSON' WHERE seq = 2" # which is nothing to the one before it
	dossier issue --reprint 1 | cmp 1.yaml -
	expect 3 dossier issue --reprint 2
	holds "it was changed after it was written" "$stderr"
}

@test "ledger: where the receipt could not be written, the message says how to write it again" {
	draft > d.md
	expect 4 dossier issue d.md --to a -r /dev/full
	holds "the draft is issued, as entry 1; \`dossier issue --reprint 1\` writes its receipt again" "$stderr"
	dossier issue --reprint 1 > r.yaml
	expect 0 dossier audit --ledger --receipt r.yaml
	holds "1 entry, head $(field head r.yaml)" "$output"
	expect 4 dossier issue --reprint 1 -r /dev/full
	expect 4 dossier issue --reprint 1 -r nowhere/r.yaml
}

@test "ledger: a draft is held against the recorded sizing, and the entry says against which" {
	local size=(dossier size --model deepseek-v3 --accelerator h200 --weights fp8 --prompt 120K --output 8K --concurrency 64 --sessions 400 --format json)
	a_customer acme neocloud > c.yaml
	dossier propose c.yaml -o d.md
	"${size[@]}" --kv bf16 > run.json
	"${size[@]}" --kv fp8 > later.json
	expect 1 dossier issue d.md --to a --sizing chat=later.json
	line "d.md:$(grep -n '^\[chat.kv.bytes\]:' d.md | cut -d: -f1):1: sizing-differs the recorded sizing says 294742130688 B for chat.kv.bytes" "$output"
	holds "not issued" "$stderr"
	expect 1 dossier issue d.md --to a --sizing chat=run.json --sizing chat=later.json
	# a run that is held against nothing is a slip
	expect 3 dossier issue d.md --to a --sizing chat=run.json --sizing chats=run.json
	holds "--sizing: expected a workload of the draft, found \`chats\`" "$stderr"
	expect 3 dossier issue d.md --to a --sizing chat=missing.json
	expect 2 dossier issue d.md --to a --sizing run.json
	expect 2 dossier issue --reprint 1 --sizing chat=run.json
	[ ! -e "$LEDGER" ]
	expect 0 dossier issue d.md --to a --sizing chat=run.json
	same "chat $(sha256sum < run.json | cut -d' ' -f1)" "$(sql "SELECT (r.value ->> 'workload') || ' ' || (r.value ->> 'content') FROM entry, json_each(body, '\$.runs') r")"
	expect 0 dossier issue d.md --to b
	same "" "$(sql "SELECT body ->> 'runs' FROM entry WHERE seq = 2")"
	# somebody edited a figure and its definition alike: only the run tells
	sed -e 's/\[589\.5 GB\]\[chat\.kv\.bytes\]/[489.5 GB][chat.kv.bytes]/g' -e 's/^\(\[chat.kv.bytes\]: #s[0-9]* "\)589484261376 B/\1489484261376 B/' d.md > edited.md
	run ! cmp -s d.md edited.md
	expect 0 dossier issue edited.md --to a
	expect 1 dossier issue edited.md --to a --sizing chat=run.json
	holds "589484261376 B for chat.kv.bytes" "$output"
}
