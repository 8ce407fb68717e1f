# How long a draft may be sent: propose, issue, audit --issued, audit --as-of and --expiring say the same about
# one draft, whatever it is that has to be looked at first.

load common
setup() {
	common_setup
	a_customer acme neocloud > c.yaml
}

due() { # due ID DATE: a source of the content, or of kb/, is to be reviewed by a date
	local file=kb/evidence/documents/$1.yaml
	[ -f "$file" ] || put "evidence/documents/$1.yaml" < "$REPO/evidence/documents/$1.yaml"
	sed -i "s/^review_by: .*/review_by: $2/" "$file"
}

stale() { # stale OPTION...: the claims, levers and profiles that an audit finds stale or expiring, and the sources
	dossier --kb kb audit --all --format json "$@" | jq -r '.items[] | select(.code == "stale" or .code == "expiring" or .code == "past-review") | .id' | sort -u
}

day_after() { date -u -d "$1 + 1 day" +%F; }

# A draft is good until a day, and the day after it is not, by whoever is asked.
good_until() { # good_until DATE SOURCE DRAFT...: what is due on that day is of that source
	local day=$1 next source=$2 draft
	next=$(day_after "$1")
	shift 2
	for draft; do
		same "$day" "$(sed -n 's/^sendable_until: //p' "$draft")"
		rm -rf state
		expect 1 dossier --kb kb issue "$draft" --to a --date "$next"
		holds "due $source." "$output"
		holds "was to be reviewed by $day" "$output"
		expect 0 dossier --kb kb issue "$draft" --to a --date "$day" -r r.yaml
		holds "sendable until $day" "$output"
		same "$day" "$(sed -n 's/^sendable_until: //p' r.yaml)"
		dossier --kb kb audit --issued --today "$day" --format json > issued.json
		same "sendable $day" "$(jq -r '.items[0] | "\(.state) \(.until)"' issued.json)"
		holds "$source." "$(jq -r '.items[0].why' issued.json)"
		expect 1 dossier --kb kb audit --issued --today "$next" --format json
		same "expired $day" "$(jq -r '.items[0] | "\(.state) \(.until)"' <<< "$output")"
		# of all that it uses, nothing is stale on the day, and something is on the next
		sqlite3 state/dossier/ledger.db "SELECT DISTINCT CASE kind WHEN 'finding' THEN substr(id, 1, instr(id, '.') - 1) ELSE id END FROM (SELECT value ->> 'kind' AS kind, value ->> 'id' AS id FROM entry, json_each(body, '\$.uses')) ORDER BY 1" | sort > used
		same "" "$(stale --as-of "$day" | comm -12 - used)"
		[ -n "$(stale --as-of "$next" | comm -12 - used)" ]
		same "" "$(stale --as-of "$(date -u -d "$day - 10 days" +%F)" --expiring 9d | comm -12 - used)"
		[ -n "$(stale --as-of "$(date -u -d "$day - 10 days" +%F)" --expiring 10d | comm -12 - used)" ]
	done
}

drafts() { # both languages
	dossier --kb kb propose c.yaml -o en.md
	dossier --kb kb propose c.yaml --lang ko -o ko.md
}

# What the draft shows rests on a second claim, and that on a third.
@test "fresh: a chain of three claims is as fresh as the oldest finding at its end" {
	local id
	for id in a b c q; do a_source src-$id; done
	for id in a b c; do a_claim claim-$id src-$id; done
	printf 'rests_on: [claim-b]\n' >> kb/claims/sourced/claim-a.yaml
	printf 'rests_on: [claim-c]\n' >> kb/claims/sourced/claim-b.yaml
	# what only qualifies is not needed
	sed -i 's/^evidence:$/evidence:\n- {finding: src-q.said, relation: qualifies}/' kb/claims/sourced/claim-c.yaml
	put archetypes/neocloud.yaml < <(sed 's/^pains:$/pains:\n- claim-a/' "$REPO/archetypes/neocloud.yaml")
	due src-c 2027-03-01
	due src-b 2027-03-11
	due src-q 2027-01-10
	drafts
	grep -q "A plain statement about" en.md
	{ grep -e 'src-c\.' -e 'src-b\.' en.md || true; } | nothing # neither is cited, and so neither is in the list of sources
	good_until 2027-03-01 src-c en.md ko.md
	same "claim-a
claim-b
claim-c" "$(stale --as-of 2027-03-02 | grep '^claim-')"
	# the third may wait: then it is the second
	due src-c 2027-09-01
	drafts
	good_until 2027-03-11 src-b en.md ko.md
	# what was issued before knows of it too: nothing that it uses has changed but the dates
	rm -rf state
	due src-b 2027-09-01
	drafts
	dossier --kb kb issue en.md --to a --date 2026-12-01 -r r.yaml
	due src-b 2027-02-02
	same "2027-02-02" "$(dossier --kb kb audit --issued --today 2026-12-01 --format json | jq -r '.items[0].until')"
}

@test "fresh: a lever, a tier that only a lever counts with, a model, a device and a claim, each first in turn" {
	local source
	# the draft names them, or cites them: kunserve-2024 carries levers and is cited nowhere, the two after it are
	# of the CXL expander and the network store, which the customer did not ask about
	for source in kunserve-2024 micron-cz120-tomshardware 3fs-readme deepseek-v3-readme cuda-samples-311 coreweave-prices-2026; do
		[ -f "$REPO/evidence/documents/$source.yaml" ] || { echo "no $source" >&2; return 1; }
		rm -rf kb
		due $source 2027-01-15
		drafts
		good_until 2027-01-15 $source en.md ko.md
	done
}

@test "fresh: the day stands in the text as in the front matter, and in the brief" {
	due kunserve-2024 2027-01-15
	drafts
	same 2 "$(grep -c '2027-01-15' en.md)"
	same 2 "$(grep -c '2027-01-15' ko.md)"
	due deepseek-v3-readme 2027-01-10
	dossier --kb kb brief c.yaml | grep -q 'Good until 2027-01-10: '
	rm kb/evidence/documents/deepseek-v3-readme.yaml
	a_customer acme edge-robotics > c.yaml # nothing is calculated: its claims and their sources alone
	drafts
	same "" "$(grep '2027-01-15' en.md || true)"
}
