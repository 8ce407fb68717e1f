# kb-behaviour 31: a renamed record, or finding, keeps its former id as an alias, and whatever names it by that stays
# valid: links, command lines, customer files, drafts that went out, decisions. No record but the renamed one is touched.

load common

setup() { common_setup; }

WHO=(--by Kim --date 2026-12-01 --reason "So it is")

rename_file() { # rename_file FOLDER OLD NEW: of kb/, with its id, and the former one as an alias
	sed "s/^id: $2\$/id: $3\naliases: [$2]/" "kb/$1/$2.yaml" > "kb/$1/$3.yaml"
	rm "kb/$1/$2.yaml"
}

rename_finding() { # rename_finding SOURCE OLD NEW
	sed -i "s/^- id: $2\$/- id: $3\n  aliases: [$2]/" "kb/evidence/documents/$1.yaml"
}

small_kb() {
	a_source src-x
	a_claim claim-x src-x
	a_claim claim-y src-x
	sed -i -e 's/plain statement/second sentence/' -e 's/평범한 문장/다른 이야기/' -e '$arests_on: [claim-x]' kb/claims/sourced/claim-y.yaml
	an_accelerator chip-x src-x
}

rename_all() {
	rename_file evidence/documents src-x src-new
	rename_finding src-new share portion
	rename_file claims/sourced claim-x claim-new
	rename_file evidence/accelerators chip-x chip-new
}

@test "aliases: every record and finding renamed, and every document is the same" {
	local c command
	mkdir before
	cp -r "$REPO/archetypes" "$REPO/claims" "$REPO/evidence" "$REPO/templates" before
	cp -r before after
	n=$(perl "$REPO/tests/data/rename.pl" after)
	[ "$n" -gt 600 ]
	# without the content that is built in, which has the old ids
	boot() { "$IMAGES/dossier-boot" --ledger ledger.db --kb "$@"; }
	for kb in before after; do expect 0 "$IMAGES/dossier-boot" load --alone $kb -o $kb.db; done
	for c in "$REPO"/tests/golden/*.yaml; do
		for command in "propose --lang ko" "propose --audience internal" "brief" "advise --format json"; do
			# shellcheck disable=SC2086
			boot before.db $command "$c" > before.out
			# shellcheck disable=SC2086
			boot after.db $command "$c" | sed 's/renamed-//g' > after.out
			cmp <(sort before.out) <(sort after.out) # the definitions stand in the order of their labels
			[ "$(wc -l < before.out)" -gt 50 ]
		done
		name=$(basename "$c" .yaml)
		boot before.db propose "$c" > "$name.md"
		expect 0 boot after.db lint "$name.md"
		expect 0 boot before.db issue "$name.md" --to Kim
	done
	boot after.db audit --issued --format json --today 2026-12-01 > issued.json || true
	jq -e '.items | length == 5 and all(.[]; .state == "sendable")' issued.json
	for kb in before after; do boot $kb.db audit --all --format csv --today 2026-12-01 | sed 's/renamed-//g' | cut -d, -f1-4,7- | sort > $kb.csv; done
	cmp before.csv after.csv
	[ "$(wc -l < before.csv)" -gt 100 ]
}

@test "aliases: each command takes a former id, and shows the present one" {
	small_kb
	cp -r kb old
	rename_all
	expect 0 dossier load kb
	for id in src-x src-x.share src-x.portion src-new.share SRC-X; do
		expect 0 dossier --kb kb show $id
		line "id: src-new" "$output"
	done
	expect 0 dossier --kb kb show claim-y --format json
	same '["claim-new"]' "$(jq -c .rests_on <<< "$output")"
	same 'src-new.portion src-new.said src-new.portion' "$(jq -r '.figures.share.finding, .evidence[].finding' <<< "$output" | xargs)"
	same src-new.portion "$(dossier --kb kb show chip-x --format json | jq -r .sources.memory)"
	same "$(dossier --kb old show src-x | grep -c 'src-x\.')" "$(dossier --kb kb show src-x | grep -c 'src-new\.')" # who uses it
	expect 0 dossier --kb kb search claim-x
	holds claim-new "$output"
	dossier --kb kb size -m qwen3-14b -a chip-x --weights fp8 --kv bf16 -c 8K -n 1 --format json | jq -e '.weights.bytes.value > 0'
	expect 0 dossier --kb kb query "SELECT count(*) AS n FROM evidence WHERE finding LIKE 'src-x%'" --format csv
	same "n 0" "$(tr -d '\r' <<< "$output" | xargs)"
	same "$(dossier --kb old audit --format json --today 2026-12-01 | jq -c '[.items[].code]')" "$(dossier --kb kb audit --format json --today 2026-12-01 | jq -c '[.items[].code]')"
	expect 3 dossier --kb kb show src-x.nothing
}

@test "aliases: a review holds, and evidence that is withdrawn is withdrawn by every name" {
	a_source src-x
	a_claim claim-x src-x
	print() { dossier --kb kb audit --fingerprints --format json | jq -r '.items[] | select(.id == "claim-x") | .paste'; }
	paste=$(print | head -1)
	sed -i "s/^- {finding: src-x.\(said\|share\), relation: supports}/- {finding: src-x.\1, relation: supports, ${paste/NAME/Kim}}/" kb/claims/sourced/claim-x.yaml
	sed -i "s/\(src-x.share, .*\)fingerprint: \"[0-9a-f]*\"/\1fingerprint: \"$(print | sed -n '2s/.*fingerprint: "\(.*\)".*/\1/p')\"/" kb/claims/sourced/claim-x.yaml
	suspect() { dossier --kb kb audit --format json --today 2026-12-01 | jq -r '[.items[] | select(.code == "suspect-link")] | length'; }
	same 0 "$(suspect)"
	rename_file evidence/documents src-x src-new
	rename_finding src-new share portion
	same 0 "$(suspect)"
	sed -i 's/^grade: A/grade: B/' kb/evidence/documents/src-new.yaml
	same 2 "$(suspect)"
	sed -i '/aliases: \[share\]/,/status/s/status: verified/status: withdrawn/' kb/evidence/documents/src-new.yaml
	expect 1 dossier --kb kb audit --format text --today 2026-12-01
	holds 'claims/sourced/claim-x.yaml:8:33: lost-evidence' "$output"
	run ! dossier --kb kb show claim-x
}

@test "aliases: drafts with former labels are linted and issued, and recalled by what they are now" {
	small_kb
	printf -- '---\nformat: dossier.draft/1\ncustomer: acme\narchetype: neocloud\naudience: customer\nlanguage: en\n---\n\nA plain statement about [41%%][src-x.share] of something.\n\n### S1\n\nA report.\n\n[src-x.share]: #s1 "41 %%, published, grade A"\n' > d.md
	expect 0 dossier --kb kb issue d.md --to Kim
	rename_all
	expect 0 dossier --kb kb lint d.md
	sed 's/"41 %/"42 %/; s/\[41%/[42%/' d.md > wrong.md
	expect 1 dossier --kb kb lint wrong.md
	line "wrong.md:15:1: figure-differs src-new.portion says 41 %" "$output"
	expect 0 dossier --kb kb issue d.md --to Lee
	state() { dossier --kb kb audit --issued --format json --today 2026-12-01 | jq -r '[.items[].state] | join(" ")'; }
	same "sendable sendable" "$(state)"
	uses() { sqlite3 "$XDG_STATE_HOME/dossier/ledger.db" "SELECT group_concat(json_extract(u.value, '\$.id'), ' ') FROM entry, json_each(body, '\$.uses') u WHERE seq = $1"; }
	same "src-x.share claim-x" "$(uses 1)"
	same "src-new.portion claim-new" "$(uses 2)"
	expect 0 dossier --kb kb claim quarantine claim-x "${WHO[@]}"
	same "recalled recalled" "$(state)"
	dossier --kb kb audit --issued --format json --today 2026-12-01 | jq -e '.items[0].why | contains("claim claim-x is in quarantine")'
}

@test "aliases: a decision stays one about the claim, whatever is renamed" {
	a_source src-x
	a_claim claim-x src-x
	local before
	expect 0 dossier --kb kb claim quarantine claim-x "${WHO[@]}"
	expect 0 dossier --kb kb claim release claim-x --evidence src-x.said,src-x.share "${WHO[@]}"
	audited() { dossier "$@" audit --format json --today 2026-12-01 | jq -r '.items[] | select(.id | startswith("claim-n") or startswith("claim-x")) | select(.severity != "note") | .code'; }
	same "" "$(audited --kb kb)"
	rename_file evidence/documents src-x src-new
	rename_finding src-new share portion
	rename_file claims/sourced claim-x claim-new
	same "" "$(audited --kb kb)"
	expect 0 dossier --kb kb show claim-new
	expect 0 dossier --kb kb claim history claim-x --format json
	same "quarantine release" "$(jq -r '[.items[].decision] | join(" ")' <<< "$output")"
	# also from a database, and where something is laid over that
	dossier load kb -o kb.db
	KB=over a_source src-over
	same "" "$(audited --kb kb.db --kb over)"
	# with its file of decisions renamed, too; but not in two files
	cp kb/claims/decisions/claim-x.yaml kb/claims/decisions/claim-new.yaml
	expect 3 dossier load kb
	line 'claims/decisions/claim-x.yaml:1:1: expected the decisions about `claim-new` in one file' "$stderr"
	rm kb/claims/decisions/claim-x.yaml
	same "" "$(audited --kb kb)"
	mv kb/claims/decisions/claim-new.yaml kb/claims/decisions/claim-x.yaml
	# decided about by its former name: in the file that is there, and the evidence that it has is not put in twice
	expect 0 dossier --kb kb claim quarantine claim-x "${WHO[@]}"
	expect 0 dossier --kb kb claim release CLAIM-X --evidence src-x.share,src-new.portion,src-x.said "${WHO[@]}"
	[ ! -e kb/claims/decisions/claim-new.yaml ]
	same 2 "$(grep -c 'finding: src-x' kb/claims/sourced/claim-new.yaml | xargs -I{} expr {} - 1)" # one is the figure's
	same "src-new.portion src-new.said" "$(tail -12 kb/claims/decisions/claim-x.yaml | sed -n 's/.*finding: \([a-z.-]*\).*/\1/p' | xargs)"
	same "" "$(audited --kb kb)"
	# another text under a former name is not what was decided about
	sed -i 's/plain statement/bold statement/' kb/claims/sourced/claim-new.yaml
	same "changed-claim" "$(audited --kb kb)"
}

@test "aliases: a claim that was in quarantine under another id needs its decision" {
	small_kb
	sed -i 's/^id: claim-x/&\naliases: [q-77]/' kb/claims/sourced/claim-x.yaml
	expect 1 dossier --kb kb audit --format text --today 2026-12-01
	line "claims/sourced/claim-x.yaml:1:5: undecided" "$output"
	sed -i 's/q-77/q-05/' kb/claims/sourced/claim-x.yaml
	expect 3 dossier load kb
	line 'claims/sourced/claim-x.yaml:2:11: `q-05` is taken: it is the id of claims/quarantine/q-05.yaml' "$stderr"
	sed -i '/^aliases/d' kb/claims/sourced/claim-x.yaml
	sed -i 's/^name: .*/&\naliases: [q-77]/' kb/evidence/accelerators/chip-x.yaml
	expect 3 dossier load kb
	line 'evidence/accelerators/chip-x.yaml:3:11: `q-77` is an id of the quarantine' "$stderr"
}

@test "aliases: one name for one thing, over all kinds, whatever its case" {
	small_kb
	sed -i 's/^id: src-x/&\naliases: [Claim-X, own, own]/' kb/evidence/documents/src-x.yaml
	sed -i 's/^id: claim-y/&\naliases: [OWN, "not an id", h200]/' kb/claims/sourced/claim-y.yaml
	sed -i 's/^- id: said/&\n  aliases: [share, Said]/' kb/evidence/documents/src-x.yaml
	expect 3 dossier load kb
	line 'claims/sourced/claim-y.yaml:2:16: expected an id of letters, digits, - and ., found `not an id`' "$stderr"
	line 'evidence/documents/src-x.yaml:2:25: `own` stands twice in this list' "$stderr"
	line 'evidence/documents/src-x.yaml:20:13: `share` stands twice in this list (first in line 13)' "$stderr"
	line 'evidence/documents/src-x.yaml:20:20: expected an id of small letters' "$stderr"
	sed -i 's/, own\]/]/; /share, Said/d' kb/evidence/documents/src-x.yaml
	sed -i 's/, "not an id"//' kb/claims/sourced/claim-y.yaml
	expect 3 dossier load kb
	line 'evidence/documents/src-x.yaml:2:11: `claim-x` is taken: it is the id of claims/sourced/claim-x.yaml:1:5' "$stderr"
	line 'claims/sourced/claim-y.yaml:2:16: `h200` is taken: it is an alias of evidence/accelerators/nvidia-h200-sxm.yaml' "$stderr"
	same 1 "$(grep -c '`own` is taken' <<< "$stderr")"
}

@test "aliases: one thing under two names in one list is a fault, wherever such a list may stand" {
	small_kb
	rename_all
	sed -i -e 's/rests_on: .*/rests_on: [claim-x, claim-new]/' -e 's/^because: .*/because: [neocloud.metrics.gpu-hour-revenue, emerging-cloud.metrics.gpu-hour-revenue]/' -e 's/^archetypes: .*/archetypes: [neocloud, Emerging-Cloud]/' kb/claims/sourced/claim-y.yaml
	sed -i 's/^  status: verified/&\n  about: [h200, nvidia-h200-sxm]/' kb/evidence/documents/src-new.yaml
	mkdir -p kb/archetypes
	sed -e '0,/^  levers: \[/s//&KV-FP8, kv-fp8, /' -e '0,/evidenced: \[/s//&src-x.share, src-new.portion, /' "$REPO/archetypes/neocloud.yaml" > kb/archetypes/neocloud.yaml
	expect 3 dossier load kb
	line 'claims/sourced/claim-y.yaml:13:21: `claim-new` is `claim-new`, which stands in this list' "$stderr"
	line 'claims/sourced/claim-y.yaml:3:46: `emerging-cloud.metrics.gpu-hour-revenue` is `neocloud.metrics.gpu-hour-revenue`, which' "$stderr"
	line 'claims/sourced/claim-y.yaml:2:24: `Emerging-Cloud` is `neocloud`, which' "$stderr"
	same 2 "$(grep -c '`nvidia-h200-sxm` is `nvidia-h200-sxm`, which' <<< "$stderr")"
	holds '`kv-fp8` is `kv-fp8`, which stands in this list' "$stderr"
	holds '`src-new.portion` is `src-new.portion`, which stands in this list' "$stderr"
	# apart they are fine, and mean the same
	sed -i -e 's/rests_on: .*/rests_on: [CLAIM-X]/' -e 's/^because: .*/because: [emerging-cloud.metrics.gpu-hour-revenue]/' -e 's/^archetypes: .*/archetypes: [Emerging-Cloud]/' kb/claims/sourced/claim-y.yaml
	sed -i '/^  about:/d' kb/evidence/documents/src-new.yaml
	sed -e '0,/^  levers: \[/s//&KV-FP8, /' -e '0,/kv-fp8, /s///' "$REPO/archetypes/neocloud.yaml" > kb/archetypes/neocloud.yaml
	expect 0 dossier load kb
	a_customer acme neocloud > c.yaml
	dossier --kb kb propose c.yaml -o d.md
	expect 0 dossier --kb kb lint d.md
	expect 0 dossier --kb kb query "SELECT count(*) AS n FROM because WHERE structure = 'neocloud.metrics.gpu-hour-revenue' AND record = 'claim-y'" --format csv
	same "n 1" "$(tr -d '\r' <<< "$output" | xargs)"
}
