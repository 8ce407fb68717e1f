# The quarantine: its wording reaches no output, whatever one tries.

load common

setup_file() {
	clean_environment "$BATS_FILE_TMPDIR"
	cd "$BATS_FILE_TMPDIR" || return 1
	for a in $ARCHETYPES; do
		dossier intake --archetype $a --date 2026-12-01 --customer $a > $a.yaml
	done
	a_customer filled-in neocloud > filled.yaml
	a_customer chips merchant-accelerator-vendor > chips.yaml
	everything > everything 2>&1
}

setup() { common_setup; F=$BATS_FILE_TMPDIR; }

# Every command in every format and language, for several customers.
everything() {
	local q l f a c k
	for l in en ko; do
		for k in archetypes claims sources measurements models accelerators tiers levers; do
			for f in table json csv md; do dossier list $k --lang $l --format $f; done
		done
		for f in table json csv md; do
			dossier search memory --lang $l --format $f
			dossier search 메모리 --lang $l --format $f
		done
		for a in $ARCHETYPES; do
			dossier intake --archetype $a --lang $l --date 2026-12-01
			dossier show $a --lang $l
			dossier show $a --lang $l --format json
		done
		for c in *.yaml; do
			dossier propose $c --lang $l || true
			dossier propose $c --lang $l --audience internal || true
			dossier brief $c --lang $l || true
			dossier advise $c --lang $l || true
			dossier advise $c --lang $l --format json || true
		done
		for f in table json; do
			dossier size --model qwen3-14b --accelerator h200 --weights bf16 --kv bf16 -c 128K -n 48 --lang $l --format $f
		done
		for c in $(dossier list claims --format json | jq -r '.items[].id') $(dossier list levers --format json | jq -r '.items[].id'); do
			dossier show "$c" --lang $l
		done
		for q in 01 02 03 04 05 06 07 08 09 10 11 12 13; do
			dossier search "$(wording q-$q $l)" || true
			dossier show q-$q --lang $l || true
		done
	done
	dossier help --man
	dossier completion bash
}

@test "quarantine: the test sees wording where it is" {
	for q in 01 02 07 13; do
		for l in en ko; do
			[ -n "$(wording q-$q $l)" ]
			run perl "$REPO/tests/data/wordings.pl" "$REPO/claims/quarantine" <<< "x $(wording q-$q $l | tr 'a-z ' 'A-Z\n' | sed 's/%/**%**/') y"
			holds "q-$q.yaml: $l" "$output"
		done
	done
}

@test "quarantine: its wording stands in no output of any command" {
	[ "$(wc -c < "$F/everything")" -gt 500000 ]
	holds "claim-kv-share-by-workload" "$(cat "$F/everything")"
	no_wording < "$F/everything"
}

@test "quarantine: the knowledge image does not have it, not even in unused pages; the other image does" {
	[ -f "$IMAGES/kb.db" ]
	sqlite3 "$IMAGES/kb.db" .dump | no_wording
	strings -n 8 "$IMAGES/kb.db" | no_wording
	for q in 01 02 03 04 05 06 07 08 09 10 11 12 13; do
		for l in en ko; do
			w=$(wording q-$q $l)
			run ! grep -q -a -F -e "${w:0:24}" "$IMAGES/kb.db"
			grep -q -a -F -e "${w:0:24}" "$IMAGES/kb-quarantine.db"
		done
	done
	same 0 "$(sqlite3 "$IMAGES/kb.db" "SELECT count(*) FROM record WHERE kind = 'quarantined-claim'")"
}

@test "quarantine: list and show give it when it is what is asked for, and not otherwise" {
	expect 0 dossier list claims --quarantined --format json
	same 13 "$(jq '.items | length' <<< "$output")"
	same "$(wording q-02 en)" "$(jq -r '.items[] | select(.id == "q-02").name' <<< "$output")"
	expect 0 dossier show q-01 --quarantined --lang ko
	holds "$(wording q-01 ko)" "$output"
	holds "say_instead: claim-kv-share-by-workload" "$output"
	expect 3 dossier show q-01
	same "" "$output"
	expect 0 dossier list claims --format json
	same 0 "$(jq '[.items[] | select(.id | startswith("q-"))] | length' <<< "$output")"
	expect 2 dossier list quarantined-claims
	expect 0 dossier audit --all --today 2026-12-01 --format json
	same 13 "$(jq '[.items[] | select(.code == "quarantined")] | length' <<< "$output")"
}

@test "quarantine: a search for its wording finds nothing and does not echo it" {
	for q in 01 03 07 12 13; do
		for l in en ko; do
			for f in table json; do
				expect 0 dossier search "$(wording q-$q $l)" --lang $l --format $f
				same "dossier: nothing found" "$stderr"
				echo "$output" >> all
			done
		done
	done
	grep -E 'q-[0-9]|%' all | nothing
	no_wording < all
	expect 0 dossier search 60 80 GPU memory inference takes
	lacks "60" "$stderr"
}

@test "quarantine: a draft for a customer names no q- id; a brief names ids and what may be said" {
	cd "$F"
	for c in *.yaml; do
		for l in en ko; do
			dossier propose $c --lang $l | grep -E '\bq-[0-9]' | nothing
		done
		dossier brief $c | grep -q -E '\bq-[0-9]{2}\b'
		dossier propose $c --audience internal | grep -q -E '\bq-[0-9]{2}\b'
	done
	same "q-01 q-02 q-03 q-04 q-08 q-09" "$(dossier brief neocloud.yaml | grep -o '\bq-[0-9][0-9]' | sort -u | xargs)"
	dossier brief neocloud.yaml | grep -q 'q-01.*claim-kv-share-by-workload'
}

refused() { # refused PLACE ID
	line "$1: the wording is that of the quarantined claim $2" "$stderr"
}

only_refusals() { # COUNT of them, without the text
	same "$(($1 + 1))" "$(wc -l <<< "$stderr")"
	no_wording <<< "$stderr"
	same "" "$output"
}

say() { # say ID LANG TEXT: a claim with this statement
	a_claim "$1" src-x
	LANG_=$2 TEXT=$3 perl -i -pe 's/^  $ENV{LANG_}: .*/  $ENV{LANG_}: "$ENV{TEXT}"/ if $. < 7' "kb/claims/sourced/$1.yaml"
}

@test "quarantine: its wording pasted into archetypes is refused, with place and id and without the text" {
	mkdir -p kb/archetypes
	paste_into() { # paste_into ARCHETYPE EN KO: into its summary
		EN=$2 KO=$3 perl -0777 -pe 's/^summary:\n  en: .*?\n  ko: .*?\n(?=\w)/summary:\n  en: "$ENV{EN}"\n  ko: "$ENV{KO}"\n/ms' "$REPO/archetypes/$1.yaml" > kb/archetypes/$1.yaml
		at=$(grep -n '^summary:' kb/archetypes/$1.yaml | cut -d: -f1)
	}
	paste_into neocloud "A plain summary." "평범한 요약입니다."
	expect 0 dossier load kb
	paste_into neocloud "$(wording q-02 en)" "$(wording q-03 ko)"
	local first=$at
	paste_into smartphone-maker "$(wording q-12 en)" "$(wording q-13 ko)"
	expect 3 dossier load kb
	refused "archetypes/neocloud.yaml:$((first + 1)):7" q-02
	refused "archetypes/neocloud.yaml:$((first + 2)):7" q-03
	refused "archetypes/smartphone-maker.yaml:$((at + 1)):7" q-12
	refused "archetypes/smartphone-maker.yaml:$((at + 2)):7" q-13
	only_refusals 4
}

@test "quarantine: also in capitals, spaced otherwise, turned round, broken into lines, inside a longer text" {
	a_source src-x
	local en ko n=0 text
	en=$(wording q-02 en) ko=$(wording q-02 ko)
	for text in "${en^^}" "${en,,}" "Offloading  KV-cache  to SSD, always; pays!" "Before that. $en After that." "To SSD offloading KV cache pays always." "Offloading the KV cache to SSDs always pays."; do
		say claim-en-$((n += 1)) en "$text"
	done
	for text in "KV cache를SSD로오프로드하면항상이득입니다" "KV cache 를 SSD 로  오프로드하면  항상 이득" "${ko%?} 그리고 다른 말." "ＫＶ ｃａｃｈｅ를 ＳＳＤ로 오프로드하면 항상 이득입니다."; do
		say claim-ko-$((n += 1)) ko "$text"
	done
	say claim-lines en x
	perl -0777 -i -pe 's/  en: "x"/  en: >-\n    Offloading KV\n    cache to SSD\n    always pays./' kb/claims/sourced/claim-lines.yaml
	say claim-plain en "KV cache may be kept on SSD where it is read again."
	expect 3 dossier load kb
	for n in 1 2 3 4 5 6; do refused "claims/sourced/claim-en-$n.yaml:5:7" q-02; done
	for n in 7 8 9 10; do refused "claims/sourced/claim-ko-$n.yaml:6:7" q-02; done
	refused "claims/sourced/claim-lines.yaml:5:7" q-02
	only_refusals 11
}

@test "quarantine: figures do not hide it, as listed names or as placeholders" {
	a_source src-x
	for l in en ko; do
		say claim-name-$l $l "$(wording q-01 $l)"
		echo 'names: ["60 to 80 %", "60~80 %"]' >> kb/claims/sourced/claim-name-$l.yaml
		say claim-figure-$l $l "$(wording q-01 $l | sed -e 's/60 to 80 %/${share}/' -e 's/60~80 %/${share}/')"
	done
	expect 3 dossier load kb
	for l in en:5 ko:6; do
		refused "claims/sourced/claim-name-${l%:*}.yaml:${l#*:}:7" q-01
		refused "claims/sourced/claim-figure-${l%:*}.yaml:${l#*:}:7" q-01
	done
	only_refusals 4
}

@test "quarantine: where wording and bare figures meet, the text is not shown either" {
	a_source src-x
	say claim-bare-en en "$(wording q-01 en)"
	say claim-bare-ko ko "$(wording q-01 ko)"
	expect 3 dossier load kb
	refused "claims/sourced/claim-bare-en.yaml:5:7" q-01
	refused "claims/sourced/claim-bare-ko.yaml:6:7" q-01
	lacks "60~80" "$stderr"
}

@test "quarantine: its wording in any other kind of record is refused too" {
	local text
	text=$(wording q-02 en)
	for id in src-title src-says; do a_source $id; done
	sed -i "s|^title: .*|title: \"$text\"|" kb/evidence/documents/src-title.yaml
	sed -i "s|en: \"It is so.\"|en: \"$text\"|" kb/evidence/documents/src-says.yaml
	mkdir -p kb/templates/levers kb/archetypes
	TEXT=$text perl -0777 -pe 's/^moves:\n.*?\n(?=\w)/moves:\n  en: "$ENV{TEXT}"\n/ms' "$REPO/templates/levers/hbm-capacity.yaml" > kb/templates/levers/hbm-capacity.yaml
	# the first text of each of these parts
	TEXT=$text perl -0777 -pe 'for my $part ("objections", "loss_reasons", "positions") { s/(^$part:\n.*?\n +)(\w+):\n( +)en: .*?\n +ko: .*?\n(?= *-| *\w+:)/$1$2:\n$3en: "$ENV{TEXT}"\n/ms }' "$REPO/archetypes/edge-robotics.yaml" > kb/archetypes/edge-robotics.yaml
	expect 3 dossier load kb
	refused evidence/documents/src-title.yaml:2:8 q-02
	refused evidence/documents/src-says.yaml:19:14 q-02
	refused "templates/levers/hbm-capacity.yaml:$(grep -n -F "$text" kb/templates/levers/hbm-capacity.yaml | cut -d: -f1):7" q-02
	same 3 "$(grep -c -F "$text" kb/archetypes/edge-robotics.yaml)"
	for n in $(grep -n -F "$text" kb/archetypes/edge-robotics.yaml | cut -d: -f1); do
		line "archetypes/edge-robotics.yaml:$n:" "$stderr"
	done
	only_refusals 6
}

@test "quarantine: a claim moved by hand, without evidence, with invented and with real evidence, stays in it" {
	local evidence q told
	mkdir -p kb/claims/sourced
	cp "$REPO/claims/quarantine/q-01.yaml" kb/claims/sourced/
	expect 0 dossier load kb
	holds "1 of the sourced claims counts as quarantined" "$stderr"
	a_source src-x
	for evidence in '[{finding: invented.share, relation: supports}]' '[{finding: src-x.said, relation: supports}]'; do
		for q in 01 02; do
			{
				sed '/^circulates/,$d' "$REPO/claims/quarantine/q-$q.yaml"
				echo "because: [neocloud.metrics.gpu-hour-revenue]"
				echo "evidence: $evidence"
			} | sed 's/^archetypes: .*/archetypes: [neocloud]/' > kb/claims/sourced/q-$q.yaml
		done
		expect 1 dossier --kb kb audit
		told=$output
		for q in 01 02; do
			holds "claims/sourced/q-$q.yaml:1:5" "$told"
			expect 3 dossier --kb kb show q-$q
			same "" "$output"
			no_wording <<< "$stderr"
		done
		dossier --kb kb audit --format json | jq -e '[.items[] | select(.code == "undecided").id] == ["q-01", "q-02"]' > /dev/null
		dossier --kb kb list claims --format json | jq -e 'all(.items[]; .id | startswith("q-") | not)' > /dev/null
		expect 0 dossier --kb kb propose "$F/neocloud.yaml" --audience internal
		no_wording <<< "$output"
	done
	sed -i 's/^evidence: .*/evidence: []/' kb/claims/sourced/q-01.yaml
	expect 3 dossier load kb
	line "claims/sourced/q-01.yaml:" "$stderr"
	no_wording <<< "$stderr"
	rm kb/claims/sourced/q-01.yaml
	# under a new name the wording itself is known
	sed 's/q-02/claim-new/' kb/claims/sourced/q-02.yaml > kb/claims/sourced/claim-new.yaml
	rm kb/claims/sourced/q-0*.yaml
	expect 3 dossier load kb
	refused "claims/sourced/claim-new.yaml:4:7" q-02
}

@test "quarantine: a fault in a quarantined file is told without its text" {
	local secret="KV cache takes 60 to 80 % of GPU memory in LLM inference" n
	fault() { # fault NN SED
		mkdir -p kb/claims/quarantine
		sed -e "s/q-01/q-$1/" -e "$2" "$REPO/claims/quarantine/q-01.yaml" > kb/claims/quarantine/q-$1.yaml
	}
	told() { # told NN PLACE
		line "claims/quarantine/q-$1.yaml$2" "$stderr"
	}
	untold() {
		no_wording <<< "$stderr"
		for text in "60 to 80" "KV cache takes" "kv-cache-takes"; do lacks "$text" "$stderr"; done
	}
	fault 51 's/^circulates:/circulats:/'
	fault 52 "s/^archetypes: .*/archetypes: $secret/"
	fault 53 "s/^statement:/$secret:/"
	fault 54 "s/^  en: KV/  KV cache takes 60 to 80 %: KV/"
	fault 55 "0,/^  on: 2026-11-29/s//  on: $secret/"
	fault 56 "s/^statement:/statement: $secret: in LLM/" # no YAML
	fault 57 "s/^say_instead: .*/say_instead: \"$secret\"/"
	echo "$secret" > kb/claims/quarantine/q-58.yaml
	expect 3 dossier load kb
	for n in 51:6:1 52:2:13 53:3:1 54:4:3 55:12:7 56:3: 57:34:14 58:1:1; do told "${n%%:*}" ":${n#*:}"; done
	untold
	rm kb/claims/quarantine/*
	fault 60 "s/^say_instead: .*/say_instead: q-02/"
	expect 3 dossier load kb
	told 60 ":34:14: "
	holds '`q-02` is a quarantined claim' "$stderr"
	untold
}

@test "quarantine: not even where the text stands in the place of an id" {
	local secret="KV cache takes 60 to 80 % of GPU memory in LLM inference" slug=kv-cache-takes-60-to-80-of-gpu-memory
	mkdir -p kb/claims/quarantine
	while IFS=';' read -r place change; do
		sed "$change" "$REPO/claims/quarantine/q-01.yaml" > kb/claims/quarantine/q-01.yaml
		expect 3 dossier load kb
		line "claims/quarantine/q-01.yaml:$place: " "$stderr"
		grep -i -E '60.to.80|kv.cache.takes' <<< "$stderr" >> told || true
	done <<- END
	1:5;s/^id: .*/id: "$secret"/
	2:14;s/^archetypes: .*/archetypes: [$slug]/
	34:14;s/^say_instead: .*/say_instead: $slug/
	END
	nothing < told
}

@test "quarantine: a team's own quarantined claim is kept as well, in the cache too" {
	mkdir -p kb/claims/quarantine
	sed -e 's/q-01/q-14/' -e 's/^  en: KV cache takes .*/  en: Robots dream of electric sheep nightly./' -e 's/^  ko: LLM 추론에서 KV.*/  ko: 로봇은 밤마다 전기양의 꿈을 꿉니다./' -e '/^searched/,/^not_enough/{/en:/s/: .*/: Nothing was found./;/ko:/s/: .*/: 찾지 못했습니다./}' "$REPO/claims/quarantine/q-01.yaml" > kb/claims/quarantine/q-14.yaml
	expect 0 dossier load kb -o kb.db
	for source in kb kb.db; do
		dossier --kb $source list claims -q --format json | jq -e '.items | length == 14' > /dev/null
		for c in "list claims" "search electric sheep" "search 전기양" "show q-14" "brief $F/neocloud.yaml"; do
			run dossier --kb $source $c
			lacks "electric sheep" "$output"
			lacks "전기양" "$output"
		done
	done
	run ! grep -q -a -e "electric sheep" kb.db
	grep -q -a -e "electric sheep" kb-quarantine.db
	for f in cache/dossier/*.db; do
		[[ $f == *-quarantine.db ]] || run ! grep -q -a -e "electric sheep" "$f"
		same 600 "$(stat -c %a "$f")"
	done
	dossier --kb kb brief "$F/neocloud.yaml" | grep -q q-14
	a_source src-x
	sed -i 's/It is so\./Robots dream of electric sheep nightly./' kb/evidence/documents/src-x.yaml
	expect 3 dossier load kb
	line "evidence/documents/src-x.yaml:19:14: the wording is that of the quarantined claim q-14" "$stderr"
	lacks "electric" "$stderr"
}

@test "quarantine: another text under its id, laid over, does not set the wording free" {
	a_source src-x
	say claim-x en "$(wording q-02 en)"
	mkdir -p kb/claims/quarantine
	sed -e 's/^  en: Offloading KV.*/  en: Harmless words stand here./' -e 's/^  ko: KV cache를 SSD.*/  ko: 무해한 말이 있습니다./' "$REPO/claims/quarantine/q-02.yaml" > kb/claims/quarantine/q-02.yaml
	grep -q Harmless kb/claims/quarantine/q-02.yaml
	expect 3 dossier load kb
	no_wording <<< "$stderr"
}

@test "quarantine: a finding under review reaches no output but the audit's and its own" {
	a_source src-x
	sed -i -e '/id: said/,$s/status: verified/status: under-review/' -e 's/It is so\./Zebras graze on wafers./' -e 's/그렇습니다\./얼룩말이 웨이퍼를 먹습니다./' kb/evidence/documents/src-x.yaml
	expect 0 dossier load kb -o kb.db
	run ! grep -q -a -e "Zebras" kb.db
	for c in "show src-x" "show src-x --lang ko" "show src-x --format json" "list sources" "list sources --format json"; do
		expect 0 dossier --kb kb $c
		lacks "Zebras" "$output"
		lacks "얼룩말" "$output"
	done
	expect 0 dossier --kb kb search zebras
	same "dossier: nothing found" "$stderr"
	expect 3 dossier --kb kb show src-x.said
	expect 0 dossier --kb kb show src-x.share
	lacks "Zebras" "$output"
	expect 0 dossier --kb kb show src-x --quarantined
	holds "Zebras" "$output"
	dossier --kb kb list sources --format json | jq -e '.items[] | select(.id == "src-x").findings == 1' > /dev/null
	dossier --kb kb audit --all --format json | jq -e '[.items[] | select(.code == "under-review" and (.id | startswith("src-x")))] | length == 1' > /dev/null
}

@test "quarantine: nothing else takes the id of a quarantined claim, here or below" {
	a_source q-01
	expect 3 dossier load kb
	line "evidence/documents/q-01.yaml:1:5: \`q-01\` is a" "$stderr"
	rm -r kb
	a_source q-77
	expect 3 dossier load kb
	line 'evidence/documents/q-77.yaml:1:5: `q-77` is an id of the quarantine' "$stderr"
}

@test "quarantine: evidence under review is not verified by writing so over it" {
	local file
	file=$(grep -l 'status: under-review' "$REPO"/evidence/documents/*.yaml | head -1)
	put "evidence/documents/$(basename "$file")" < <(sed 's/status: under-review/status: verified/' "$file")
	expect 3 dossier load kb
	holds "is under review in the content below" "$stderr"
}

@test "quarantine: a fault in any record is told without wording that may not be said" {
	local text
	text=$(sed -n '/^statement:/,/^[a-z_]*:$/s/^ *en: *//p' "$REPO/claims/quarantine/q-01.yaml" | head -1 | tr -d '"')
	for key in kind published grade; do
		a_source src-x
		sed -i "s|^$key: .*|$key: \"$text\"|" kb/evidence/documents/src-x.yaml
		expect 3 dossier load kb
		lacks "60 to 80" "$stderr"
		line "evidence/documents/src-x.yaml:" "$stderr"
	done
}

@test "quarantine: an address or the name of a figure does not spell its wording either" {
	a_source src-x
	sed -i 's|^url: .*|url: "https://example.org/kv-cache-takes-60-to-80-percent-of-gpu-memory-in-llm-inference"|' kb/evidence/documents/src-x.yaml
	expect 3 dossier load kb
	holds "the wording is that of the quarantined claim q-01" "$stderr"
}

@test "quarantine: a database whose quarantine was left behind is refused" {
	put claims/quarantine/q-14.yaml < <(sed -e 's/^id: q-01/id: q-14/' -e 's/KV cache takes[^"]*/Moonlight doubles the yield of every wafer in the fab/' "$REPO/claims/quarantine/q-01.yaml")
	expect 0 dossier load kb -o team.db
	mkdir elsewhere
	cp team.db elsewhere/
	expect 3 dossier --kb elsewhere/team.db list models
	holds "q-14" "$stderr"
	expect 0 dossier --kb team.db show q-14 --quarantined
}
