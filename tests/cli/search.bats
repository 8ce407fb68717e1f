# Search, list and show.

load common

setup_file() {
	clean_environment "$BATS_FILE_TMPDIR"
	cd "$BATS_FILE_TMPDIR" || return 1
	a_source src-x
	say() { # say ID EN KO
		a_claim "$1" src-x
		EN=$2 KO=$3 perl -i -pe 's/^  en: .*/  en: "$ENV{EN}"/; s/^  ko: .*/  ko: "$ENV{KO}"/' "kb/claims/sourced/$1.yaml"
	}
	say claim-s1 "Zqauditing doesn't need a zqpark." "젭감사와 젭보안의 젭비용 절감."
	say claim-s2 "The zqpark. (zqnear) NEAR * zq_under" "젭비용은 그대로입니다."
	say claim-s3 'A zqquote \" and zqpercent, ZQCASE and Zqstraße' "젭감사 보고서, 젭ＨＢＭ, 전각 １ 아님"
	sed -i 's/, 전각 １ 아님//' kb/claims/sourced/claim-s3.yaml
}

setup() { common_setup; F=$BATS_FILE_TMPDIR; export XDG_CACHE_HOME=$F/cache; }

found() { # found IDS TEXT...: exactly these
	local ids=$1
	shift
	expect 0 dossier --kb "$F/kb" search --format json -- "$@"
	same "$ids" "$(jq -r '[.items[].id] | join(" ")' <<< "$output")"
	[ -n "$ids" ] || same "dossier: nothing found" "$stderr"
}

@test "search: every term must hold, in any order, in either language, wherever it stands" {
	found "claim-s1 claim-s2" zqpark
	found "claim-s1" zqpark zqauditing
	found "claim-s1" "zqauditing zqpark"
	found "" zqpark zqpercent
	found "claim-s1" 젭감사 젭보안
	found "claim-s1" 젭보안 젭감사
	found "claim-s1" "젭비용 절감"
	found "claim-s1" zqpark 젭보안
	found "" zqpark zqzqzq
}

@test "search: parts of words, two syllables, one syllable, a particle behind" {
	found "claim-s1 claim-s2" 젭비
	found "claim-s1 claim-s2" 젭비용
	found "claim-s1 claim-s3" 젭감사
	found "claim-s1 claim-s2 claim-s3" 젭
	found "claim-s1" qaudit
	for q in 비용 한 db; do
		expect 0 dossier search $q --lang ko --format json
		jq -e '.items | length > 0' <<< "$output" > /dev/null
	done
}

@test "search: nothing is syntax" {
	found "claim-s1" "doesn't zqauditing"
	found "claim-s2" "zqpark."  "(zqnear)"
	found "claim-s2" "zqnear" "NEAR" "*"
	found "claim-s2" "(" zqnear
	found "claim-s2" zq_under
	found "" zq%under
	found "" zqpar*
	found "" "zqpark OR zqpercent"
	found "" "zqpark -zqauditing"
	found "claim-s3" '"' zqquote
	for q in '"' '*' '(' ')' "'" '\' '%' '_' 'NEAR' 'NEAR(a b)' 'a AND b' 'name:x' '^x' '{}' '[]' '";--' 'CLM-0042' '-x' '$(id)' '${share}'; do
		expect 0 dossier search --format json -- "$q"
		jq -e .items <<< "$output" > /dev/null
	done
}

@test "search: case, width and the form of Hangul do not matter" {
	found "claim-s3" zqcase
	found "claim-s3" ZQSTRASSE
	found "claim-s3" 젭HBM
	found "claim-s3" 젭ｈｂｍ
	found "claim-s1 claim-s2" "$(printf '\xe1\x84\x8c\xe1\x85\xa6\xe1\x86\xb8\xe1\x84\x87\xe1\x85\xb5\xe1\x84\x8b\xe1\x85\xad\xe1\x86\xbc')" # 젭비용, decomposed
}

@test "search: bytes that are no text are refused, 5,000 letters are not" {
	expect 3 dossier search "$(printf 'a\xffb')"
	expect 0 dossier search "$(printf 'a%.0s' {1..5000})"
	same "dossier: nothing found" "$stderr"
	expect 0 dossier search $(printf 'a%d ' {1..500})
}

@test "list: every kind in every format, and the JSON is one shape" {
	for k in archetypes claims sources measurements models accelerators tiers levers; do
		expect 0 dossier list $k --format json
		jq -e --arg k $k '.format == "dossier.list/1" and .kind == $k and (.items | length > 0) and all(.items[]; .id and .name)' <<< "$output" > /dev/null
		local n
		n=$(jq '.items | length' <<< "$output")
		jq -r '.items[].id' <<< "$output" | LC_ALL=C sort -c
		same "$((n + 2))" "$(dossier list $k --format md | wc -l)"
		same "$((n + 2))" "$(dossier list $k | wc -l)"
		same "$((n + 1))" "$(dossier list $k --format csv | perl -0777 -pe 's/"(?:[^"]++|"")*+"//g' | wc -l)"
		dossier list $k --lang ko --format json | jq -e --argjson n "$n" '.items | length == $n' > /dev/null
	done
	same "edge-robotics hyperscaler-own-silicon merchant-accelerator-vendor neocloud smartphone-maker" "$(dossier list archetypes --format json | jq -r '[.items[].id] | join(" ")')"
	dossier list archetypes --format json | jq -e '.items[] | select(.id == "edge-robotics").evidence == "qualitative only"' > /dev/null
	expect 0 dossier list archetype
}

# kb-behaviour 59
@test "list: CSV begins with a byte order mark where that is asked for, and not otherwise" {
	local command wanted others format
	printf -- '---\narchetype: neocloud\naudience: customer\n---\n\n한국어 45 GB\n' > draft.md
	dossier list archetypes --lang ko --format csv | grep -q "신흥 클라우드 사업자"
	while IFS=: read -r wanted others command; do
		eval "expect $wanted dossier $command --format csv"
		dossier_csv() { eval "dossier $command --format csv $1" || [ $? -eq "$wanted" ]; }
		dossier_csv > plain
		dossier_csv --bom > marked
		[ "$(head -c 3 plain)" != $'\xef\xbb\xbf' ]
		{ printf '\xef\xbb\xbf'; cat plain; } | cmp - marked
		for format in "" $others; do
			eval "expect 2 dossier $command --bom ${format:+--format $format}"
			holds "--bom: expected --format csv" "$stderr"
			same "" "$output"
		done
	done <<- 'END'
	0:json md:list archetypes --lang ko
	0:json md:search 비용 --lang ko
	0:json md:claim list --lang ko
	0:json md:query 'SELECT id FROM record'
	0:json md:query 'SELECT id FROM record WHERE id IS NULL'
	0:json md sarif text:audit --today 2026-12-01
	0:json md:audit --fingerprints
	1:json md sarif text:lint draft.md
	0:json jsonl:sweep -m qwen3-14b -a h200 --weights fp8 --kv bf16 -c 8K -n 1,2
	0:json jsonl:sweep -m qwen3-14b -a h200 --weights fp8 --kv bf16 -c 8K -n 1,2 --where 'concurrency > 9'
	END
}

@test "list: a name with a comma, a quote, a bar and a line in CSV and Markdown" {
	a_source src-y
	sed -i "s/^title: .*/title: 'One, \"two\" | three'/" kb/evidence/documents/src-y.yaml
	holds '"One, ""two"" | three"' "$(dossier --kb kb list sources --format csv)"
	holds 'One, "two" \| three' "$(dossier --kb kb list sources --format md)"
}

@test "show: an id, an alias, any case, a finding; with what it rests on and who uses it" {
	expect 0 dossier show nvidia-h200-sxm
	local wanted=$output
	for id in h200 H200 NVIDIA-H200-SXM; do
		expect 0 dossier show $id
		same "$wanted" "$output"
	done
	expect 0 dossier --kb "$F/kb" show src-x.share
	holds "claim-s1" "$output"
	holds "supports" "$output"
	expect 0 dossier --kb "$F/kb" show claim-s1
	holds "41% [published, src-x.share]" "$(dossier --kb "$F/kb" show src-x; a_claim claim-z src-x; cp -r "$F/kb/evidence" kb/; dossier --kb kb show claim-z)"
	dossier show deepseek-v3 --format json | jq -e '.id == "deepseek-v3" and .groups[0].layers == "61"' > /dev/null
}

@test "show: what is not there gets the nearest" {
	expect 3 dossier show claim-kv-share
	holds "claim-kv-share-by-workload" "$stderr"
	expect 3 dossier show h2000
	holds "h200" "$stderr"
	for id in '' ' ' '../x' "x'; DROP TABLE record" '%' "$(printf 'x%.0s' {1..3000})"; do
		expect 3 dossier show -- "$id"
	done
}
