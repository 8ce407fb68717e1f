# What all command-line tests share. Each test has a home of its own and no knowledge but the built-in one.
bats_require_minimum_version 1.5.0

REPO=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
DOSSIER=${DOSSIER:-$REPO/build/dossier}
IMAGES=$(dirname "$DOSSIER") # kb.db and kb-quarantine.db, from which the program was linked
ARCHETYPES="hyperscaler-own-silicon merchant-accelerator-vendor neocloud smartphone-maker edge-robotics"
FIGURES=$BATS_TEST_DIRNAME/../data/figures.pl # judges the figures of a draft

clean_environment() { # clean_environment FOLDER
	unset DOSSIER_KB NO_COLOR COLUMNS LANG LANGUAGE TZ
	export LC_ALL=C HOME=$1/home XDG_CACHE_HOME=$1/cache XDG_STATE_HOME=$1/state XDG_CONFIG_HOME=$1/config
	mkdir -p "$HOME"
}

common_setup() {
	clean_environment "$BATS_TEST_TMPDIR"
	T=$BATS_TEST_TMPDIR
	cd "$T" || return 1
}

dossier() { "$DOSSIER" "$@"; }

# ---- what must hold; each says on standard error what did not ----

expect() { # expect STATUS COMMAND...: leaves $output (stdout) and $stderr
	local wanted=$1
	shift
	run --separate-stderr "$@"
	[ "$status" -eq "$wanted" ] || {
		printf 'expected status %s, found %s: %s\n' "$wanted" "$status" "$*"
		printf 'stdout: %s\nstderr: %s\n' "$output" "$stderr"
		return 1
	} >&2
}

holds() { # holds TEXT WHERE: WHERE is the text itself
	[[ "$2" == *"$1"* ]] || { printf 'expected to find: %s\nin: %s\n' "$1" "$2" >&2; return 1; }
}

lacks() {
	[[ "$2" != *"$1"* ]] || { printf 'expected not to find: %s\nin: %s\n' "$1" "$2" >&2; return 1; }
}

line() { # line TEXT WHERE: a whole line that begins so
	awk -v t="${1//\\/\\\\}" 'index($0, t) == 1 { found = 1 } END { exit !found }' <<< "$2" || {
		printf 'expected a line that begins: %s\nof those about it:\n' "$1"
		grep -F -e "${1%%:*}:" <<< "$2"
		return 1
	} >&2
}

nothing() { # ... | nothing: nothing came. (`! ... | grep .` would not fail a test unless it were its last line.)
	local found
	found=$(cat)
	[ -z "$found" ] || { printf 'expected nothing, found: %s\n' "$found" >&2; return 1; }
}

same() { # same EXPECTED FOUND
	[ "$1" = "$2" ] || { printf 'expected: %s\nfound: %s\n' "$1" "$2" >&2; return 1; }
}

# The names and contents of a folder, as one hash, with modes and times: does anything differ?
tree_hash() { # tree_hash FOLDER
	(cd "$1" && find . -printf '%p %y %m %T@ %l\n' | sort && find . -type f -print0 | sort -z | xargs -0 -r sha256sum) | sha256sum
}

# A draft with its Markdown read: plain text, entities undone, one blank between words.
plain_text() {
	cmark --unsafe | perl -CSDA -0777 -pe 's/<[^>]*>/ /g; s/&lt;/</g; s/&gt;/>/g; s/&quot;/"/g; s/&amp;/&/g; s/\s+/ /g'
}

# ---- records that are in order; a test spoils one thing in one of them ----

put() { # put PATH: standard input into the folder kb/, or $KB
	mkdir -p "$(dirname "${KB:-kb}/$1")"
	cat > "${KB:-kb}/$1"
}

a_source() { # a_source ID [GRADE]
	put "evidence/documents/$1.yaml" <<- END
	id: $1
	title: "A report"
	publisher: "A publisher"
	kind: paper
	published: 2026-02
	accessed: 2026-11-29
	review_by: 2027-11-29
	url: "https://example.org/report"
	grade: ${2:-A}
	extent_read: "full"
	findings:
	- id: share
	  says: {en: "The share was \${value}.", ko: "비중은 \${value} 수준입니다."}
	  locator: "section three"
	  value: 41 %
	  conditions: {en: "On one machine.", ko: "한 대의 기기입니다."}
	  status: verified
	- id: said
	  says: {en: "It is so.", ko: "그렇습니다."}
	  locator: "section four"
	  status: verified
	END
}

a_claim() { # a_claim ID SOURCE
	put "claims/sourced/$1.yaml" <<- END
	id: $1
	archetypes: [neocloud]
	because: [neocloud.metrics.gpu-hour-revenue]
	statement:
	  en: "A plain statement about \${share} of something."
	  ko: "\${share} 수준에 관한 평범한 문장입니다."
	figures:
	  share: {value: 41 %, finding: $2.share}
	evidence:
	- {finding: $2.said, relation: supports}
	- {finding: $2.share, relation: supports}
	conditions: {en: "On one machine.", ko: "한 대의 기기입니다."}
	END
}

an_accelerator() { # an_accelerator ID SOURCE
	put "evidence/accelerators/$1.yaml" <<- END
	id: $1
	name: "$1"
	vendor: "A maker"
	class: own-silicon
	memory: {kind: HBM4, printed: 200 GB, bandwidth: 8 TB/s}
	dense_peak: {bf16: 2000 TFLOP/s, fp8: 4000 TFLOP/s}
	link: {kind: Own, per_direction: 600 GB/s, domain: 16}
	sources: {memory: $2.share, bandwidth: $2.share, dense_peak: $2.share, link: $2.share}
	END
}

a_customer() { # a_customer ID ARCHETYPE: the case to keep in mind
	cat <<- END
	format: dossier.customer/1
	customer: $1
	name: {en: Customer ${1^}, ko: 고객 ${1^}}
	archetype: $2
	language: en
	date: 2026-12-01
	goal: interactive
	targets: {ttft: unknown, tpot: 40 ms}
	workloads:
	- id: chat
	  model: deepseek-v3
	  accelerator: h200
	  weights: fp8
	  kv: bf16
	  prompt: 120K
	  output: 8K
	  concurrency: 64
	  sessions: 400
	  reuse: unknown
	tiers: [ddr5-rdimm, nvme-gen5]
	END
}

# The proper names a draft may show: for tests/data/figures.pl.
name_files() { # name_files FOLDER
	sqlite3 "$IMAGES/kb.db" "SELECT value FROM record, json_each(record.body, '\$.names') UNION SELECT json_extract(body, '\$.name') FROM record WHERE kind IN ('model', 'accelerator')" > "$1/names"
	sqlite3 "$IMAGES/kb.db" "SELECT json_extract(body, '\$.' || k.value) FROM record, json_each('[\"title\",\"publisher\",\"performed_by\",\"extent_read\"]') k WHERE kind IN ('source', 'measurement') UNION SELECT json_extract(f.value, '\$.locator') FROM record, json_each(record.body, '\$.findings') f" > "$1/titles"
	[ -s "$1/names" ] && [ -s "$1/titles" ]
}

# A statement in quarantine, as its file has it.
wording() { # wording q-01 en
	sed -n '/^statement:/,/^[a-z]/s/^  '"$2"': //p' "$REPO/claims/quarantine/$1.yaml"
}

# Does standard input hold anything of a quarantined file?
no_wording() { perl "$REPO/tests/data/wordings.pl" "${1:-$REPO/claims/quarantine}" | nothing; }
