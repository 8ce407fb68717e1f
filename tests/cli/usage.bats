# How the program is called, what it says when called wrongly, and its exit statuses:
# 0 done, 1 findings, 2 usage, 3 bad input or nothing to check, 4 environment.

load common
setup() { common_setup; }

COMMANDS="intake brief propose issue size sweep advise list show search query audit lint claim load import help completion"

@test "usage: no command prints the usage on standard error and fails" {
	expect 2 dossier
	same "" "$output"
	holds "usage: dossier COMMAND" "$stderr"
	for c in $COMMANDS; do holds "  $c " "$stderr"; done
}

@test "usage: a misspelt command gets the nearest one, another gets none" {
	expect 2 dossier lst
	holds 'did you mean `dossier list`' "$stderr"
	expect 2 dossier porpose x.yaml
	holds 'did you mean `dossier propose`' "$stderr"
	expect 2 dossier xyzzyplugh
	lacks "did you mean" "$stderr"
	holds "xyzzyplugh" "$stderr"
	same "" "$output"
}

@test "usage: an unknown option, also of another command, also glued together" {
	for args in "list --frmat json models" "list models --today 2026-01-01" "list -z models" "list -qx models" "-x" "--kbb x list models"; do
		expect 2 dossier $args
		holds "is no option" "$stderr"
		same "" "$output"
	done
	expect 2 dossier list --quarantined=yes claims
	holds "--quarantined takes no value" "$stderr"
}

@test "usage: a missing value, a missing operand, one too many" {
	expect 2 dossier list models --format
	holds "--format: expected FORMAT, found nothing" "$stderr"
	expect 2 dossier list --kb
	holds "--kb: expected PATH" "$stderr"
	for c in list show search propose brief advise completion; do
		expect 2 dossier $c
		holds "found nothing" "$stderr"
		holds "dossier $c --help" "$stderr"
	done
	expect 2 dossier list models tiers
	holds '`tiers` as well' "$stderr"
	expect 2 dossier audit x
	expect 2 dossier intake
	holds "--archetype ID" "$stderr"
	expect 2 dossier search "   "
}

@test "usage: wrong values of options are usage errors that name what is right" {
	for c in "list models" "search memory" "audit --fingerprints"; do
		expect 2 dossier $c --format xml
		holds "table," "$stderr"
		holds '`xml`' "$stderr"
	done
	expect 2 dossier audit --format xml
	holds "table, text, json, csv, md or sarif" "$stderr"
	expect 2 dossier audit --fingerprints --format sarif
	expect 2 dossier list models --lang fr
	holds "en or ko" "$stderr"
	expect 2 dossier audit --today 2026-02-30
	expect 2 dossier intake --archetype neocloud --date 2026-2-3
	expect 2 dossier list animals
	holds "archetypes, claims, sources" "$stderr"
	expect 2 dossier help xyzzy
	expect 2 dossier completion ksh
	expect 2 dossier help --schema xyzzy
	a_customer acme neocloud > c.yaml
	expect 2 dossier propose c.yaml --audience boss
	for c in "advise c.yaml" "show h200" "size --model qwen3-14b --accelerator h200 --weights bf16 --kv bf16 -c 4K -n 4"; do
		for format in csv md; do
			expect 2 dossier $c --format $format
			lacks "$format or" "$stderr"
		done
	done
}

@test "usage: --help of every command, with its options, on standard output" {
	expect 0 dossier --help
	holds "exit status: 0 done" "$output"
	for c in $COMMANDS; do
		expect 0 dossier $c --help
		same "" "$stderr"
		holds "usage: dossier $c" "$output"
		holds "--kb PATH" "$output"
		local help=$output
		expect 0 dossier help $c
		same "$help" "$output"
		expect 0 dossier $c -h --format
		same "$help" "$output"
	done
}

@test "usage: --version is the one of the header" {
	version=$(sed -n 's/^#define DOSSIER_VERSION "\(.*\)"/\1/p' "$REPO/src/cli/version.h")
	[ -n "$version" ]
	expect 0 dossier --version
	same "dossier $version" "$output"
	expect 0 dossier list --version
	same "dossier $version" "$output"
}

@test "usage: after -- nothing is an option; - is standard input" {
	expect 0 dossier list -- models
	holds "deepseek-v3" "$output"
	expect 3 dossier show -- --help
	holds '`--help`' "$stderr"
	expect 2 dossier list -- models --format
	a_customer acme neocloud > c.yaml
	expect 0 dossier propose c.yaml
	local draft=$output
	run --separate-stderr dossier propose - < c.yaml
	[ "$status" -eq 0 ]
	same "$draft" "$output"
}

@test "usage: options may stand anywhere, --x=y and -xy too" {
	expect 0 dossier list models --format json
	local wanted=$output
	for args in "--format=json list models" "list --format=json models" "list -f json models" "list -fjson models" "list models -f json --no-color"; do
		# before the command its own options are not known
		[[ $args == --format* ]] && { expect 2 dossier $args; continue; }
		expect 0 dossier $args
		same "$wanted" "$output"
	done
	expect 0 dossier --lang ko list archetypes
	holds "신흥 클라우드 사업자" "$output"
}

@test "status: 1 for findings, and only for them" {
	expect 0 dossier audit --today 2026-12-01
	expect 1 dossier audit --today 2029-01-01
	holds "2027" "$output"
}

@test "status: 3 for bad input, each with its name" {
	for c in "propose none.yaml" "brief none.yaml" "advise none.yaml"; do
		expect 3 dossier $c
		holds "none.yaml" "$stderr"
		same "" "$output"
	done
	expect 3 dossier propose .
	expect 3 dossier show xyzzyplugh
	expect 3 dossier load nowhere
	expect 3 dossier --kb nowhere list models
	: > empty.yaml
	expect 3 dossier advise empty.yaml
	expect 3 dossier intake --archetype h200
	expect 3 dossier size --model xyzzy --accelerator h200
}

@test "status: 4 for a full disk and for what one may not write" {
	run bash -c "'$DOSSIER' list models > /dev/full"
	[ "$status" -eq 4 ]
	holds "No space left" "$output"
	a_customer acme neocloud > c.yaml
	expect 4 dossier propose c.yaml -o nowhere/draft.md
	expect 4 dossier propose c.yaml -o /dev/full
	same "" "$output"
	[ "$(id -u)" -ne 0 ] || skip "root may write anywhere"
	mkdir shut
	chmod 500 shut
	expect 4 dossier propose c.yaml -o shut/draft.md
	holds "shut/draft.md" "$stderr"
}

@test "status: a failed command prints nothing on standard output and leaves no file" {
	a_customer acme neocloud | sed 's/fp8/fp7/' > c.yaml
	expect 3 dossier propose c.yaml -o out.md
	same "" "$output"
	[ ! -e out.md ]
	echo before > out.md
	expect 3 dossier propose c.yaml -o out.md
	same before "$(cat out.md)"
}

@test "pipe: a reader that leaves early is no trouble" {
	run bash -c "'$DOSSIER' list sources --format json | head -1"
	[ "$status" -eq 0 ]
	same "{" "$output"
	for i in 1 2 3; do
		bash -c "'$DOSSIER' list sources --format json 2> err.txt; echo \$? > status.txt" | head -1 > /dev/null
		same "" "$(cat err.txt)"
	done
}

@test "pipe: no colour and no cursor codes, whatever the terminal says" {
	a_customer acme neocloud > c.yaml
	TERM=xterm-256color CLICOLOR_FORCE=1 FORCE_COLOR=1 run bash -c "for c in 'list models' 'audit' 'advise c.yaml' 'propose c.yaml' 'show h200' 'lst'; do '$DOSSIER' \$c 2>&1; done"
	lacks $'\e' "$output"
}

@test "terminal: tables keep within it, and NO_COLOR is heeded" {
	script -qec true /dev/null < /dev/null > /dev/null 2>&1 || skip "no pseudo-terminal"
	tty() { script -qec "$1" /dev/null < /dev/null | tr -d '\r'; }
	for width in 72 90 120; do
		tty "stty cols $width; COLUMNS=$width '$DOSSIER' list sources" > $width.txt
		holds "deepseek" "$(cat $width.txt)"
		perl -CSD -ne 'chomp; s/\e\[[0-9;]*m//g; print if length > '$width $width.txt | nothing
	done
	[ "$(wc -l < 72.txt)" -gt "$(wc -l < 120.txt)" ]
	lacks $'\e' "$(tty "NO_COLOR=1 '$DOSSIER' list archetypes")"
	lacks $'\e' "$(tty "'$DOSSIER' --no-color list archetypes")"
	expect 0 dossier list sources
	local piped=$output
	COLUMNS=40 expect 0 dossier list sources
	same "$piped" "$output"
}

@test "help: the man page, completions and schemas are printed from the same tables" {
	expect 0 dossier help --man
	for c in $COMMANDS; do holds "$c" "$output"; done
	for shell in bash zsh fish; do
		expect 0 dossier completion $shell
		for c in $COMMANDS; do holds "$c" "$output"; done
		holds "quarantined" "$output"
	done
	dossier completion bash > complete.bash
	run bash -c '. ./complete.bash; COMP_WORDS=(dossier propose --au); COMP_CWORD=2; _dossier; echo "${COMPREPLY[*]}"'
	same "--audience" "$output"
	for kind in archetype claim quarantined-claim source measurement model accelerator tier lever customer; do
		dossier help --schema $kind | jq -e '.["$schema"] and .properties' > /dev/null
	done
}
