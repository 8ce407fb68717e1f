# `dossier audit`: what lacks a source, or will soon. Each code is brought about by a small folder of its own.
load common

setup() { common_setup; }

DAY=2026-12-01

# The findings of a code as "ID PLACE SEVERITY", in a folder kb/ over the default content.
found() { # found CODE [OPTION...]
	local code=$1
	shift
	"$DOSSIER" --kb kb audit --all --today $DAY --format json "$@" > found.json || [ $? -eq 1 ]
	jq -r --arg c "$code" '.items[] | select(.code == $c) | "\(.id) \(.place) \(.severity)"' found.json
}

an_archetype() { # an_archetype PERL: the shipped neocloud, changed
	mkdir -p kb/archetypes
	perl -0pe "$1" "$REPO/archetypes/neocloud.yaml" > kb/archetypes/neocloud.yaml
	run ! cmp -s "$REPO/archetypes/neocloud.yaml" kb/archetypes/neocloud.yaml
}

@test "audit: the shipped content has no errors, and every place is one in its files" {
	expect 0 dossier audit --today $DAY --strict
	expect 0 dossier audit --today $DAY --all --format json
	jq -e '.format == "dossier.audit/1" and .faults == 0 and .errors == 0 and .date == "2026-12-01"' <<< "$output" > /dev/null
	jq -e '[.archetypes[].positions] == [16, 16, 16, 16, 16]' <<< "$output" > /dev/null
	jq -e '[.items[].place | select(test("^[a-z/]+/[^:]+\\.yaml:[0-9]+:[0-9]+$") | not)] == []' <<< "$output" > /dev/null
	# what stands at the place of a finding's link is that link
	jq -r '.items[] | select(.code == "contradicted" or .code == "press-alone") | "\(.file) \(.line) \(.message)"' <<< "$output" > places
	[ "$(wc -l < places)" -gt 10 ]
	while read -r file line message; do
		finding=$(grep -oE '[a-z0-9-]+\.[a-z0-9-]+[a-z][a-z0-9-]*' <<< "$message" | head -1)
		holds "$finding" "$(sed -n "${line}p" "$REPO/$file")"
	done < places
}

@test "audit: a place in a layer and one in the content below it are both right" {
	a_source src-x
	"$DOSSIER" audit --all --today $DAY --format json | jq -S '[.items[] | {code, id, place}]' > below.json
	"$DOSSIER" --kb kb audit --all --today $DAY --format json | jq -S '[.items[] | select(.file != "evidence/documents/src-x.yaml") | {code, id, place}]' > over.json
	cmp below.json over.json
	same "src-x evidence/documents/src-x.yaml:1:1 note" "$(found unused)"
}

@test "audit: a source past its review date, and what is only as fresh as it" {
	a_source src-x
	a_source src-y
	a_claim claim-x src-x
	a_claim claim-y src-y
	printf 'rests_on: [claim-x]\n' >> kb/claims/sourced/claim-y.yaml
	sed -i 's/^review_by: .*/review_by: 2026-11-30/' kb/evidence/documents/src-x.yaml
	same "src-x evidence/documents/src-x.yaml:7:12 warning" "$(found past-review)"
	# by a figure, the first of its links, and through what it rests on
	same "claim-x claims/sourced/claim-x.yaml:8:10 error
claim-y claims/sourced/claim-y.yaml:1:1 error" "$(found stale)"
	expect 1 dossier --kb kb audit --today $DAY
	# the day itself is still in time
	expect 0 dossier --kb kb audit --today 2026-11-30
	expect 1 dossier --kb kb audit --today 2026-11-30 --as-of $DAY
	# what nothing uses can wait
	rm kb/claims/sourced/*
	same "src-x evidence/documents/src-x.yaml:7:12 note" "$(found past-review)"
	expect 0 dossier --kb kb audit --today $DAY
}

@test "audit: what comes up for review within some days" {
	a_source src-x
	a_claim claim-x src-x
	sed -i 's/^review_by: .*/review_by: 2026-12-31/' kb/evidence/documents/src-x.yaml
	same "" "$(found expiring)"
	same "" "$(found expiring --expiring 29d)"
	same "claim-x claims/sourced/claim-x.yaml:8:10 warning
src-x evidence/documents/src-x.yaml:7:12 warning" "$(found expiring --expiring 30d)"
	expect 0 dossier --kb kb audit --today $DAY --expiring 30
	expect 1 dossier --kb kb audit --today $DAY --expiring 30 --strict
	for n in "" d -1d 30w 1.5d 999999d; do
		expect 2 dossier audit --expiring "$n"
	done
	expect 2 dossier audit --as-of 2026-13-01
}

@test "audit: press alone behind a number" {
	a_source src-x C
	sed -i 's/  value: 41 %/&\n  press_reported: yes/' kb/evidence/documents/src-x.yaml
	a_claim claim-x src-x
	sed -i 's/^figures:/press_reported: yes\n&/' kb/claims/sourced/claim-x.yaml
	same "claim-x claims/sourced/claim-x.yaml:9:10 note" "$(found press-alone | grep claim-x)"
	# a better source that says the same
	a_source src-y
	printf -- '- {finding: src-y.share, relation: supports}\n' > link
	sed -i '/^evidence:/r link' kb/claims/sourced/claim-x.yaml
	same "" "$(found press-alone | grep claim-x)"
}

@test "audit: contradicted, by what is better or where the claim states no conditions" {
	a_source src-x B
	a_source src-y B
	a_claim claim-x src-x
	sed -i 's/^evidence:/&\n- {finding: src-y.said, relation: contradicts}/' kb/claims/sourced/claim-x.yaml
	same "claim-x claims/sourced/claim-x.yaml:10:3 note" "$(found contradicted | grep claim-x)"
	sed -i 's/^grade: B/grade: A/' kb/evidence/documents/src-y.yaml
	same "claim-x claims/sourced/claim-x.yaml:10:3 warning" "$(found contradicted | grep claim-x)"
	sed -i 's/^grade: A/grade: C/' kb/evidence/documents/src-y.yaml
	sed -i -e '/^conditions/d' -e '/^figures/,/share:/d' -e 's/ *${share} */ /' kb/claims/sourced/claim-x.yaml
	same "claim-x claims/sourced/claim-x.yaml:8:3 warning" "$(found contradicted | grep claim-x)"
}

@test "audit: a value outside its conditions, evidence from elsewhere" {
	a_source src-x
	a_claim claim-x src-x
	same "" "$(found outside-conditions)"
	sed -i 's/en: "On one machine\."/en: "On one H100."/' kb/evidence/documents/src-x.yaml
	# the claim names no machine: nothing to compare
	same "" "$(found outside-conditions)"
	sed -i 's/en: "On one machine\."/en: "On two H200 devices."/' kb/claims/sourced/claim-x.yaml
	same "claim-x claims/sourced/claim-x.yaml:8:10 warning" "$(found outside-conditions)"
	jq -e '.items[] | select(.code == "outside-conditions").message | contains("nvidia-h100-sxm") and contains("nvidia-h200-sxm")' found.json > /dev/null
	same "claim-x claims/sourced/claim-x.yaml:11:3 warning" "$(found indirect | grep claim-x)"
	# a word of another is not it
	sed -i 's/H100/GH200/' kb/evidence/documents/src-x.yaml
	same 1 "$(found outside-conditions | wc -l)"
	# one of several is enough
	sed -i 's/GH200/H100 and one H200/' kb/evidence/documents/src-x.yaml
	same "" "$(found outside-conditions)$(found indirect | grep claim-x)"
}

@test "audit: evidence about other buyers, unless the link says why it bears" {
	a_source src-x
	sed -i 's/^  locator: "section four"/&\n  about: [smartphone-maker]/' kb/evidence/documents/src-x.yaml
	a_claim claim-x src-x
	same "claim-x claims/sourced/claim-x.yaml:10:3 warning" "$(found indirect | grep claim-x)"
	jq -e '.items[] | select(.code == "indirect" and .id == "claim-x").message | contains("smartphone-maker") and contains("neocloud")' found.json > /dev/null
	sed -i 's/{finding: src-x.said, relation: supports}/{finding: src-x.said, relation: supports, indirect: {en: "The same part.", ko: "같은 부품입니다."}}/' kb/claims/sourced/claim-x.yaml
	same "claim-x claims/sourced/claim-x.yaml:10:3 note" "$(found indirect | grep claim-x)"
	sed -i 's/about: \[smartphone-maker\]/about: [smartphone-maker, neocloud]/; /indirect/d' kb/evidence/documents/src-x.yaml
	sed -i 's/, indirect: .*/}/' kb/claims/sourced/claim-x.yaml
	same "" "$(found indirect | grep claim-x)"
}

@test "audit: a text quotes a figure and not its conditions" {
	an_archetype 's/nothing/nothing/; s/^summary:/names: [H100]\nsummary:/m'
	same "$(sqlite3 "$IMAGES/kb.db" "SELECT count(*) FROM figure g JOIN finding f ON f.ref = g.finding WHERE g.record = 'neocloud' AND f.conditional")" "$(found conditions-unsaid | grep -c '^neocloud ')"
}

@test "audit: a link is suspect from a change of its evidence until somebody looks again" {
	a_source src-x
	a_claim claim-x src-x
	same "" "$(found suspect-link)"
	same "" "$(found unreviewed-link)"
	same 2 "$(found unreviewed-link --strict | grep -c '^claim-x ')"
	# what --fingerprints prints is what is pasted
	paste=$("$DOSSIER" --kb kb audit --fingerprints --today $DAY --format json | jq -r '.items[] | select(.id == "claim-x" and .finding == "src-x.said").paste')
	holds "on: $DAY" "$paste"
	sed -i "s/{finding: src-x.said, relation: supports}/{finding: src-x.said, relation: supports, ${paste/NAME/Kim}}/" kb/claims/sourced/claim-x.yaml
	same "" "$(found suspect-link)"
	same 1 "$(found unreviewed-link --strict | grep -c '^claim-x ')"
	"$DOSSIER" --kb kb audit --fingerprints --format json | jq -e '[.items[] | select(.id == "claim-x").state] | sort == ["not reviewed", "reviewed"]' > /dev/null
	# the source was read again, or another finding of it changed: nothing to look at
	sed -i -e 's/^accessed: .*/accessed: 2026-11-30/' -e 's/^review_by: .*/review_by: 2028-01-01/' -e 's/"section three"/"section 3"/' kb/evidence/documents/src-x.yaml
	same "" "$(found suspect-link)"
	for change in 's/It is so\./It is otherwise./' 's/^grade: A/grade: B/' 's/"section four"/"appendix"/'; do
		cp kb/evidence/documents/src-x.yaml kept
		sed -i "$change" kb/evidence/documents/src-x.yaml
		same "claim-x claims/sourced/claim-x.yaml:10:3 warning" "$(found suspect-link)"
		cp kept kb/evidence/documents/src-x.yaml
	done
	# a shortened fingerprint proves nothing
	sed -i 's/fingerprint: "\([0-9a-f]\{6\}\)[0-9a-f]*"/fingerprint: "\1"/' kb/claims/sourced/claim-x.yaml
	same 1 "$(found suspect-link | wc -l)"
}

@test "audit: evidence that nothing uses" {
	a_source src-x
	same "src-x evidence/documents/src-x.yaml:1:1 note" "$(found unused)"
	a_claim claim-x src-x
	same "" "$(found unused)"
	sed -i '/src-x.said/d' kb/claims/sourced/claim-x.yaml
	same "src-x.said evidence/documents/src-x.yaml:18:3 note" "$(found unused-finding | grep src-x)"
}

@test "audit: objections without an answer, with and without evidence for them, and answers without any" {
	an_archetype 's/  answer:.*?(?=  evidence:)//s'
	same "neocloud.not-on-our-invoice archetypes/neocloud.yaml:327:3 error" "$(found evidenced-objection)"
	expect 1 dossier --kb kb audit --today $DAY
	an_archetype 's/  answer:.*?(?=- id: offload-is-slower)//s'
	same "neocloud.not-on-our-invoice archetypes/neocloud.yaml:327:3 warning" "$(found open-objection)"
	an_archetype 's/(  - id|- id: not-on-our-invoice)(.*?)  evidence:.*?(?=- id: offload-is-slower)/$1$2/s'
	same "neocloud.not-on-our-invoice archetypes/neocloud.yaml:327:3 note" "$(found unproven-answer)"
	# an answer says when the buyer is right
	an_archetype 's/  right_when:.*?(?=  evidence:)//s'
	expect 3 dossier load kb
	holds "archetypes/neocloud.yaml:327:3: expected the key \`right_when\`" "$stderr"
}

@test "audit: an open objection shows as one in what our own people read" {
	an_archetype 's/  answer:.*?(?=  evidence:)//s'
	a_customer acme neocloud > c.yaml
	expect 0 dossier --kb kb propose --audience internal c.yaml
	holds "Nobody has an answer yet" "$output"
	expect 0 dossier --kb kb propose --audience internal --lang ko c.yaml
	holds "아직 답이 없습니다" "$output"
	expect 0 dossier --kb kb propose c.yaml
	lacks "Nobody has an answer" "$output"
}

@test "audit: what supports an objection speaks for the buyer in what our own people read" {
	# an objection is something that is said, as a claim is: support for it says that the buyer is right
	an_archetype 's/(iren-8k-2025-11\.payment-days, relation: )\w+/${1}contradicts/; s/(coreweave-debt-2025q2\.oem-principal, relation: )\w+/${1}qualifies/'
	a_customer acme neocloud > c.yaml
	sides() { dossier --kb kb propose --audience internal --lang $1 c.yaml | sed -n "s/^  - \($2\|$3\): .*\[S[0-9]*\]\[\(iren-8k-2025-11\.p.*\|coreweave-debt-.*\)\]$/\1 \2/p" | sort; }
	same "Against us iren-8k-2025-11.prepayment
For us coreweave-debt-2025q2.oem-principal
For us iren-8k-2025-11.payment-days" "$(sides en 'Against us' 'For us')"
	same "당사에 불리한 근거 iren-8k-2025-11.prepayment
당사에 유리한 근거 coreweave-debt-2025q2.oem-principal
당사에 유리한 근거 iren-8k-2025-11.payment-days" "$(sides ko '당사에 불리한 근거' '당사에 유리한 근거')"
}

@test "audit: a pain that names no part of the archetype's own structure" {
	a_source src-x
	a_claim claim-x src-x
	sed -i 's/^archetypes: .*/archetypes: [neocloud, smartphone-maker]/' kb/claims/sourced/claim-x.yaml
	perl -0pe 's/^pains:\n(\s*)- /pains:\n$1- claim-x\n$1- /m' "$REPO/archetypes/smartphone-maker.yaml" > sm.yaml
	grep -q claim-x sm.yaml || perl -0pe 's/^pains: \[/pains: [claim-x, /m' "$REPO/archetypes/smartphone-maker.yaml" > sm.yaml
	put archetypes/smartphone-maker.yaml < sm.yaml
	same "claim-x claims/sourced/claim-x.yaml:1:1 error" "$(found no-because)"
}

@test "audit: a bottleneck without a position, a text in one language, an archetype without figures" {
	an_archetype 's/^- id: capacity-weights\n.*?(?=^- id: )//ms'
	same "neocloud archetypes/neocloud.yaml:1:1 warning" "$(found no-position)"
	a_source src-y
	sed -i 's/says: {en: "It is so.", ko: .*}/says: {en: "It is so."}/' kb/evidence/documents/src-y.yaml
	expect 0 dossier load kb
	same "src-y evidence/documents/src-y.yaml:19:9 error" "$(found missing-language)"
	same "edge-robotics archetypes/edge-robotics.yaml:1:1 note" "$(found no-quantitative-evidence)"
}

@test "audit: a model whose layers do not add up" {
	mkdir -p kb/evidence/models
	sed 's/^published: {total: 671e9,/published: {total: 900e9, difference: {en: "Counted otherwise.", ko: "다르게 센 값입니다."},/' "$REPO/evidence/models/deepseek-v3.yaml" > kb/evidence/models/deepseek-v3.yaml
	holds "deepseek-v3 evidence/models/deepseek-v3.yaml:1:1" "$(found parameters-apart)"
}

@test "audit: --strict and --fail-on decide the exit status, and nothing else" {
	a_source src-x
	expect 0 dossier --kb kb audit --today $DAY
	expect 0 dossier --kb kb audit --today $DAY --fail-on stale,past-review
	expect 1 dossier --kb kb audit --today $DAY --fail-on unused
	expect 1 dossier --kb kb audit --today $DAY --fail-on "stale, unused"
	a_source src-y
	sed -i 's/says: {en: "It is so.", ko: .*}/says: {en: "It is so."}/' kb/evidence/documents/src-y.yaml
	expect 1 dossier --kb kb audit --today $DAY
	expect 0 dossier --kb kb audit --today $DAY --fail-on stale
	expect 1 dossier --kb kb audit --today $DAY --fail-on stale --strict
	expect 2 dossier --kb kb audit --fail-on no-such-code
	holds '`no-such-code`' "$stderr"
	expect 2 dossier --kb kb audit --fail-on ""
	same "" "$output"
}

@test "audit: every code is in the help, with a cause and a way to mend it" {
	expect 0 dossier help audit
	help=$output
	for code in $("$DOSSIER" audit --format sarif --today $DAY | jq -r '.runs[0].tool.driver.rules[].id'); do
		holds "
  $code (" "
$help"
	done
	same "$(grep -c '^  [a-z-]* (\(error\|warning\|note\)): ' <<< "$help")" "$(grep -c '^    To mend it: ' <<< "$help")"
	same "$help" "$(dossier audit --help)"
	[ "$(grep -c 'To mend it' <<< "$(dossier help --man)")" -gt 20 ]
}

@test "audit: text, CSV and Markdown" {
	a_source src-x
	sed -i -e 's/says: {en: "It is so.", ko: .*}/says: {en: "It is so."}/' kb/evidence/documents/src-x.yaml
	expect 1 dossier --kb kb audit --today $DAY --format text
	line "evidence/documents/src-x.yaml:19:9: missing-language findings.said.says: no text in Korean" "$output"
	expect 1 dossier --kb kb audit --today $DAY --format csv
	same "severity,code,id,file,line,column,message,hint"$'\r' "${lines[0]}"
	line "error,missing-language,src-x,evidence/documents/src-x.yaml,19,9,findings.said.says: no text in Korean,"$'\r' "$output"
	expect 1 dossier --kb kb audit --today $DAY --format md
	line "| severity | code | id | place | message |" "$output"
	expect 1 dossier --kb kb audit --today $DAY
	holds "1  missing-language (error)" "$output"
	holds "13  quarantined (note)" "$output"
}

# By the schema that OASIS publishes with SARIF 2.1.0; what it requires and forbids of the objects that we write.
@test "audit: SARIF is as its schema wants it" {
	a_source src-x
	sed -i -e 's/says: {en: "It is so.", ko: .*}/says: {en: "It is so."}/' kb/evidence/documents/src-x.yaml
	expect 1 dossier --kb kb audit --all --today $DAY --format sarif
	jq -e '.version == "2.1.0" and (keys - ["$schema", "version", "runs"] == []) and (.runs | length == 1)' <<< "$output" > /dev/null
	jq -e '.runs[0] | keys - ["tool", "results", "columnKind"] == [] and .columnKind == "unicodeCodePoints" and .tool.driver.name == "dossier"' <<< "$output" > /dev/null
	jq -e '.runs[0].tool.driver.rules | length > 20 and (map(.id) | unique | length) == length
	    and all(.[]; (keys - ["id", "shortDescription", "fullDescription", "help", "defaultConfiguration"] == [])
	        and (.help.text | length > 10) and (.defaultConfiguration.level | IN("error", "warning", "note")))' <<< "$output" > /dev/null
	jq -e '. as $log | .runs[0].results | length > 50 and all(.[];
	    (keys - ["ruleId", "ruleIndex", "level", "message", "locations", "properties"] == [])
	    and $log.runs[0].tool.driver.rules[.ruleIndex].id == .ruleId and (.level | IN("error", "warning", "note"))
	    and (.message.text | length > 0)
	    and (.locations[0].physicalLocation | (.artifactLocation.uri | test("^[A-Za-z0-9._~/%-]+$"))
	        and .artifactLocation.uriBaseId == "%SRCROOT%"
	        and .region.startLine >= 1 and .region.startColumn >= 1))' <<< "$output" > /dev/null
	jq -e '.runs[0].results[] | select(.ruleId == "missing-language").locations[0].physicalLocation | .artifactLocation.uri == "evidence/documents/src-x.yaml" and .region == {startLine: 19, startColumn: 9}' <<< "$output" > /dev/null
}

@test "audit: the matrix counts every part of every archetype once" {
	expect 0 dossier audit --today $DAY --format json
	jq -r '.coverage[] | "\(.archetype) \(.part) \(.evidenced + .weak + .none)"' <<< "$output" | sort > counted
	sqlite3 -separator ' ' "$IMAGES/kb.db" "SELECT archetype, 'pain', count(*) FROM pain GROUP BY 1 UNION ALL SELECT archetype, 'objection', count(*) FROM objection GROUP BY 1 UNION ALL SELECT archetype, 'position', count(*) FROM position WHERE occurs GROUP BY 1 UNION ALL SELECT r.id, 'loss-reason', count(*) FROM record r, json_each(r.body, '\$.loss_reasons') WHERE r.kind = 'archetype' GROUP BY 1" | sort > wanted
	[ "$(wc -l < wanted)" -eq 20 ]
	diff wanted counted
	# an inferred loss reason has no evidence, and what is past its review is weak
	jq -e '[.coverage[] | select(.part == "loss-reason").none] | add > 0' <<< "$output" > /dev/null
	expect 1 dossier audit --today 2030-01-01 --format json
	jq -e '[.coverage[].evidenced] | add == 0' <<< "$output" > /dev/null
	# from a press source and from a good one
	a_source src-x C
	a_claim claim-x src-x
	sed -i -e '/^conditions/d' -e '/^figures/,/share:/d' -e 's/ *${share} */ /' kb/claims/sourced/claim-x.yaml
	an_archetype 's/^pains:.*?(?=^objections:)/pains: [claim-x]\n/ms'
	expect 0 dossier --kb kb audit --today $DAY --format json
	jq -e '.coverage[] | select(.archetype == "neocloud" and .part == "pain") | .evidenced == 0 and .weak == 1 and .none == 0' <<< "$output" > /dev/null
	sed -i 's/^grade: C/grade: B/' kb/evidence/documents/src-x.yaml
	dossier --kb kb audit --today $DAY --format json | jq -e '.coverage[] | select(.archetype == "neocloud" and .part == "pain") | .evidenced == 1' > /dev/null
}

@test "audit: checking writes nothing: the tree is clean, and nobody is said to have looked" {
	a_source src-x
	a_claim claim-x src-x
	printf 'id: src-x # kept   \n' > first
	sed -i -e '1r first' -e 1d kb/evidence/documents/src-x.yaml
	before=$(tree_hash kb)
	for c in "audit" "audit --all --strict" "audit --fingerprints" "audit --as-of 2029-01-01 --expiring 30d" "audit --format sarif" "list claims"; do
		run dossier --kb kb $c
		same "$before" "$(tree_hash kb)"
	done
	expect 0 dossier load kb
	same "$before" "$(tree_hash kb)"
	# ten runs later the links are as unreviewed as they were
	same 2 "$(found unreviewed-link --strict | grep -c '^claim-x ')"
}

@test "audit: evidence that was withdrawn, and the claim that stood on it" {
	a_source src-x
	a_source src-y
	a_claim claim-x src-x
	a_claim claim-y src-y
	printf 'rests_on: [claim-x]\n' >> kb/claims/sourced/claim-y.yaml
	sed -i '/id: share/,/status:/s/status: verified/status: withdrawn/' kb/evidence/documents/src-x.yaml
	same "claim-x claims/sourced/claim-x.yaml:8:33 error" "$(found lost-evidence | grep '^claim-x')"
	same 1 "$(found lost-evidence | grep -c '^claim-y ')"
	same "src-x.share evidence/documents/src-x.yaml:12:3 note" "$(found withdrawn)"
	expect 1 dossier --kb kb audit --today $DAY
	expect 1 dossier --kb kb audit --today $DAY --fail-on lost-evidence
	lacks "plain statement" "$(dossier --kb kb audit --all --today $DAY || true)"
}

@test "audit: a draft says until when it may be sent: the first review due of what it rests on" {
	a_customer acme neocloud > c.yaml
	a_source src-x
	a_claim claim-x src-x
	an_archetype 's/^pains:.*?(?=^objections:)/pains: [claim-x]\n/ms'
	sed -i 's/^review_by: .*/review_by: 2026-12-20/' kb/evidence/documents/src-x.yaml
	for lang in en ko; do
		for c in "propose" "propose --audience internal"; do
			expect 0 dossier --kb kb $c --lang $lang c.yaml
			same "sendable_until: 2026-12-20" "$(sed -n '2,/^---$/p' <<< "$output" | grep ^sendable)"
			same 1 "$(sed '1,/^---$/d' <<< "$output" | grep -c '2026-12-20')"
		done
	done
	# that day the audit says nothing of the claim, and the day after it does
	same "" "$(found stale --as-of 2026-12-20)"
	same 1 "$(found stale --as-of 2026-12-21 | grep -c '^claim-x ')"
	# a source that nothing in it rests on does not count
	sed -i 's/^review_by: .*/review_by: 2030-01-01/' kb/evidence/documents/src-x.yaml
	a_source src-y
	sed -i 's/^review_by: .*/review_by: 2026-12-02/' kb/evidence/documents/src-y.yaml
	expect 0 dossier --kb kb propose c.yaml
	lacks "2026-12-02" "$output"
	holds "sendable_until: 2027-" "$output"
}

@test "audit: a later version of a name is not that name" {
	a_source src-x
	a_claim claim-x src-x
	sed -i 's/en: "On one machine\."/en: "With GLM-5.9 on one machine."/; s/^findings:/names: ["GLM-5.9"]\n&/' kb/evidence/documents/src-x.yaml
	sed -i 's/en: "On one machine\."/en: "With qwen3-32b, on one machine."/' kb/claims/sourced/claim-x.yaml
	same "" "$(found outside-conditions)"
	sed -i 's/With GLM-5.9/With GLM-5/; s/"GLM-5.9"/"GLM-5"/' kb/evidence/documents/src-x.yaml
	same 1 "$(found outside-conditions | wc -l)"
}
