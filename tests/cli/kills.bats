# What writes a file is killed before every call that changes something, and in the middle of a write: the
# file is the old one or the new one afterwards, never a part of one, and it opens.
# (For the ledger see ledger.bats, for decisions claims.bats.)

load common

CALLS=write,pwrite64,fsync,fdatasync,ftruncate,fchmod,rename,link,unlink

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

# A database is as old as its name of the chip; the next load goes through as if nothing had been.
check_database() {
	local name="" file
	for file in kb.db kb-quarantine.db; do either $file; done
	if [ -e out/kb.db ]; then
		name=$(dossier --kb out/kb.db show chip-x --format json | jq -r .name)
		[ "$name" = chip-x ] || same after "$name"
		same ok "$(sqlite3 out/kb.db 'PRAGMA integrity_check')"
	fi
	expect 0 dossier load kb -o out/kb.db
	cmp out/kb.db new/kb.db
	cmp out/kb-quarantine.db new/kb-quarantine.db
}

@test "kills: load -o leaves the old database or the new one, and it opens" {
	check() { check_database; }
	mkdir old new
	sed -i 's/^name: .*/name: "after"/' kb/evidence/accelerators/chip-x.yaml
	dossier load kb -o new/kb.db
	LEAST=8 kill_everywhere load kb -o out/kb.db # where there is none yet
	cut_short 40 load kb -o out/kb.db
	sed -i 's/^name: .*/name: "chip-x"/' kb/evidence/accelerators/chip-x.yaml
	dossier load kb -o old/kb.db
	run ! cmp -s old/kb.db new/kb.db
	sed -i 's/^name: .*/name: "after"/' kb/evidence/accelerators/chip-x.yaml
	LEAST=8 kill_everywhere load kb -o out/kb.db
	for blocks in 1 40 1000; do cut_short $blocks load kb -o out/kb.db; done
}

# Two files cannot be replaced in one step. Between the two the old knowledge may stand beside a quarantine that
# is not its own: it is read as it was or refused in one line, and what was always withheld never comes out.
@test "kills: load -o of another quarantine is the old, the new, or one clear refusal" {
	local guarded="Copper whales carry moonlight southward" refusals=0
	withheld() { # withheld ID EN
		sed -e "s/^id: q-01/id: $1/" -e "s/KV cache takes[^\"]*/$2/" "$REPO/claims/quarantine/q-01.yaml"
	}
	check() {
		local file
		for file in kb.db kb-quarantine.db; do either $file; done
		if [ -e out/kb.db ]; then
			run --separate-stderr dossier --kb out/kb.db list claims --format json
			lacks "$guarded" "$output$stderr"
			case $status in
			0) same "" "$stderr" ;;
			*)
				same 3 "$status"
				same 1 "$(wc -l <<< "$stderr")"
				holds out/kb.db "$stderr"
				refusals=$((refusals + 1))
				;;
			esac
		fi
		expect 0 dossier load kb -o out/kb.db
		expect 0 dossier --kb out/kb.db list claims
		cmp out/kb.db new/kb.db
		cmp out/kb-quarantine.db new/kb-quarantine.db
	}
	mkdir old new
	put claims/quarantine/q-51.yaml < <(withheld q-51 "$guarded")
	put claims/quarantine/q-52.yaml < <(withheld q-52 "Glass mountains melt sooner under lamps")
	dossier load kb -o old/kb.db
	rm kb/claims/quarantine/q-52.yaml
	put claims/quarantine/q-53.yaml < <(withheld q-53 "Paper lanterns weigh more indoors")
	dossier load kb -o new/kb.db
	LEAST=8 kill_everywhere load kb -o out/kb.db
	same 2 "$refusals" # between the two renames: at the flush of the folder and at the second rename
}

@test "kills: a load -o that cannot write one of its two files replaces neither" {
	local call n
	mkdir old
	dossier load kb -o old/kb.db
	put claims/quarantine/q-51.yaml < <(sed -e 's/^id: q-01/id: q-51/' -e 's/KV cache takes[^"]*/Glass mountains melt sooner under lamps/' "$REPO/claims/quarantine/q-01.yaml")
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
