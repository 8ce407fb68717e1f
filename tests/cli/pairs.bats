# The knowledge and its quarantine as files: copied, moved, linked, mixed up by hand, written and read at once.
# (For what a kill leaves see kills.bats.)

load common
setup() {
	common_setup
	a_source src-x
	an_accelerator chip-x src-x
	content before q-51
}

content() { # content NAME ID: the chip's name, and the one claim in quarantine that is the folder's own
	rm -f kb/claims/quarantine/*
	put "claims/quarantine/$2.yaml" < <(sed -e "s/^id: q-01/id: $2/" -e 's/KV cache takes[^"]*/Glass mountains melt sooner under lamps/' "$REPO/claims/quarantine/q-01.yaml")
	sed -i "s/^name: .*/name: \"$1\"/" "kb/evidence/accelerators/chip-x.yaml"
}

state_of() { # state_of FILE: the name in the knowledge, the claim in the quarantine
	echo "$(dossier --kb "$1" show chip-x --format json | jq -r .name) $(dossier --kb "$1" list claims --quarantined --format json | jq -r '.items[].id | select(. >= "q-50")')"
}

@test "pairs: the knowledge names its quarantine by the SHA-256 of the file, and the quarantine names nothing" {
	local image
	dossier load kb -o team.db
	for image in "team.db team-quarantine.db" "$IMAGES/kb.db $IMAGES/kb-quarantine.db"; do
		set -- $image
		same "$(sha256sum < "$2" | cut -d' ' -f1)" "$(sqlite3 "$1" 'SELECT digest FROM companion')"
		same 0 "$(sqlite3 "$2" 'SELECT count(*) FROM companion')"
	done
	expect 3 dossier --kb team-quarantine.db list models
	same "team-quarantine.db: expected a knowledge database, found the quarantine of one" "$stderr"
}

@test "pairs: moved and copied together they open; what is not its own is refused, and left out it is said" {
	dossier load kb -o team.db
	mkdir there
	cp team.db there/other.db
	cp team-quarantine.db there/other-quarantine.db
	same "before q-51" "$(state_of there/other.db)"
	content after q-51 # the same claim, so that only the digest tells
	dossier load kb -o team.db
	sed -i 's/Glass mountains/Paper mountains/' kb/claims/quarantine/q-51.yaml
	dossier load kb -o third.db
	cp third.db there/other.db
	expect 3 dossier --kb there/other.db list models
	same "there/other.db: expected its quarantine beside it, found another's: \`there/other-quarantine.db\`; copy both files, or load them again" "$stderr"
	rm there/other-quarantine.db
	expect 3 dossier --kb there/other.db list models
	holds 'expected its quarantine beside it, with `q-51`, found none' "$stderr"
	cp third-quarantine.db there/other-quarantine.db
	same "after q-51" "$(state_of there/other.db)"
	sqlite3 there/other-quarantine.db "UPDATE quarantine SET body = replace(body, 'Paper', 'Other')"
	expect 3 dossier --kb there/other.db list models
	holds "found another's" "$stderr"
	: > there/other-quarantine.db
	expect 3 dossier --kb there/other.db list models
	holds "found another's" "$stderr"
	# the next load puts all of it right
	expect 0 dossier load kb -o there/other.db
	same "other-quarantine.db other.db" "$(ls -A there | xargs)"
	same "after q-51" "$(state_of there/other.db)"
}

@test "pairs: behind a link, what it leads to is written and read with the quarantine beside it" {
	mkdir store
	dossier load kb -o store/real.db
	ln -s store/real.db team.db
	same "before q-51" "$(state_of team.db)"
	content after q-52
	expect 0 dossier load kb -o team.db
	[ -L team.db ]
	same "real-quarantine.db real.db" "$(ls -A store | xargs)"
	[ ! -e team-quarantine.db ]
	same "after q-52" "$(state_of team.db)"
	same "after q-52" "$(state_of store/real.db)"
	# where every file is a link to one of another name, the quarantine is found beside the link
	mkdir links
	mv store/real.db store/1
	mv store/real-quarantine.db store/2
	ln -s ../store/1 links/team.db
	ln -s ../store/2 links/team-quarantine.db
	same "after q-52" "$(state_of links/team.db)"
	# standard output that goes to a file is that file
	dossier load kb -o /dev/stdout > out.db
	same "after q-52" "$(state_of out.db)"
	[ -f out-quarantine.db ]
}

@test "pairs: what is no quarantine of ours is not written over under that name" {
	local before kind
	dossier load kb -o other.db
	dossier load kb -o team.db
	for kind in text foreign knowledge folder fifo link; do
		rm -rf team-quarantine.db
		case $kind in
		text) echo "my notes" > team-quarantine.db ;;
		foreign) sqlite3 team-quarantine.db 'CREATE TABLE mine (a); INSERT INTO mine VALUES (1)' ;;
		knowledge) cp other.db team-quarantine.db ;;
		folder) mkdir team-quarantine.db ;;
		fifo) mkfifo team-quarantine.db ;;
		link) ln -s other-quarantine.db team-quarantine.db ;;
		esac
		before=$(ls -lA --time-style=full-iso | grep -e team -e other; sha256sum < team.db)
		expect 3 dossier load kb -o team.db
		same "team-quarantine.db: expected a quarantine that \`dossier load\` wrote, or no file, found another file" "$stderr"
		same "$before" "$(ls -lA --time-style=full-iso | grep -e team -e other; sha256sum < team.db)"
	done
	for kind in empty stale; do # but these are
		rm -rf team-quarantine.db
		[ $kind = stale ] || : > team-quarantine.db
		[ $kind = empty ] || { cp other-quarantine.db team-quarantine.db && sqlite3 team-quarantine.db 'PRAGMA user_version = 2'; }
		expect 0 dossier load kb -o team.db
		same "before q-51" "$(state_of team.db)"
	done
}

@test "pairs: leftovers under a digest go with the next load, and nothing else of a like name" {
	dossier load kb -o team.db
	local left=team-quarantine-$(sha256sum < team-quarantine.db | cut -c1-16).db
	cp team-quarantine.db "$left"
	cp team-quarantine.db team-quarantine-0123456789abcdef.db # not what its name says
	cp team-quarantine.db "teams-${left#team-}"               # of another database
	cp team-quarantine.db "team-quarantine-$(sha256sum < team-quarantine.db | cut -c1-17).db"
	echo "my notes" > team-quarantine-fedcba9876543210.db
	: > .team.db.lock # of one that was killed
	content after q-52
	dossier load kb -o team.db
	[ ! -e "$left" ]
	[ ! -e .team.db.lock ]
	same 6 "$(ls -A | grep -c team)"
	same "after q-52" "$(state_of team.db)"
}

@test "pairs: one at a time writes to a path, and another waits" {
	dossier load kb -o team.db
	content after q-52
	: > .team.db.lock
	flock .team.db.lock sleep 2 3>&- &
	local holder=$! began
	sleep 0.3
	began=$(date +%s%N)
	expect 0 dossier load kb -o team.db
	[ $((($(date +%s%N) - began) / 1000000)) -ge 1000 ]
	wait $holder
	same "after q-52" "$(state_of team.db)"
	ls -A | grep lock | nothing
}

@test "pairs: two that load different folders into one file, and readers meanwhile: always one state" {
	local n
	cp -r kb one
	content after q-52
	cp -r kb two
	dossier load one -o team.db
	for folder in one two; do
		(for n in 1 2 3 4 5 6 7 8 9 10; do dossier load $folder -o team.db > $folder.out 2> $folder.err || echo "$folder $n" >> failed; done) 3>&- &
	done
	: > read
	while [ -n "$(jobs -pr)" ]; do
		dossier --kb team.db list claims --quarantined --format json > q.json 2> err || cat err >> failed
		jq -r '[.items[].id | select(. >= "q-50")] | join(" ")' q.json >> read
	done
	[ ! -e failed ] || { cat failed >&2 && return 1; }
	same "" "$(grep -v -x -e q-51 -e q-52 read || true)"
	[ "$(wc -l < read)" -ge 3 ]
	case $(state_of team.db) in "before q-51" | "after q-52") ;; *) false ;; esac
	same "team-quarantine.db team.db" "$(ls -A | grep team | xargs)"
}

@test "pairs: a database of an older version is refused, and loaded over" {
	dossier load kb -o team.db
	sqlite3 team.db 'DROP TABLE companion; PRAGMA user_version = 2'
	sqlite3 team-quarantine.db 'DROP TABLE companion; PRAGMA user_version = 2'
	expect 3 dossier --kb team.db list models
	holds "found version 2: build it again with \`dossier load\`" "$stderr"
	expect 0 dossier load kb -o team.db
	same "before q-51" "$(state_of team.db)"
	# the digest is part of a file's name, and must be none but one
	for digest in ../../etc/passwd "" ABCDEF "$(printf '0%.0s' {1..63})g"; do
		sqlite3 team.db "UPDATE companion SET digest = '$digest'"
		expect 3 dossier --kb team.db list models
		holds "team.db: expected the digest of its quarantine, found another text" "$stderr"
	done
}

@test "pairs: long names, and names without .db" {
	local long
	long=$(printf 'n%.0s' {1..220}) # with -quarantine, a digest and .tmp still below 255
	for name in "$long.db" plain ./a-quarantine.db .db; do
		expect 0 dossier load kb -o "$name"
		same "before q-51" "$(state_of "$name")"
	done
	[ -f plain-quarantine ]
	[ -f a-quarantine-quarantine.db ]
	ls -A | grep -e tmp -e lock | nothing
}

# Somebody to whom modes say something: the user, or where that is root another.
as_user() {
	if [ "$(id -u)" -eq 0 ]; then
		setpriv --reuid=65534 --regid=65534 --clear-groups env HOME=/nonexistent XDG_CACHE_HOME=/nonexistent "$DOSSIER" "$@"
	else
		"$DOSSIER" "$@"
	fi
}

@test "pairs: a folder that is only read, a file of another's, a lock that another left" {
	dossier load kb -o team.db
	content after q-52
	chmod a+x "$BATS_RUN_TMPDIR" "$BATS_RUN_TMPDIR"/test
	chmod -R a+rX "$T"
	as_user --kb team.db list models > /dev/null 2>&1 || skip "no other user can run it"
	mkdir shut
	mv team.db team-quarantine.db shut/
	[ "$(id -u)" -eq 0 ] || chmod 555 shut
	expect 4 as_user load kb -o shut/team.db
	holds "shut/" "$stderr"
	same 1 "$(wc -l <<< "$stderr")"
	same "before q-51" "$(state_of shut/team.db)"
	chmod 777 shut
	chmod 000 shut/team-quarantine.db
	expect 4 as_user load kb -o shut/team.db
	holds "cannot read shut/team-quarantine.db, which it would replace: Permission denied" "$stderr"
	same "team-quarantine.db team.db" "$(ls -A shut | xargs)"
	chmod 444 shut/team-quarantine.db
	: > shut/.team.db.lock
	chmod 444 shut/.team.db.lock
	expect 0 as_user load kb -o shut/team.db
	same "after q-52" "$(state_of shut/team.db)"
	same "team-quarantine.db team.db" "$(ls -A shut | xargs)"
	same 444 "$(stat -c %a shut/team-quarantine.db)"
	# one may write to the folder and not list it
	content before q-51
	chmod 333 shut
	expect 0 as_user load kb -o shut/team.db
	chmod 777 shut
	same "before q-51" "$(state_of shut/team.db)"
}
