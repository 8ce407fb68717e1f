# Collections of some size: within a budget, from the cache, several at once.

load common

setup_file() {
	clean_environment "$BATS_FILE_TMPDIR"
	awk -v N=2000 -v DIR="$BATS_FILE_TMPDIR/kb" -f "$REPO/tests/bench/collection.awk"
}
setup() { common_setup; KB=$BATS_FILE_TMPDIR/kb; }

@test "scale: two thousand records load within a budget of time, and none is lost" {
	expect 0 bash -c 'ulimit -t 20; "$@"' - "$DOSSIER" load --alone "$KB" -o "$T/kb.db"
	holds "2000 records are in order" "$stderr"
	same 1900 "$(sqlite3 "$T/kb.db" "SELECT count(*) FROM record")" # a tenth of a thousand claims is in quarantine
	same 100 "$(sqlite3 "$T/kb-quarantine.db" "SELECT count(*) FROM quarantine")"
}

# kb-behaviour 39: one transaction, in memory, and two files written whole
@test "scale: what is written does not grow with the records" {
	strace -qq -o /dev/null true 2> /dev/null || skip "strace cannot run here"
	ASAN_OPTIONS=detect_leaks=0 strace -f -qq -o trace -e trace=write,pwrite64,fsync,fdatasync,rename,unlink "$DOSSIER" load --alone "$KB" -o kb.db
	# a write, a flush, a rename and a flush of the folder for each file; the rest is room for the note and long files
	[ "$(wc -l < trace)" -le 20 ]
	[ "$(grep -c fsync trace)" -ge 4 ]
}

@test "scale: a search of two syllables finds what grep finds" {
	expect 0 dossier --kb "$KB" search --format csv 비용
	local found
	found=$(tr -d '\r' <<< "$output" | cut -d, -f2 | grep -E '^(src|claim|arch)-[0-9]+$' | sort)
	[ -n "$found" ]
	same "$(grep -l -r 비용 "$KB" | xargs -n 1 basename -s .yaml | grep -v '^q-' | sort)" "$found"
}

@test "scale: an unchanged folder is not read again, a changed one is" {
	expect 0 dossier --kb "$KB" list tiers
	local before
	before=$(tree_hash cache)
	expect 0 dossier --kb "$KB" list archetypes --format csv
	same "$before" "$(tree_hash cache)"
	cp -a "$KB" changed
	expect 0 dossier --kb changed show src-7
	sed -i 's/^publisher: .*/publisher: "Another"/' changed/evidence/documents/src-7.yaml
	expect 0 dossier --kb changed show src-7
	holds "publisher: Another" "$output"
}

@test "scale: four at once that all compile the same folder say the same, and leave one whole cache" {
	local i
	for i in 1 2 3 4; do
		"$DOSSIER" --kb "$KB" query --format csv "SELECT count(*) FROM record" > "out.$i" 2> "err.$i" &
	done
	wait
	for i in 1 2 3 4; do
		same "" "$(cat "err.$i")"
		same "$(cat out.1)" "$(cat "out.$i")"
	done
	[ "$(tail -n 1 out.1 | tr -d '\r')" -gt 1900 ]
	same 2 "$(find cache -name '*.db' | wc -l)" # the knowledge and its quarantine
	find cache -name '*.tmp' | nothing
	expect 0 dossier --kb "$KB" query --format csv "SELECT count(*) FROM record"
	same "$(tr -d '\r' < out.1)" "$(tr -d '\r' <<< "$output")"
}

@test "scale: a damaged cache is built anew" {
	expect 0 dossier --kb "$KB" query --format csv "SELECT count(*), sum(length(body)) FROM record"
	local right=$output file
	for file in cache/dossier/*.db; do
		printf 'x' | dd of="$file" bs=1 seek=20000 conv=notrunc status=none
	done
	expect 0 dossier --kb "$KB" query --format csv "SELECT count(*), sum(length(body)) FROM record"
	same "$right" "$output"
	for file in cache/dossier/*.db; do
		truncate -s 5000 "$file"
	done
	expect 0 dossier --kb "$KB" query --format csv "SELECT count(*), sum(length(body)) FROM record"
	same "$right" "$output"
}

@test "scale: a hundred quarantined claims more are in no answer" {
	expect 0 dossier --kb "$KB" query --limit 100000 --format csv "SELECT body FROM record UNION ALL SELECT folded FROM search"
	local found=$output
	no_wording "$KB/claims/quarantine" <<< "$found"
}

@test "scale: a chain of claims as long as the folder ends, and a ring of it is one fault" {
	cp -a "$KB" ring
	while read -r i; do
		printf 'rests_on: [claim-%d]\n' $(((i + 1) % 900)) >> "ring/claims/sourced/claim-$i.yaml"
	done < <(seq 0 899)
	expect 3 dossier load --alone ring
	same 1 "$(grep -c "may not rest on itself" <<< "$stderr")"
	sed -i '$d' ring/claims/sourced/claim-899.yaml
	expect 0 dossier load --alone ring
}

@test "scale: each of two hundred archetypes has its own coverage and its own counts" {
	local weak
	expect 1 dossier --kb "$KB" audit --today 2026-12-01 --format json
	jq -r '.archetypes[] | select(.id | startswith("arch-")) | [.id, .withheld] | @tsv' <<< "$output" | sort > withheld
	same "$(grep -h -o 'arch-[0-9]*' "$KB"/claims/quarantine/*.yaml | sort | uniq -c | awk '{ print $2 "\t" $1 }')" "$(awk '$2 > 0' withheld)"
	jq -r '.coverage[] | select(.archetype | startswith("arch-")) | [.archetype, .part, "\(.evidenced) / \(.weak) / \(.none)"] | @tsv' <<< "$output" > cells
	expect 1 dossier --kb "$KB" audit --today 2026-12-01
	grep '^arch-' <<< "$output" | awk -F '  +' '{ print $1 "\tloss-reason\t" $4 "\n" $1 "\tobjection\t" $3 "\n" $1 "\tpain\t" $2 }' | sort > shown
	same "$(sort cells)" "$(cat shown)"
	# the pain of arch-0 stands on claim-0, and that on one finding: weak if its source is of grade C
	weak=$(grep -l '^grade: C' $(grep -h -o 'src-[0-9]*' "$KB/claims/sourced/claim-0.yaml" | sed "s,.*,$KB/evidence/documents/&.yaml,") | wc -l)
	holds "arch-0	pain	$([ "$weak" -gt 0 ] && echo '0 / 1 / 0' || echo '1 / 0 / 0')" "$(cat cells)"
}

# kb-behaviour 63: putting accents in order takes time in the square of their number
@test "scale: a letter with 400,000 accents is refused at once, in whatever is read" {
	perl -e 'print "format: \"a", "\xcc\x81\xcc\x96" x 200000, "\"\n"' > accents.yaml
	{ printf -- '---\narchetype: neocloud\naudience: customer\n---\n\n'; cat accents.yaml; } > accents.md
	printf '{"model_type": "%s"}' "$(tail -c +10 accents.yaml | tr -d '"\n')" > accents.json
	for command in "propose accents.yaml" "lint accents.md" "import accents.json"; do
		# shellcheck disable=SC2086
		expect 3 bash -c 'ulimit -t 5; "$@"' - "$DOSSIER" $command
		holds "expected at most 30 accents on one letter" "$stderr"
	done
	expect 3 dossier propose accents.yaml
	line "accents.yaml:1:41: " "$stderr"
}
