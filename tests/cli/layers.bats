# What a team lays over the content that is built in: folders, databases, $DOSSIER_KB, the cache; and that
# reading never gets in the way of reading.

load common
setup() {
	common_setup
	a_source src-x
	an_accelerator chip-x src-x
}

chip() { # a customer with the team's chip
	a_customer acme neocloud | sed 's/accelerator: h200/accelerator: chip-x/'
}

@test "layers: a folder with one chip is laid over; without it the chip is unknown" {
	chip > c.yaml
	expect 3 dossier propose c.yaml
	holds "chip-x" "$stderr"
	expect 0 dossier --kb kb propose c.yaml
	holds "on chip-x" "$output"
	# 1,278,074,261,376 / (200e9 x 0.9) = 7.1
	dossier --kb kb size -m deepseek-v3 -a chip-x --weights fp8 --kv bf16 -c 128K -n 64 -f json | jq -e '.accelerators.by_capacity.value == 8' > /dev/null
	expect 0 dossier --kb kb list accelerators --format json
	same "$(($(dossier list accelerators --format json | jq '.items | length') + 1))" "$(jq '.items | length' <<< "$output")"
}

@test "layers: a record replaces the one of its id, and only that" {
	put evidence/accelerators/nvidia-h200-sxm.yaml < <(sed 's/printed: 141 GB/printed: 142 GB/; s/^name: .*/name: "The team'"'"'s H200"/' "$REPO/evidence/accelerators/nvidia-h200-sxm.yaml")
	expect 0 dossier --kb kb show h200
	holds "name: The team's H200" "$output"
	expect 0 dossier show h200
	lacks "team" "$output"
	same "$(dossier show h100)" "$(dossier --kb kb show h100)"
}

@test "layers: an archetype with another position, all checked against what is below" {
	put archetypes/neocloud.yaml < <(perl -0777 -pe 's/(- id: capacity-weights\n.*?\n  focus:\n    en: )[^\n]*(\n      [^\n]*)*/$1"Zebra focus."/s' "$REPO/archetypes/neocloud.yaml")
	grep -q Zebra kb/archetypes/neocloud.yaml
	a_customer acme neocloud > c.yaml
	expect 0 dossier --kb kb propose c.yaml
	holds "Zebra focus" "$output"
	dossier propose c.yaml | grep Zebra | nothing
	put archetypes/neocloud.yaml < <(sed '0,/levers: \[/s//levers: [no-such-lever, /' "$REPO/archetypes/neocloud.yaml")
	expect 3 dossier --kb kb propose c.yaml
	line "archetypes/neocloud.yaml:" "$stderr"
	holds "no-such-lever" "$stderr"
	same "" "$output"
}

@test "layers: several, the later over the earlier; DOSSIER_KB below --kb" {
	for n in 1 2 3; do
		mkdir -p k$n
		cp -r kb/. k$n/
		sed -i "s/^name: .*/name: \"chip of $n\"/" k$n/evidence/accelerators/chip-x.yaml
	done
	name() { dossier "$@" show chip-x | sed -n 's/^name: //p'; }
	same "chip of 2" "$(name --kb k1 --kb k2)"
	same "chip of 3" "$(DOSSIER_KB=k3 name)"
	same "chip of 1" "$(DOSSIER_KB=k3:k2 name --kb k1)"
	DOSSIER_KB='' expect 3 dossier show chip-x
	DOSSIER_KB=nowhere expect 3 dossier list models
	holds nowhere "$stderr"
}

@test "layers: what load -o wrote is the same as the folder" {
	expect 0 dossier load kb -o team.db
	[ -f team-quarantine.db ]
	chip > c.yaml
	for c in "propose c.yaml" "brief c.yaml" "list accelerators" "show chip-x" "list claims -q" "audit --all"; do
		dossier --kb kb $c > a
		dossier --kb team.db $c > b
		cmp a b
	done
	# alone as well, where only the one file was passed on
	mkdir elsewhere
	cp team.db elsewhere/
	expect 0 dossier --kb elsewhere/team.db show chip-x
	expect 0 dossier --kb elsewhere/team.db list claims -q --format json
	same 13 "$(jq '.items | length' <<< "$output")"
	# loaded again it is the same, byte for byte
	dossier load kb -o again.db
	cmp team.db again.db
	cmp team-quarantine.db again-quarantine.db
}

@test "layers: a database that is cut short, foreign, empty, of another version or a text gives one clear line" {
	dossier load kb -o team.db
	head -c 5000 team.db > cut.db
	head -c 100 team.db > stub.db
	: > empty.db
	echo "hello" > text.db
	sqlite3 foreign.db 'CREATE TABLE t(a); INSERT INTO t VALUES (1);'
	cp team.db future.db
	sqlite3 future.db "PRAGMA user_version = 99;"
	perl -e 'binmode STDOUT; print "SQLite format 3\0", "\xff" x 8176' > noise.db
	perl -0777 -pe 'substr($_, 4096, 4096) = "\xa5" x 4096' team.db > spoilt.db
	printf 'id: x\n' > record.yaml
	for f in cut stub empty text foreign future noise spoilt; do
		expect 3 dossier --kb $f.db list models
		same "" "$output"
		same 1 "$(wc -l <<< "$stderr")"
		holds "$f.db" "$stderr"
	done
	expect 3 dossier --kb record.yaml list models
	holds "record.yaml" "$stderr"
	same 1 "$(wc -l <<< "$stderr")"
}

@test "cache: a change, a new and a removed file are seen; the cache may go" {
	chip > c.yaml
	expect 0 dossier --kb kb show chip-x
	same 2 "$(ls cache/dossier | wc -l)"
	sed -i 's/^name: .*/name: "after"/' kb/evidence/accelerators/chip-x.yaml
	dossier --kb kb show chip-x | grep -q '^name: after$'
	an_accelerator chip-y src-x
	dossier --kb kb show chip-y > /dev/null
	rm kb/evidence/accelerators/chip-y.yaml
	expect 3 dossier --kb kb show chip-y
	same 2 "$(ls cache/dossier | wc -l)" # what is stale is taken away
	rm -r cache
	dossier --kb kb show chip-x | grep -q '^name: after$'
	echo garbage > "$(ls cache/dossier/*.db | grep -v quarantine)"
	dossier --kb kb show chip-x | grep -q '^name: after$'
	rm cache/dossier/*-quarantine.db
	dossier --kb kb list claims -q | grep -q q-01
	# a fault that came in is told, not hidden by the cache
	echo 'who: x' >> kb/evidence/accelerators/chip-x.yaml
	expect 3 dossier --kb kb show chip-x
	line "evidence/accelerators/chip-x.yaml:9:1: " "$stderr"
}

@test "cache: one folder's is not another's" {
	cp -r kb other
	sed -i 's/^name: .*/name: "other"/' other/evidence/accelerators/chip-x.yaml
	touch -r kb/evidence/accelerators/chip-x.yaml other/evidence/accelerators/chip-x.yaml
	dossier --kb kb show chip-x | grep -q '^name: chip-x$'
	dossier --kb other show chip-x | grep -q '^name: other$'
	dossier --kb kb show chip-x | grep -q '^name: chip-x$'
	# the same relative name in another folder
	mkdir sub
	mv other sub/kb
	dossier --kb kb show chip-x | grep -q '^name: chip-x$'
	(cd sub && dossier --kb kb show chip-x) | grep -q '^name: other$'
}

@test "cache: a folder that cannot be written to, or is none, is no trouble" {
	echo file > blocked
	for c in "$T/blocked" relative ''; do
		XDG_CACHE_HOME=$c expect 0 dossier --kb kb show chip-x
		same "" "$stderr"
	done
	[ ! -e relative ]
	env -u XDG_CACHE_HOME -u HOME "$DOSSIER" --kb kb show chip-x > /dev/null
	same 2 "$(ls "$HOME/.cache/dossier" | wc -l)" # where the name was empty or relative
	[ "$(id -u)" -ne 0 ] || return 0
	mkdir shut
	chmod 500 shut
	XDG_CACHE_HOME=$T/shut expect 0 dossier --kb kb show chip-x
	same "" "$stderr"
}

@test "load: four at once into one file all succeed, and leave one whole file" {
	for n in 1 2 3 4; do
		dossier load kb -o same.db 2> $n.err &
	done
	for job in $(jobs -p); do wait "$job"; done
	for n in 1 2 3 4; do same "dossier: 2 records are in order, written to same.db" "$(cat $n.err)"; done
	same ok "$(sqlite3 same.db 'PRAGMA integrity_check')"
	dossier --kb same.db show chip-x > /dev/null
	same "same-quarantine.db same.db" "$(ls -A | grep same | xargs)"
	ls -A | grep tmp | nothing
}

@test "reading: four readers at once of a folder that is not in the cache yet" {
	for n in 1 2 3 4; do dossier --kb kb show chip-x > $n.out 2> $n.err & done
	for job in $(jobs -p); do wait "$job"; done
	for n in 1 2 3 4; do
		same "" "$(cat $n.err)"
		cmp 1.out $n.out
	done
	same 2 "$(ls -A cache/dossier | wc -l)"
}

# kb-behaviour 38: nothing to wait for where nothing is written
@test "reading: what is compiled already is opened for reading alone, and nothing is locked" {
	strace -qq -o /dev/null true 2> /dev/null || skip "strace cannot run here"
	a_claim claim-x src-x
	dossier load kb -o team.db
	a_customer acme neocloud > c.yaml
	dossier --kb kb list claims > /dev/null
	dossier --kb team.db list claims > /dev/null
	local layer c
	for layer in kb team.db; do
		for c in "list claims" "show claim-x" "search plain" "query 'SELECT id FROM record'" "audit" "advise c.yaml" "propose c.yaml"; do
			eval "ASAN_OPTIONS=detect_leaks=0 strace -f -qq -o trace -e trace=open,openat,creat,fcntl,flock,unlink,rename,mkdir $DOSSIER --kb $layer $c" > /dev/null || [ "$c" = audit ]
			grep -q "O_RDONLY" trace
			{ grep -E 'O_WRONLY|O_RDWR|O_CREAT|F_SETLKW?|F_OFD_SETLK|LOCK_EX|creat\(|unlink\(|rename\(|mkdir\(' trace || true; } | nothing
		done
	done
}

# kb-behaviour 43
@test "load: a database has no WAL, which a network file system would not bear, and no file beside it" {
	expect 0 dossier load kb -o team.db
	expect 0 dossier --kb team.db list claims
	expect 0 dossier --kb kb list claims
	local file
	for file in team.db team-quarantine.db cache/dossier/*.db; do
		same "1 1" "$(od -An -tu1 -j18 -N2 "$file" | xargs)" # the versions of the format; 2 is WAL
	done
	find . -name '*-wal' -o -name '*-shm' -o -name '*-journal' | nothing
}

# kb-behaviour 57
@test "load: what was taken out of the folder is not left in the file or in the cache" {
	a_claim claim-x src-x
	a_claim claim-gone src-x
	sed -i 's/A plain statement/A vermilion statement/' kb/claims/sourced/claim-gone.yaml
	expect 0 dossier load kb -o team.db
	expect 0 dossier --kb kb search vermilion
	grep -q -a vermilion team.db
	grep -q -a vermilion cache/dossier/*.db
	rm kb/claims/sourced/claim-gone.yaml
	expect 0 dossier load kb -o team.db
	for layer in kb team.db; do
		expect 0 dossier --kb $layer search vermilion
		same "dossier: nothing found" "$stderr"
	done
	{ grep -l -a -e vermilion -e claim-gone -r team.db team-quarantine.db cache || true; } | nothing
}

@test "load: a failed one leaves the file as it was" {
	dossier load kb -o team.db
	before=$(tree_hash .)
	echo 'who: x' >> kb/evidence/accelerators/chip-x.yaml
	before=$(sha256sum team.db team-quarantine.db)
	expect 3 dossier load kb -o team.db
	same "$before" "$(sha256sum team.db team-quarantine.db)"
	sed -i '$d' kb/evidence/accelerators/chip-x.yaml
	expect 4 dossier load kb -o nowhere/team.db
	holds "nowhere" "$stderr"
	expect 2 dossier load kb -o /dev/full # no regular file: two are written beside each other
	ls -A | grep tmp | nothing
}

@test "design: the content of this repository loads, and is what is built in" {
	expect 0 dossier load "$REPO" -o all.db
	for t in record finding evidence position lever; do
		same "$(sqlite3 "$IMAGES/kb.db" "SELECT count(*) FROM $t")" "$(sqlite3 all.db "SELECT count(*) FROM $t")"
	done
	same "$(sqlite3 "$IMAGES/kb.db" 'SELECT id, body FROM record ORDER BY id' | sha256sum)" "$(sqlite3 all.db 'SELECT id, body FROM record ORDER BY id' | sha256sum)"
}

@test "design: the reference values typed in here are those of the shared cases" {
	seed=$REPO/../shared/cases/sizing-seed.yaml
	[ -f "$seed" ] || skip "no shared cases"
	for value in "kv_bytes_per_token: 70272" "kv_bytes: 589484261376" "ratio_printed: 0.86" "flag: weight-bound" "by_capacity: 10, for_weights: 6, with_weights_nvfp4: 8, with_kv_fp8: 8" "whole_sequences: 74" "qwen3-14b_KiB: 160, deepseek-v3_KiB: 68.625, gemma-3-27b_growth_KiB: 80, nemotron-3-nano_KiB: 6"; do
		grep -q -F "$value" "$seed"
	done
}

@test "cache: two folders of one name are two folders" {
	mkdir -p a/kb b/kb
	KB=a/kb an_accelerator chip-x src-x
	KB=a/kb a_source src-x
	KB=a/kb sed -i 's/200 GB/200 GB/' a/kb/evidence/accelerators/chip-x.yaml
	cp -a a/kb/. b/kb/
	sed -i 's/printed: 200 GB/printed: 300 GB/' b/kb/evidence/accelerators/chip-x.yaml
	touch -r a/kb/evidence/accelerators/chip-x.yaml b/kb/evidence/accelerators/chip-x.yaml
	printed() { (cd "$1" && "$DOSSIER" --kb kb show chip-x --format json | jq -r .memory.printed); }
	same "200 GB" "$(printed a)"
	same "300 GB" "$(printed b)"
}

@test "layers: a database that someone edited is held against the tables again, and never crashes" {
	a_source src-x
	a_claim claim-x src-x
	expect 0 dossier load kb -o team.db
	local change
	for change in "body = '[1]'" "body = '{}'" "body = json_remove(body, '\$.statement')" \
		"body = json_set(body, '\$.statement', 'text')" "body = json_remove(body, '\$.evidence')" \
		"body = json_remove(body, '\$.id')" "body = json_set(body, '\$.evidence', 7)" "kind = 'nothing'" "body = 'no json'"; do
		cp team.db edited.db
		cp team-quarantine.db edited-quarantine.db
		sqlite3 edited.db "UPDATE record SET $change WHERE id = 'claim-x'"
		expect 3 dossier --kb edited.db list claims
	done
}
