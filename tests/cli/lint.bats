# Drafts read back from the command line: statuses, formats, standard input, several files, hooks.

load common

setup() { common_setup; G=$REPO/tests/golden/expected; }

# The line of the first figure that is wrong in it; it stands in column 32, behind a label.
at() { changed | grep -n -m1 -F '[590 GB]' | cut -d: -f1; }

changed() { sed 's/\[589\.5 GB\]/[590 GB]/' "$G/neocloud.en.md"; }

@test "lint: what propose and brief write is clean, in both languages and for both audiences" {
	# shellcheck disable=SC2046 # our own names, without blanks; listings in Markdown are no drafts
	expect 0 dossier lint $(grep -l '^format: dossier.draft/1' "$G"/*.md)
	same "" "$output"
	a_customer fresh neocloud > c.yaml
	for l in en ko; do
		dossier propose c.yaml --lang $l -o $l.md
		dossier propose c.yaml --lang $l --audience internal -o $l.INTERNAL.md
		dossier brief c.yaml --lang $l -o $l.brief.INTERNAL.md
	done
	expect 0 dossier lint ./*.md
}

@test "lint: names with digits that only the customer file has are no figures" {
	a_customer own neocloud | sed -e 's/Customer Own/Cloud 54/' -e 's/^  accelerator: h200$/  accelerator: {name: Board 96 GB, class: edge, memory: {kind: LPDDR5, printed: 96 GB, bandwidth: 800 GB\/s, shared: yes}, dense_peak: {fp8: 500 TOP\/s}}/' \
		-e 's/^  model: deepseek-v3/  model: qwen3-14b/' -e 's/^  concurrency: 64/  concurrency: 2\n  memory_available: 80 GB/' > c.yaml
	expect 0 dossier propose c.yaml -o draft.md
	holds 'names: ["Cloud 54", "Board 96 GB"]' "$(cat draft.md)"
	expect 0 dossier lint draft.md
	sed '/^names:/d' draft.md > bare.md
	expect 1 dossier lint bare.md
	holds "uncited-figure 96 GB" "$output"
}

@test "lint: file:line:column: CODE message, status 1; a place counts code points" {
	changed > draft.md
	expect 1 dossier lint draft.md
	line "draft.md:$(at):32: figure-differs 590 GB" "$output"
	printf -- '---\narchetype: neocloud\naudience: customer\n---\n\n한국어 **메모리** 45 GB\n' > ko.md
	expect 1 dossier lint ko.md
	line "ko.md:6:13: uncited-figure 45 GB" "$output"
}

@test "lint: standard input, with a name for editors, CRLF and a byte order mark" {
	changed > draft.md
	expect 1 dossier lint --name docs/x.md < draft.md
	line "docs/x.md:$(at):32: figure-differs" "$output"
	expect 1 dossier lint - < draft.md
	line "<stdin>:$(at):32: figure-differs" "$output"
	{ printf '\357\273\277'; sed 's/$/\r/' draft.md; } > crlf.md
	expect 1 dossier lint crlf.md
	line "crlf.md:$(at):32: figure-differs" "$output"
}

# kb-behaviour 17
@test "lint: letters written in parts are read as the letters they are, and told at the first" {
	nfd() { perl -CSDA -MUnicode::Normalize -pe '$_ = NFD($_)'; }
	nfd < "$G/neocloud.ko.md" > draft.md
	expect 1 dossier lint draft.md
	same 1 "$(wc -l <<< "$output")"
	line "draft.md:$(perl -CSDA -ne '/[\x{1100}-\x{11ff}]/ && print("$.:", $-[0] + 1) && exit' draft.md): decomposed" "$output"
	holds "normalise the file to NFC" "$output"
	sed -i 's/\[589\.5 GB\]/[590 GB]/' draft.md
	expect 1 dossier lint draft.md
	grep -n -F '[590 GB]' draft.md | perl -CSDA -ne '/^(\d+):(.*)/ && print "draft.md:$1:", index($2, "590 GB") + 1, ": figure-differs\n"' > wanted
	[ -s wanted ]
	while read -r place; do line "$place" "$output"; done < wanted
	same "$(($(wc -l < wanted) + 1))" "$(wc -l <<< "$output")"
	# a label and its definition that look the same are the same
	{
		printf -- '---\narchetype: neocloud\naudience: customer\n---\n\nKV는 [5 GB]['
		printf '가.kv' | nfd
		printf '].\n\n## S1\n\n[가.kv]: #s1 "5 GB, calculated"\n'
	} > label.md
	expect 1 dossier lint label.md
	same "label.md:6:12: decomposed letters are written in parts from here on: normalise the file to NFC" "$output"
	printf -- '---\narchetype: neocloud\naudience: customer\n---\n\n## 결재자\n' | nfd > heading.md
	expect 1 dossier lint heading.md
	line "heading.md:6:1: internal-content" "$output"
}

@test "lint: an internal document under a name that does not say so" {
	cp "$G/neocloud.INTERNAL.md" for-us.md
	expect 1 dossier lint for-us.md
	line "for-us.md: internal-unmarked" "$output"
	expect 0 dossier lint - < for-us.md
	expect 1 dossier lint --name for-us.md < for-us.md
	expect 0 dossier lint --name for-us.INTERNAL.md < for-us.md
}

@test "lint: several files; what cannot be read is an error even beside a good one" {
	changed > bad.md
	cp "$G/neocloud.en.md" good.md
	expect 1 dossier lint good.md bad.md
	lacks "good.md" "$output"
	expect 3 dossier lint good.md missing.md bad.md
	holds "missing.md" "$stderr"
	holds "bad.md:$(at):32" "$output"
	printf 'a\377' > latin.md
	expect 3 dossier lint latin.md
	holds "latin.md:1:2" "$stderr"
	expect 2 dossier lint --format xml good.md
	expect 2 dossier lint --no-such good.md
}

@test "lint: json, sarif, csv and a table" {
	changed > draft.md
	expect 1 dossier lint --format json draft.md
	jq -e --argjson l "$(at)" '.format == "dossier.findings/1" and (.items[0] | .code == "figure-differs" and .line == $l and .column == 32)' <<< "$output"
	expect 1 dossier lint --format sarif draft.md
	jq -e '.version == "2.1.0" and (.runs[0] | .columnKind == "unicodeCodePoints" and (.results[0].ruleId == "figure-differs")
		and ([.tool.driver.rules[].id] | index("quarantined-wording") != null))' <<< "$output"
	expect 1 dossier lint --format csv draft.md
	holds "figure-differs" "$output"
	expect 1 dossier lint --format table draft.md
	holds "figure-differs" "$output"
	expect 0 dossier lint --format json "$G/neocloud.en.md"
	jq -e '.items == []' <<< "$output"
}

@test "lint: withheld wording is named by id, with what may be said instead, in no format by its words" {
	local q l f
	for q in 01 02 03 04 05 06 07 08 09 10 11 12 13; do
		for l in en ko; do
			printf -- '---\narchetype: neocloud\naudience: internal\nlanguage: %s\n---\n\nINTERNAL\n\n# INTERNAL\n\n%s\n' $l "$(wording q-$q $l)"
		done > "q-$q.md"
		for f in text json sarif csv table md; do
			expect 1 dossier lint --format $f --name x.INTERNAL.md < "q-$q.md"
			holds "q-$q" "$output"
			holds "claim-" "$output"
			no_wording <<< "$output$stderr"
		done
	done
}

@test "lint: a finding that was withdrawn after the draft was made" {
	a_source report
	{
		printf -- '---\narchetype: neocloud\naudience: customer\n---\n\nThe share is [41%%][report.share].\n\n'
		printf -- '## S1\n\n[report.share]: #s1 "41 %%, published, grade A"\n'
	} > draft.md
	expect 0 dossier --kb kb lint draft.md
	expect 1 dossier lint draft.md # not with the content that it was made of
	line "draft.md:10:1: citation-unknown" "$output"
	sed -i 's/status: verified/status: under-review/' kb/evidence/documents/report.yaml
	expect 1 dossier --kb kb lint draft.md
	line "draft.md:10:1: citation-withdrawn" "$output"
}

@test "lint: against the recorded sizing run" {
	a_customer c neocloud > c.yaml
	dossier propose c.yaml -o draft.md
	dossier size --model deepseek-v3 --accelerator h200 --weights fp8 --kv bf16 --prompt 120K --output 8K --concurrency 64 --sessions 400 --format json > run.json
	expect 0 dossier lint --sizing chat=run.json draft.md
	expect 0 dossier lint --sizing other=run.json draft.md
	dossier size --model deepseek-v3 --accelerator h200 --weights fp8 --kv fp8 --prompt 120K --output 8K --concurrency 64 --sessions 400 --format json > later.json
	expect 1 dossier lint --sizing chat=later.json draft.md
	line "draft.md:$(grep -n '^\[chat.kv.bytes\]:' draft.md | cut -d: -f1):1: sizing-differs" "$output"
	holds "294742130688 B for chat.kv.bytes" "$output" # half of 589,484,261,376
	lacks "for chat.weights.bytes" "$output"
	# given again, and with a comma in a name
	cp later.json a,b=c.json
	cp run.json "a, b.json"
	expect 0 dossier lint --sizing other=later.json --sizing "chat=a, b.json" draft.md
	expect 0 dossier lint --sizing "chat=a, b.json,other=later.json" draft.md
	expect 1 dossier lint --sizing chat=run.json --sizing chat=later.json draft.md
	expect 2 dossier lint --sizing run.json draft.md
	expect 3 dossier lint --sizing chat=missing.json draft.md
	expect 3 dossier lint --sizing chat=<(echo '{}') draft.md
}

# kb-behaviour 53: one source is one number, however often it is cited, and the way back is asked for
@test "lint: where each source is cited, also after somebody has moved its text about" {
	a_source report
	{
		printf -- '---\narchetype: neocloud\naudience: customer\n---\n\n## 첫째\n\nOne [41%%][report.share], two [S3][report.said].\n\n'
		printf '| a | b |\n| --- | --- |\n| 가 | [41%%][report.share] |\n\n## Second\n\n> - Three [41%%](#s3 "41 %%, published, grade A"),\n>   four [S3][report.said]; [5 GB][chat.kv.bytes].\n\n'
		printf '### S1\n\nCalculated for workload chat. From what is known.\n\n### S2\n\nNothing any more.\n\n### S3\n\nA report.\n\n'
		printf '[report.share]: #s3 "41 %%, published, grade A"\n[report.said]: #s3 "finding"\n[chat.kv.bytes]: #s1 "5 GB, calculated"\n'
	} > draft.md
	expect 0 dossier --kb kb lint draft.md
	expect 0 dossier --kb kb lint --citations --format json draft.md
	jq -e '.format == "dossier.list/1" and .kind == "citations" and [.items[].source] == ["S1", "S2", "S3"]' <<< "$output"
	jq -e '.items[2] | .times == 5 and .what == "A report" and .places == ["8:5", "8:30", "12:7", "16:11", "17:10"]
		and .labels == ["report.share", "report.said"] and .headings == ["첫째", "Second"]' <<< "$output"
	jq -e '.items[0] | .times == 1 and .what == "Calculated for workload chat" and .places == ["17:29"]' <<< "$output"
	jq -e '.items[1] | .times == 0 and .places == []' <<< "$output"
	# the second part first, and the sources in another order
	{ sed -n '1,5p' draft.md; sed -n '14,18p' draft.md; sed -n '6,13p' draft.md; sed -n '27,30p' draft.md; sed -n '19,26p' draft.md; sed -n '31,$p' draft.md; } > moved.md
	same "$(sort draft.md)" "$(sort moved.md)"
	expect 0 dossier --kb kb lint moved.md
	expect 0 dossier --kb kb lint --citations --format json - < moved.md
	jq -e '.items[2] | .times == 5 and .what == "A report" and .places == ["8:11", "9:10", "13:5", "13:30", "17:7"] and .headings == ["Second", "첫째"]' <<< "$output"
	expect 0 dossier --kb kb lint --citations --format csv draft.md
	line 'S3,5,A report,첫째; Second,8:5; 8:30; 12:7; 16:11; 17:10' "$(tr -d '\r' <<< "$output")"
	expect 2 dossier lint --citations --format sarif draft.md
	expect 2 dossier lint --citations draft.md moved.md
	expect 3 dossier lint --citations missing.md
	# of a proposal: as many as there are links
	expect 0 dossier lint --citations --format json "$G/neocloud.ko.md"
	same "$(grep -o '\]\[[a-z0-9.-]*[a-z_.-]*\]' "$G/neocloud.ko.md" | wc -l)" "$(jq '[.items[].times] | add' <<< "$output")"
	jq -e 'all(.items[]; .times > 0 and .what != null)' <<< "$output"
}

@test "lint: as a pre-commit hook it stops a commit and writes nothing" {
	git init -q r
	cd r
	git config user.email a@example.org
	git config user.name a
	printf '#!/bin/sh\ngit diff --cached --name-only --diff-filter=AM -z -- "*.md" | xargs -0 -r "%s" lint --\n' "$DOSSIER" > .git/hooks/pre-commit
	chmod +x .git/hooks/pre-commit
	changed > draft.md
	git add draft.md
	expect 1 git commit -q -m draft
	holds "draft.md:$(at):32: figure-differs" "$stderr" # git hands a hook's output on there
	before=$(tree_hash .)
	dossier lint draft.md || true
	same "$before" "$(tree_hash .)"
	cp "$G/neocloud.en.md" draft.md
	git add draft.md
	expect 0 git commit -q -m draft
	nothing < <(git status --porcelain)
}

@test "lint: 12 MB and a line of 1 MB end within seconds" {
	yes 'The tier is sized first and the drives follow from it; KV cache waits below.' | head -c 12000000 > big.md
	expect 1 timeout 60 "$DOSSIER" lint big.md
	yes 'prefill and decode of 5 GB [x][a.b] ' | tr -d '\n' | head -c 1000000 > line.md
	expect 1 timeout 30 "$DOSSIER" lint line.md
	holds "too-many" "$output"
}
