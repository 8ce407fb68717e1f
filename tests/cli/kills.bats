# What writes a file is killed before every call that changes something, and in the middle of a write: the
# file is the old one or the new one afterwards, never a part of one, and it opens.
# (For the ledger see ledger.bats, for decisions claims.bats.)

load common

CALLS=write,pwrite64,fsync,fdatasync,ftruncate,fchmod,chmod,rename,link,unlink

setup() {
	common_setup
	strace -qq -o /dev/null -e trace=fsync -e inject=fsync:error=EIO true 2> /dev/null || skip "strace cannot run here"
	a_source src-x
	an_accelerator chip-x src-x
	a_customer acme neocloud > c.yaml
	mkdir out
}

traced() { # traced INJECTION COMMAND...: the calls of its only process in the file `trace`
	local injection=$1
	shift
	ASAN_OPTIONS=detect_leaks=0 strace -f -qq -o trace -e trace=$CALLS -e "$injection" "$DOSSIER" "$@"
}

# Kill the command at each of its calls, one after the other, from the state old/; call `check` each time.
kill_everywhere() { # kill_everywhere COMMAND...
	local call n count kills=0
	rm -rf out && cp -r old out
	traced trace=$CALLS "$@" > /dev/null 2>&1
	cp trace calls
	[ -s calls ]
	for call in ${CALLS//,/ }; do
		count=$(grep -c -E "^[0-9]+ +$call\(" calls || true)
		for ((n = 1; n <= count; n++)); do
			rm -rf out && cp -r old out
			run traced "inject=$call:signal=KILL:when=$n" "$@"
			same "$call $n 137" "$call $n $status"
			kills=$((kills + 1))
			check
		done
	done
	[ "$kills" -ge "$LEAST" ]
}

# The limit of a file's size ends the write of a file behind some of its bytes, as nothing else does.
cut_short() { # cut_short BLOCKS COMMAND...: of 1,024 bytes
	local blocks=$1
	shift
	rm -rf out && cp -r old out
	run bash -c 'ulimit -c 0; ulimit -f "$0"; "$@"' "$blocks" "$DOSSIER" "$@"
	[ "$status" -ne 0 ]
	check
}

either() { # either FILE: what lies there is what lay there, or what would
	local found
	found=$(sha256sum 2> /dev/null < "out/$1" || echo none)
	[ "$found" = "$(sha256sum 2> /dev/null < "old/$1" || echo none)" ] ||
		same "$(sha256sum < "new/$1")" "$found"
}

# What opens is all of the old or all of the new: the name of the chip in the knowledge, the claims in the quarantine.
# The next load goes through as if nothing had been, and leaves nothing of the one that was killed.
check_database() {
	local file
	for file in kb.db kb-quarantine.db; do either $file; done
	if [ -e out/kb.db ]; then
		STATE=$(state_of out/kb.db)
		[ "$STATE" = "${OLD_STATE:-}" ] || same "$NEW_STATE" "$STATE"
		same ok "$(sqlite3 out/kb.db 'PRAGMA integrity_check')"
	else
		same "" "${OLD_STATE:-}"
	fi
	expect 0 dossier load kb -o out/kb.db
	cmp out/kb.db new/kb.db
	cmp out/kb-quarantine.db new/kb-quarantine.db
	same "kb-quarantine.db kb.db" "$(ls -A out | xargs)"
}

state_of() { # state_of FILE
	dossier --kb "$1" show chip-x --format json | jq -r .name
	dossier --kb "$1" list claims --quarantined --format json | jq -r '.items[].id'
}

withheld() { # withheld ID EN: a claim in quarantine
	put "claims/quarantine/$1.yaml" < <(sed -e "s/^id: q-01/id: $1/" -e "s/KV cache takes[^\"]*/$2/" "$REPO/claims/quarantine/q-01.yaml")
}

before() { # the content of the old state
	rm -f kb/claims/quarantine/*
	withheld q-51 "Copper whales carry moonlight southward"
	withheld q-52 "Glass mountains melt sooner under lamps"
	sed -i 's/^name: .*/name: "before"/' kb/evidence/accelerators/chip-x.yaml
}

after() { # and of the new one: another chip, one claim more and one less
	before
	rm kb/claims/quarantine/q-52.yaml
	withheld q-53 "Paper lanterns weigh more indoors"
	sed -i 's/^name: .*/name: "after"/' kb/evidence/accelerators/chip-x.yaml
}

@test "kills: load -o leaves no database or the new one, where there was none" {
	check() { check_database; }
	mkdir old new
	after
	dossier load kb -o new/kb.db
	NEW_STATE=$(state_of new/kb.db)
	LEAST=12 kill_everywhere load kb -o out/kb.db
	cut_short 40 load kb -o out/kb.db
}

# The knowledge and its quarantine are two files with one commit: the rename of the knowledge.
@test "kills: load -o leaves the old database or the new one, with the quarantine of its own" {
	local news=0 named=0
	check() {
		! [ -e "$(echo out/kb-quarantine-*.db)" ] || named=$((named + 1))
		check_database
		[ "$STATE" != "$NEW_STATE" ] || news=$((news + 1))
	}
	mkdir old new
	before
	dossier load kb -o old/kb.db
	OLD_STATE=$(state_of old/kb.db)
	same "before q-51 q-52" "$(grep -x -e before -e 'q-5.' <<< "$OLD_STATE" | xargs)"
	after
	dossier load kb -o new/kb.db
	NEW_STATE=$(state_of new/kb.db)
	same "after q-51 q-53" "$(grep -x -e after -e 'q-5.' <<< "$NEW_STATE" | xargs)"
	chmod 640 old/kb-quarantine.db
	LEAST=14 kill_everywhere load kb -o out/kb.db
	[ "$news" -ge 3 ]   # the flush and the renaming after the commit, and what follows
	[ "$named" -ge 5 ]  # before and after the commit, the new quarantine lies under its digest
	same 640 "$(stat -c %a out/kb-quarantine.db)"
	for blocks in 1 40 1000; do cut_short $blocks load kb -o out/kb.db; done
}

@test "kills: what a killed load -o left is put right by the next that fails, and may be copied as it is" {
	mkdir old new
	before
	dossier load kb -o old/kb.db
	after
	dossier load kb -o new/kb.db
	NEW_STATE=$(state_of new/kb.db)
	rm -r out && cp -r old out
	run traced "inject=rename:signal=KILL:when=3" load kb -o out/kb.db # the knowledge is in place, its quarantine is not
	same 137 "$status"
	cmp out/kb.db new/kb.db
	cmp out/kb-quarantine.db old/kb-quarantine.db
	mkdir copied lone
	cp out/kb* copied/
	same "$NEW_STATE" "$(state_of copied/kb.db)"
	cp out/kb.db out/kb-quarantine.db lone/ # but the wrong one alone will not do
	expect 3 dossier --kb lone/kb.db list models
	line "lone/kb.db: expected its quarantine beside it, found another's: \`lone/kb-quarantine.db\`" "$stderr"
	same 1 "$(wc -l <<< "$stderr")"
	before
	run traced "inject=write:error=ENOSPC:when=1" load kb -o out/kb.db
	same 4 "$status"
	same "kb-quarantine.db kb.db" "$(ls -A out | xargs)"
	cmp out/kb.db new/kb.db
	cmp out/kb-quarantine.db new/kb-quarantine.db
}

@test "kills: a load -o that cannot write one of its two files replaces neither" {
	local call n
	mkdir old
	dossier load kb -o old/kb.db
	withheld q-51 "Glass mountains melt sooner under lamps"
	for call in write:ENOSPC:1 write:ENOSPC:2 fsync:EIO:1 fsync:EIO:2 rename:EIO:1; do
		n=${call##*:}
		rm -rf out && cp -r old out
		run --separate-stderr traced "inject=${call%%:*}:error=$(cut -d: -f2 <<< $call):when=$n" load kb -o out/kb.db
		same "$call 4" "$call $status"
		same 1 "$(wc -l <<< "$stderr")"
		same "kb-quarantine.db kb.db" "$(ls -A out | xargs)"
		cmp old/kb.db out/kb.db
		cmp old/kb-quarantine.db out/kb-quarantine.db
	done
}

# The name of a cache is a digest of what it was made from, and both of its files have it: there is nothing to commit.
@test "kills: a cache that is half written is written again, and nobody sees it" {
	check() {
		same "$NEW_STATE" "$(state_of kb)"
		[ "$(ls -A out/dossier | grep -c '\.db$')" -le 4 ] # those before go when the next are written
	}
	export XDG_CACHE_HOME=$T/out
	mkdir old
	before
	dossier --kb kb list models > /dev/null
	rmdir old
	cp -r out old
	after
	NEW_STATE=$(state_of kb)
	LEAST=10 kill_everywhere --kb kb list models
}

@test "kills: propose -o and brief -o leave the old draft or the new one" {
	check() {
		either "$NAME"
		[ ! -e "out/$NAME" ] || dossier lint "out/$NAME"
		expect 0 dossier "${DRAFT[@]}" -o "out/$NAME"
		cmp "out/$NAME" "new/$NAME"
	}
	local command
	for command in propose brief; do
		DRAFT=("$command" c.yaml --lang en)
		NAME=draft.md
		[ "$command" = propose ] || NAME=INTERNAL.md
		rm -rf old new
		mkdir old new
		dossier "${DRAFT[@]}" -o "new/$NAME"
		LEAST=4 kill_everywhere "${DRAFT[@]}" -o "out/$NAME" # where there is none yet
		dossier "$command" c.yaml --lang ko -o "old/$NAME"
		run ! cmp -s "old/$NAME" "new/$NAME"
		LEAST=5 kill_everywhere "${DRAFT[@]}" -o "out/$NAME" # one more: the old one's mode is kept
		cut_short 1 "${DRAFT[@]}" -o "out/$NAME"
	done
}
