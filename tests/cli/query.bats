# SQL over the knowledge: formats, bounds, refusals, and what must not be there.

load common

setup() { common_setup; }

@test "query: every format shows the same rows" {
	local sql="SELECT kind, count(*) AS n FROM record WHERE kind IN ('archetype', 'lever') GROUP BY kind ORDER BY kind"
	expect 0 dossier query "$sql"
	line "kind" "$output"
	line "archetype  " "$output"
	expect 0 dossier query --format csv "$sql"
	same "$(sqlite3 -csv -header "$IMAGES/kb.db" "$sql" | tr -d '\r')" "$(tr -d '\r' <<< "$output")"
	expect 0 dossier query --format json "$sql"
	same "dossier.list/1 query false 2" "$(jq -r '"\(.format) \(.kind) \(.cut) \(.items | length)"' <<< "$output")"
	same "5" "$(jq -r '.items[] | select(.kind == "archetype").n' <<< "$output")"
	expect 0 dossier query --format md "$sql"
	line "| kind | n |" "$output"
	line "| archetype | 5 |" "$output"
}

@test "query: the SQL may come from standard input, and its faults say so" {
	expect 0 bash -c '"$1" query --format csv - <<< "SELECT 1 AS one;"' - "$DOSSIER"
	same "one 1" "$(tr -d '\r' <<< "$output" | xargs)"
	expect 3 bash -c 'printf "SELECT 1\nFROM nowhere\n" | "$1" query -' - "$DOSSIER"
	holds "no such table: nowhere" "$stderr"
	holds "standard input:" "$stderr"
	expect 3 bash -c 'printf "SELECT 1\0" | "$1" query -' - "$DOSSIER"
	expect 3 bash -c 'printf "" | "$1" query -' - "$DOSSIER"
	expect 3 bash -c 'printf "SELECT \x27\xff\x27" | "$1" query -' - "$DOSSIER"
}

@test "query: a refusal is one line with its place, status 3, and nothing on standard output" {
	local sql
	mkdir here && cd here
	for sql in "ATTACH 'x.db' AS x" "PRAGMA user_version" "VACUUM INTO 'x.db'" "CREATE TEMP TABLE t (a)" \
		"DELETE FROM record" "WITH x AS (SELECT 1) DELETE FROM record" "SELECT load_extension('x')" \
		"SELECT readfile('/etc/passwd')" "SELECT writefile('x.db', 'y')" "SELECT fts3_tokenizer('simple')" \
		"SELECT 1; SELECT 2" "SELECT * FROM quarantine" "SELECT * FROM decision" "SELECT count(*) FROM standing" "WITH record AS (SELECT * FROM quarantine) SELECT * FROM record"; do
		run --separate-stderr dossier query "$sql"
		same 3 "$status"
		same "" "$output"
		same 1 "$(wc -l <<< "$stderr")"
		[[ "$stderr" =~ ^SQL:1:[0-9]+:\  ]] || { echo "$sql: $stderr" >&2; return 1; }
	done
	find . -mindepth 1 | nothing
}

@test "query: nothing of the quarantine, nor of evidence under review, is anywhere in the database" {
	local sql
	for sql in "SELECT * FROM record" "SELECT * FROM search" "SELECT * FROM finding" "SELECT * FROM withheld" \
		"SELECT * FROM record r LEFT JOIN search s USING (id)" "SELECT sql FROM sqlite_schema"; do
		expect 0 dossier query --limit 100000 --format json "$sql"
		no_wording <<< "$output"
	done
	expect 0 dossier query --format csv "SELECT f.value ->> '$.id' AS id FROM record, json_each(body, '$.findings') f WHERE f.value ->> '$.status' <> 'verified'"
	same "id" "$(tr -d '\r' <<< "$output")"
	expect 0 dossier query --format csv "SELECT count(*) AS n FROM record WHERE id LIKE 'q-%'"
	same "n 0" "$(tr -d '\r' <<< "$output" | xargs)"
}

@test "query: a claim of a team's own quarantine is not there either" {
	put claims/quarantine/q-91.yaml < <(sed 's/^id: q-01/id: q-91/; s/^  en: .*/  en: "Zqonly this team would say such zqthings of anyone."/' "$REPO/claims/quarantine/q-01.yaml")
	expect 0 dossier --kb kb query "SELECT id FROM withheld WHERE id = 'q-91'"
	holds q-91 "$output"
	expect 0 dossier --kb kb query --limit 100000 --format csv "SELECT body FROM record UNION ALL SELECT folded FROM search"
	lacks zqonly "${output,,}"
	expect 3 dossier --kb kb query "SELECT body FROM quarantine"
	lacks zqonly "${stderr,,}"
}

@test "query: rows are cut at the limit, and that is said" {
	local many="WITH RECURSIVE t(a) AS (SELECT 1 UNION ALL SELECT a + 1 FROM t) SELECT a FROM t"
	expect 0 dossier query --format csv "$many"
	same 1001 "$(wc -l <<< "$output")"
	holds "cut after 1000 rows" "$stderr"
	expect 0 dossier query --format csv --limit 3 "$many"
	same 4 "$(wc -l <<< "$output")"
	expect 0 dossier query --format json --limit 3 "$many"
	same true "$(jq .cut <<< "$output")"
	expect 0 dossier query --limit 3 "$many LIMIT 3"
	same "" "$stderr"
	expect 0 dossier query --format csv "WITH RECURSIVE t(a) AS (SELECT 1 UNION ALL SELECT a + 1 FROM t) SELECT printf('%.*c', 4000000, 'x') AS x FROM t"
	holds "the result is too large" "$stderr"
	local bad
	for bad in 0 -1 1.5 x "" 100001 99999999999999999999; do
		expect 2 dossier query "--limit=$bad" "SELECT 1"
	done
}

@test "query: time ends it, between operations and within one" {
	SECONDS=0
	expect 3 dossier query --timeout "300 ms" "WITH RECURSIVE t(a) AS (SELECT 1 UNION ALL SELECT a + 1 FROM t) SELECT max(a) FROM t"
	holds "longer than 0.3 s" "$stderr"
	expect 3 dossier query --timeout 1 "WITH t(s) AS (SELECT printf('%.*c', 4000000, 'a')) SELECT sum(instr(s || id, substr(s, 1, 2000000) || 'b' || id)) FROM t, record"
	holds "longer than its time" "$stderr"
	same "" "$output"
	[ "$SECONDS" -lt 15 ]
	local bad
	for bad in 0 -1 x "" "11 min" "3 GB"; do
		expect 2 dossier query "--timeout=$bad" "SELECT 1"
	done
}

@test "query: columns of one name are told apart, and any name will do" {
	expect 0 dossier query --format json "SELECT 1 AS a, 2 AS a, 3 AS \"a.b\", NULL AS \"한글\", 'x|y' AS \"1\""
	same '{"a":1,"a_2":2,"a.b":3,"한글":null,"1":"x|y"}' "$(jq -c '.items[0]' <<< "$output")"
	expect 0 dossier query --format csv "SELECT 1 AS a, 2 AS a, 'x,\"y\"' AS \"c,d\""
	same 'a,a_2,"c,d" 1,2,"x,""y"""' "$(tr -d '\r' <<< "$output" | tr '\n' ' ' | sed 's/ $//')"
	expect 0 dossier query --format md "SELECT 'x|y' AS \"a|b\""
	line '| a\|b |' "$output"
	line '| x\|y |' "$output"
}

@test "query: it writes nothing, also not to a cache of its own" {
	local before
	mkdir here cache
	before=$(tree_hash here)$(tree_hash home)$(tree_hash cache)
	expect 0 dossier query "SELECT id FROM record ORDER BY body"
	same "$before" "$(tree_hash here)$(tree_hash home)$(tree_hash cache)"
}

@test "help query: every table and column that is open, and no other" {
	expect 0 dossier help query
	while IFS='|' read -r table columns; do
		[[ " quarantine decision standing " == *" $table "* ]] || line "  $(printf '%-16s' "$table") $columns" "$output"
	done < <(sqlite3 "$IMAGES/kb.db" "SELECT s.name, (SELECT group_concat(c.name, ', ') FROM pragma_table_info(s.name) c) FROM sqlite_schema s WHERE s.type = 'table'")
	lacks "  quarantine  " "$output"
	lacks "  decision  " "$output"
	lacks "  standing  " "$output"
	expect 0 dossier query --help
	holds "claim_archetype" "$output"
}

@test "help query: its examples run" {
	dossier help query | sed -n 's/^  \(dossier query ".*\)/\1/p' > examples
	[ "$(wc -l < examples)" -ge 2 ]
	while IFS= read -r example; do
		expect 0 bash -c "dossier() { '$DOSSIER' \"\$@\"; }; $example"
	done < examples
}
