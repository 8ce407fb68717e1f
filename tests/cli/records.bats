# Records that are not in order: every fault is found in one run, at its own place, and nothing is written.
# A folder is loaded once for many faults of the same stage; each test then looks for its own line.

load common

spoil() { # spoil ID SED-SCRIPT: a copy of claim-x with one thing changed
	sed -e "s/claim-x/$1/" -e "$2" good/claims/sourced/claim-x.yaml > "kb/claims/sourced/$1.yaml"
}

setup_file() {
	clean_environment "$BATS_FILE_TMPDIR"
	cd "$BATS_FILE_TMPDIR" || return 1
	KB=good a_source src-x
	KB=good a_claim claim-x src-x
	mkdir -p kb/claims/sourced
	cp -r good/evidence kb/
	forms
	mv kb forms
	mkdir -p kb/claims/sourced
	cp -r good/evidence kb/
	references
	mv kb references
	mkdir -p kb/claims/sourced
	cp -r good/evidence kb/
	prose
	mv kb prose
	for f in forms references prose; do
		echo 0 > $f.status
		dossier load $f -o $f.db > $f.out 2> $f.err || echo $? > $f.status
	done
}

setup() { common_setup; F=$BATS_FILE_TMPDIR; }

# Stage one: what a file alone shows.
forms() {
	spoil claim-unknown 's/^conditions:/conditoins:/'
	spoil claim-missing '/^archetypes/d'
	spoil claim-type 's/^archetypes:.*/archetypes: neocloud/'
	spoil claim-type-2 's/^statement:.*/statement: [a]/; /^  en/d; /^  ko/d'
	spoil claim-choice 's/relation: supports/relation: proves/'
	spoil claim-person '$apersonality: {en: "warm", ko: "warm"}'
	spoil claim-nfc-id "s/\[neocloud\]/[neocl$(printf '\xc3\xb3')ud]/"
	spoil claim-nfd-id "s/\[neocloud\]/[neoclo$(printf '\xcc\x81')ud]/"
	spoil claim-count '$acount: 2'
	spoil claim-total '$atotal: 41 %'
	spoil CLAIM-missing ''
	spoil claim-crlf-column 's/relation: supports/relation: proves/; s/$/\r/'
	spoil claim-tab 's/^  en/\ten/'
	spoil claim-anchor 's/^archetypes: /archetypes: \&a /'
	spoil claim-alias 's/^archetypes: .*/archetypes: *a/'
	spoil claim-tag 's/^archetypes: /archetypes: !!seq /'
	spoil claim-merge '$a<<: {a: b}'
	spoil claim-two '$a---\nid: x'
	spoil claim-again '$aid: claim-again'
	spoil claim-unit '/value:/s/41 %/41 GBs/'
	spoil claim-huge '/value:/s/41 %/1e400 %/'
	spoil claim-infinite '/value:/s/41 %/.inf/'
	spoil claim-octal '/value:/s/41 %/0777 %/'
	spoil claim-comma '/value:/s/41 %/"1,000"/'
	spoil claim-range '/value:/s/41 %/40-42 %/'
	spoil claim-file 's/^id: .*/id: claim-other/'
	spoil claim-up 's/^id: .*/id: ..\/claim-up/'
	spoil claim-case 's/^id: .*/id: CLAIM-case/'
	spoil claim-twice 's/^archetypes: .*/archetypes: [neocloud, neocloud]/'
	spoil claim-several 's/^conditions:/conditoins:/; s/relation: supports/relation: proves/; s/^archetypes: .*/archetypes: []/'
	{ cat good/claims/sourced/claim-x.yaml; seq -f '# line %g' 13 39; echo '  who: x'; } | sed -e 's/claim-x/claim-crlf/' -e 's/^  who/who/' -e 's/$/\r/' > kb/claims/sourced/claim-crlf.yaml
	{ sed -e 's/claim-x/claim-bom/' -e '1s/^/\xef\xbb\xbf/' good/claims/sourced/claim-x.yaml; echo 'who: x'; } > kb/claims/sourced/claim-bom.yaml
	printf 'id: claim-bytes\nstatement: {en: "ab\xff"}\n' > kb/claims/sourced/claim-bytes.yaml
	printf 'id: claim-korean\nstatement: {ko: "비용 절감 \xed\xa0\x80"}\n' > kb/claims/sourced/claim-korean.yaml
	printf 'id: claim-nul\nx: "a\0b"\n' > kb/claims/sourced/claim-nul.yaml
	printf 'id: claim-bidi\nx: "a\xe2\x80\xaeb"\n' > kb/claims/sourced/claim-bidi.yaml
	printf 'id: claim-lines\nx: "a\xe2\x80\xa8b"\n' > kb/claims/sourced/claim-lines.yaml
	: > kb/claims/sourced/claim-empty.yaml
	echo '# nothing else' > kb/claims/sourced/claim-comment.yaml
	echo '- a' > kb/claims/sourced/claim-list.yaml
	perl -e 'print "id: claim-deep\nx: ", "[" x 40000, "]" x 40000, "\n"' > kb/claims/sourced/claim-deep.yaml
	perl -e 'print "a: &a [x,x,x,x,x,x,x,x,x]\n"; for ("b" .. "i") { my $p = chr(ord() - 1); print "$_: &$_ [", join(",", ("*$p") x 9), "]\n" }' > kb/claims/sourced/claim-bomb.yaml
	echo 'a: &a [*a]' > kb/claims/sourced/claim-self.yaml
	spoil claim-nfd "s/^id: .*/id: claim-$(printf '\xe1\x84\x80\xe1\x85\xa1')/"
	mv kb/claims/sourced/claim-nfd.yaml "kb/claims/sourced/claim-$(printf '\xe1\x84\x80\xe1\x85\xa1').yaml"
	sed -e 's/^published: .*/published: 2026-02-30/' -e 's/^accessed: .*/accessed: 2026-2-3/' -e 's/^review_by: .*/review_by: 2026-13-01/' -e 's/src-x/src-dates/' good/evidence/documents/src-x.yaml > kb/evidence/documents/src-dates.yaml
	sed -e 's/^accessed: .*/accessed: 2026-02/' -e 's/src-x/src-month/' good/evidence/documents/src-x.yaml > kb/evidence/documents/src-month.yaml
	sed -e '/^url/d' -e 's/^grade: .*/grade: E/' -e 's/status: verified/status: Verified/' -e 's/src-x/src-faults/' good/evidence/documents/src-x.yaml > kb/evidence/documents/src-faults.yaml
}

# Stage two: what shows when all records are there.
references() {
	spoil claim-a '$arests_on: [claim-b]'
	spoil claim-b '$arests_on: [claim-c]'
	spoil claim-c '$arests_on: [claim-a]'
	spoil claim-self '$arests_on: [claim-self]'
	for i in {1..99}; do spoil "claim-ring-$i" "\$arests_on: [claim-ring-$((i % 99 + 1))]"; done
	spoil claim-dangling 's/src-x.said/src-x.nothing/'
	spoil claim-quarantine '$arests_on: [q-01]'
	spoil claim-kind 's/\[neocloud\]/[h200]/'
	spoil claim-part 's/gpu-hour-revenue/gpu-revenue/'
	spoil claim-value 's/value: 41 %/value: 42 %/'
	spoil claim-dimension 's/value: 41 %/value: 41 GB/'
	spoil claim-no-value 's/finding: src-x.share}$/finding: src-x.said}/'
	spoil claim-placeholder 's/about \${share}/about ${shore}/'
	spoil claim-open 's/about \${share}/about ${share/'
	spoil claim-unconditional '/^conditions/d'
	spoil claim-contradicted 's/relation: supports/relation: contradicts/'
	mkdir kb/claims/sourced/sub
	spoil claim-double ''
	cp kb/claims/sourced/claim-double.yaml kb/claims/sourced/sub/
	for g in c d; do
		sed -e "s/src-x/src-$g/" -e "s/^grade: A/grade: ${g^^}/" good/evidence/documents/src-x.yaml > kb/evidence/documents/src-$g.yaml
		spoil "claim-grade-$g" "s/src-x/src-$g/"
	done
	sed -e 's/src-x/src-review/' -e 's/status: verified/status: under-review/' good/evidence/documents/src-x.yaml > kb/evidence/documents/src-review.yaml
	spoil claim-review 's/src-x/src-review/'
	KB=kb an_accelerator chip-a src-x
	KB=kb an_accelerator chip-b src-x
	sed -i 's/^vendor: .*/aliases: [Chip-B, h200]/' kb/evidence/accelerators/chip-a.yaml
	sed -i -e '/^link/d' -e 's/, bandwidth: src-x.share//' kb/evidence/accelerators/chip-b.yaml
}

# Prose: text N stands in place of the word "plain"; odd numbers are English, even ones Korean.
REFUSED=('70%' '70 %' '141GB' '1e3' '0777' '1,024' '10x' '1/2' '14B' '128K' '$5' '(5)' 'three of 3' '2026-13' '60~80')
REFUSED_KO=('70%' '3배' '7월' '60~80%' '998억 달러' '18개월' '３배' '⅓')
LET_PASS=('three times' 'H200' 'LPDDR5X' '4-bit' '3D' 'CXL2' '2026-07-31' '2026-07' 'in 2026' 'Llama 3.1 70B' 'FY2026')
LET_PASS_KO=('세 배' '2026년 7월' '2026년 7월 31일' 'H200' '세 가지')

prose() {
	local i
	for i in "${!REFUSED[@]}"; do spoil "claim-en-no-$i" "s|A plain|A ${REFUSED[i]} plain|"; done
	for i in "${!REFUSED_KO[@]}"; do spoil "claim-ko-no-$i" "s|평범한|${REFUSED_KO[i]} 평범한|"; done
	for i in "${!LET_PASS[@]}"; do spoil "claim-en-yes-$i" "s|A plain|A ${LET_PASS[i]} plain|; \$anames: [\"Llama 3.1 70B\"]"; done
	for i in "${!LET_PASS_KO[@]}"; do spoil "claim-ko-yes-$i" "s|평범한|${LET_PASS_KO[i]} 평범한|"; done
}

form() { line "claims/sourced/$1" "$(cat "$F/forms.err")"; }
reference() { line "$1" "$(cat "$F/references.err")"; }

@test "load: every fault of a folder is reported in one run, in order, and nothing is written" {
	for f in forms references prose; do
		same 3 "$(cat "$F/$f.status")"
		same "" "$(cat "$F/$f.out")"
		[ ! -e "$F/$f.db" ]
		[ ! -e "$F/$f-quarantine.db" ]
		n=$(($(wc -l < "$F/$f.err") - 1))
		line "dossier: $n faults; nothing was written" "$(cat "$F/$f.err")"
		[ "$n" -ge 20 ]
		# each names a file, a line and a column; only an empty file has no line
		head -n "$n" "$F/$f.err" | grep -v -E '^[a-z/]+/[^:]+\.yaml:[0-9]+:[0-9]+: ' | grep -v 'found an empty file' | nothing
		head -n "$n" "$F/$f.err" | cut -d: -f1 | sort -c
	done
	# three faults of one file, in the order of its lines
	same "2:13 10:35 11:36 12:1" "$(grep -o '^claims/sourced/claim-several.yaml:[0-9]*:[0-9]*' "$F/forms.err" | sed 's/.*yaml://' | tr '\n' ' ' | sed 's/ $//')"
}

@test "load: an unknown key, a missing key, a wrong type, a wrong choice" {
	form "claim-unknown.yaml:12:1: expected one of the keys id, aliases, archetypes, because,"
	holds 'found `conditoins`' "$(grep claim-unknown "$F/forms.err")"
	form 'claim-missing.yaml:1:1: expected the key `archetypes`, found none'
	form "claim-type.yaml:2:13: expected a list, found text"
	form "claim-type-2.yaml:4:12: expected a text {en: ..., ko: ...}, found a list"
	form 'claim-choice.yaml:10:35: expected one of supports, qualifies, contradicts, found `proves`'
	form 'claim-twice.yaml:2:24: `neocloud` stands twice'
	line 'evidence/documents/src-faults.yaml:1:1: expected the key `url`' "$(cat "$F/forms.err")"
	line 'evidence/documents/src-faults.yaml:8:8: expected one of A, B, C, D, found `E`' "$(cat "$F/forms.err")"
	line 'evidence/documents/src-faults.yaml:16:11: expected one of verified, under-review' "$(cat "$F/forms.err")"
}

@test "load: a key about a person says why it is none" {
	form 'claim-person.yaml:13:1: `personality` is no key here: archetypes describe how an organisation buys, never what people are like'
	mkdir -p kb/archetypes
	{ cat "$REPO/archetypes/neocloud.yaml"; printf '%s: {en: "Warm."}\n' personality tone mood; } > kb/archetypes/neocloud.yaml
	expect 3 dossier load kb
	n=$(wc -l < kb/archetypes/neocloud.yaml)
	for key in mood tone personality; do
		line "archetypes/neocloud.yaml:$n:1: \`$key\` is no key here: archetypes describe how an organisation buys, never what people are like" "$stderr"
		n=$((n - 1))
	done
	holds "3 faults;" "$stderr"
}

@test "load: anchors, aliases, tags, merge keys, a second document, a key twice, tabs" {
	form "claim-anchor.yaml:2:13: expected plain YAML, found an anchor (&)"
	form "claim-alias.yaml:2:13: expected plain YAML, found an alias (*)"
	form "claim-tag.yaml:2:13: expected plain YAML, found a tag (!)"
	form "claim-merge.yaml:13:1: expected plain YAML, found a merge key (<<)"
	form "claim-two.yaml:13:1: expected one document in a file, found a second"
	form "claim-again.yaml:13:1: expected each key once in a map"
	form "claim-tab.yaml:5:1: expected blanks for indentation, found a tab"
}

@test "load: an alias bomb, an alias of itself and 40,000 brackets are refused at once" {
	form "claim-bomb.yaml:1:4: expected plain YAML, found an anchor (&)"
	form "claim-self.yaml:1:4: expected plain YAML, found an anchor (&)"
	form "claim-deep.yaml:2:67: expected maps and lists at most 64 deep" # "x: [" is one level and column 4
	mkdir -p kb/claims/sourced
	cp "$F/forms/claims/sourced/claim-bomb.yaml" "$F/forms/claims/sourced/claim-deep.yaml" kb/claims/sourced/
	[[ $DOSSIER == */asan/* ]] || (ulimit -v 400000; expect 3 dossier load kb)
}

@test "load: units and numbers that are none" {
	form "claim-unit.yaml:8:18: expected a known unit behind the number"
	form 'claim-huge.yaml:8:18: expected a number of at most 1e30, found `1e400 %`'
	form "claim-infinite.yaml:8:18: expected a number"
	form "claim-octal.yaml:8:18: expected a number without a leading zero"
	form "claim-comma.yaml:8:18: expected"
	form "claim-range.yaml:8:18: expected"
}

@test "load: CRLF and a byte order mark do not move places" {
	form "claim-crlf.yaml:40:1: expected one of the keys"
	form "claim-bom.yaml:13:1: expected one of the keys"
	same 1 "$(grep -c claim-crlf.yaml "$F/forms.err")"
	form "claim-crlf-column.yaml:10:35: expected one of supports, qualifies, contradicts"
	same 1 "$(grep -c claim-bom.yaml "$F/forms.err")"
	put claims/sourced/claim-x.yaml < <(sed 's/$/\r/; 1s/^/\xef\xbb\xbf/' "$F/good/claims/sourced/claim-x.yaml")
	cp -r "$F/good/evidence" kb/
	expect 0 dossier load kb
	expect 0 dossier --kb kb show claim-x --format json
	lacks '\r' "$output"
}

@test "load: bytes that are no UTF-8, a surrogate, NUL, bidi and line separators have columns in code points" {
	form "claim-bytes.yaml:2:20: expected UTF-8, found the byte 0xFF"
	form "claim-korean.yaml:2:24: expected UTF-8" # twelve letters more than bytes would say
	form "claim-nul.yaml:2:6: expected plain text, found a NUL"
	form "claim-bidi.yaml:2:6: expected plain text"
	form "claim-lines.yaml:2:6: expected plain text"
}

@test "load: files that hold nothing, or no map" {
	form "claim-empty.yaml: expected a map, found an empty file"
	form "claim-comment.yaml: expected a map, found an empty file"
	form "claim-list.yaml:1:1: expected a map, found a list"
}

@test "load: the id is the file's name, in small letters, and never leads out of the folder" {
	form 'claim-file.yaml:1:5: expected the id `claim-file`, as the file is named, found `claim-other`'
	form 'claim-up.yaml:1:5: expected an id of small letters'
	form 'claim-case.yaml:1:5: expected an id of small letters'
	form 'claim-가.yaml:1:5: expected an id of small letters' # written decomposed, shown composed
}

# kb-behaviour 17: two forms of one letter are two ids nowhere, as there is no such letter in any id
@test "load: a reference is in small letters too, whichever way they are composed" {
	form 'claim-nfc-id.yaml:2:14: expected the id of a record'
	form 'claim-nfd-id.yaml:2:14: expected the id of a record'
}

# and in texts they are read as one, and the file's owner is told
@test "load: letters written in parts are read as the letters they are; load and audit name the first" {
	cp -r "$F/good/." kb
	perl -CSDA -MUnicode::Normalize -i -pe '$_ = NFD($_)' kb/claims/sourced/claim-x.yaml
	expect 0 dossier load kb
	line "claims/sourced/claim-x.yaml:6:17: letters are written in parts from here on: normalise the file to NFC" "$stderr"
	same 2 "$(wc -l <<< "$stderr")"
	expect 0 dossier --kb kb search 평범한
	holds claim-x "$output"
	same "$(dossier --kb "$F/good" show claim-x --lang ko)" "$(dossier --kb kb show claim-x --lang ko)"
	for path in kb kb.db; do
		[ -e $path ] || dossier load kb -o $path 2> /dev/null
		dossier --kb $path audit --format text --fail-on decomposed --today 2026-12-01 > found || [ $? -eq 1 ]
		line "claims/sourced/claim-x.yaml:6:17: decomposed " "$(cat found)"
	done
	expect 1 dossier --kb kb audit --fail-on decomposed --today 2026-12-01
	mkdir kb/claims/quarantine
	sed 's/^id: q-01/id: q-60/' "$REPO/claims/quarantine/q-01.yaml" | perl -CSDA -MUnicode::Normalize -pe '$_ = NFD($_)' > kb/claims/quarantine/q-60.yaml
	dossier --kb kb audit --format text --today 2026-12-01 > found || true
	grep -q '^claims/quarantine/q-60.yaml:[0-9]*:[0-9]*: decomposed letters' found
	no_wording < found
}

# kb-behaviour 19
@test "load: files whose names differ by case alone are not two records" {
	form 'CLAIM-missing.yaml:1:5: expected an id of small letters, digits, - and ., found `CLAIM-missing`'
}

# kb-behaviour 37
@test "load: what is counted is not stored" {
	form "claim-count.yaml:13:1: expected one of the keys id, aliases, archetypes,"
	form "claim-total.yaml:13:1: expected one of the keys id, aliases, archetypes,"
}

# kb-behaviour 31: nothing that cites an old name is lost sight of
@test "load: after a renaming an alias keeps the old id, and without one each citation is told" {
	cp -r "$F/good/." kb
	an_accelerator chip-old src-x
	a_customer acme neocloud | sed 's/accelerator: h200/accelerator: chip-old/' > c.yaml
	dossier --kb kb propose c.yaml > before
	mv kb/evidence/accelerators/chip-old.yaml kb/evidence/accelerators/chip-new.yaml
	sed -i -e 's/^id: chip-old/id: chip-new/' kb/evidence/accelerators/chip-new.yaml
	expect 3 dossier --kb kb propose c.yaml
	line "c.yaml:12:16: " "$stderr"
	sed -i 's/^vendor: .*/&\naliases: [chip-old]/' kb/evidence/accelerators/chip-new.yaml
	dossier --kb kb propose c.yaml > after
	same "$(grep -c 'on chip-old' before)" "$(grep -c 'on chip-old' after)"
	grep -q 'on chip-old' after # its name, which has not changed
	mv kb/evidence/documents/src-x.yaml kb/evidence/documents/src-new.yaml
	sed -i 's/^id: src-x/id: src-new/' kb/evidence/documents/src-new.yaml
	expect 3 dossier load kb
	# four sources of the chip; a figure and two pieces of evidence of the claim
	same 7 "$(grep -c 'found none named `src-x\.' <<< "$stderr")"
	for place in 8:33 10:13 11:13; do line "claims/sourced/claim-x.yaml:$place: " "$stderr"; done
}

@test "load: dates are strict, and only a publication may be a month or a year" {
	for place in 5:12 6:11 7:12; do
		line "evidence/documents/src-dates.yaml:$place: expected a date YYYY-MM-DD" "$(cat "$F/forms.err")"
	done
	line "evidence/documents/src-month.yaml:6:11: expected a date YYYY-MM-DD that exists" "$(cat "$F/forms.err")"
	same 1 "$(grep -c src-month "$F/forms.err")" # its published: 2026-02 is none
}

@test "load: an id twice, as an alias, in another case, or one that the content below has" {
	reference 'claims/sourced/sub/claim-double.yaml:1:5: `claim-double` is taken: it is the id of claims/sourced/claim-double.yaml:1:5'
	reference 'evidence/accelerators/chip-a.yaml:3:11: `chip-b` is taken: it is the id of evidence/accelerators/chip-b.yaml:1:5'
	reference 'evidence/accelerators/chip-a.yaml:3:19: `h200` is taken'
}

@test "load: references to what is not there, or is of another kind" {
	reference 'claims/sourced/claim-dangling.yaml:10:13: expected a finding as source.finding, found none named `src-x.nothing`'
	reference 'claims/sourced/claim-kind.yaml:2:14: expected the id of a record of kind archetype, found `h200`, which is of kind accelerator'
	reference 'claims/sourced/claim-part.yaml:3:11: expected an approver, metric, non-negotiable or gate'
	reference 'claims/sourced/claim-review.yaml:10:13: `src-review.said` is under review'
}

@test "load: nothing may rest on a quarantined claim" {
	reference 'claims/sourced/claim-quarantine.yaml:13:12: `q-01` is a quarantined claim'
	mkdir -p kb/archetypes
	sed -e 's/^pains:.*/pains: [q-01]/' -e '/^- claim-/d' -e '/^  - claim-/d' -e '0,/^  levers: .*/s//  levers: [q-02]/' "$REPO/archetypes/neocloud.yaml" > kb/archetypes/neocloud.yaml
	expect 3 dossier load kb
	holds '`q-01` is a quarantined claim: nothing may refer to it' "$stderr"
	holds '`q-02` is a quarantined claim: nothing may refer to it' "$stderr"
	sed '/^objections:/,$s/{finding: [a-z0-9.-]*,/{finding: q-01.statement,/' "$REPO/archetypes/neocloud.yaml" > kb/archetypes/neocloud.yaml
	expect 3 dossier load kb
	holds 'found none named `q-01.statement`' "$stderr"
}

@test "load: a cycle is shown whole, once, and a claim cannot carry itself" {
	reference 'claims/sourced/claim-a.yaml:13:11: a claim may not rest on itself: claim-a -> claim-b -> claim-c -> claim-a'
	reference 'claims/sourced/claim-self.yaml:13:11: a claim may not rest on itself: claim-self -> claim-self'
	reference 'claims/sourced/claim-ring-1.yaml:13:11: a claim may not rest on itself: claim-ring-1 -> claim-ring-2 -> claim-ring-3 -> '
	same 3 "$(grep -c 'rest on itself' "$F/references.err")"
}

@test "load: a chain of 10,000 claims is no cycle, and as many records load" {
	cp -r "$F/good/." kb
	perl -e '
		local $/; open my $f, "<", $ARGV[0]; my $claim = <$f>;
		for (0 .. 9999) {
			(my $c = $claim) =~ s/claim-x/claim-n$_/;
			$c .= sprintf("rests_on: [claim-n%d]\n", $_ + 1) if $_ < 9999;
			open my $out, ">", "kb/claims/sourced/claim-n$_.yaml"; print $out $c;
		}' "$F/good/claims/sourced/claim-x.yaml"
	# in time that is linear: the pairs of claims and what is below them are fifty million
	expect 0 bash -c 'ulimit -t 60; "$@"' - "$DOSSIER" load kb -o kb.db
	holds "10002 records are in order" "$stderr"
	# and each of them is only as fresh as the finding that they share
	run bash -c 'ulimit -t 60; "$@" > audit.json' - "$DOSSIER" --kb kb.db audit --as-of 2099-01-01 --format json
	[ "$status" -eq 1 ]
	same 10000 "$(jq '[.items[] | select(.code == "stale" and (.id | test("^claim-n[0-9]+$")))] | length' audit.json)"
}

@test "load: a figure is the figure of its finding" {
	reference 'claims/sourced/claim-value.yaml:8:18: expected the value of src-x.share, which is `41 %`, found `42 %`'
	reference 'claims/sourced/claim-dimension.yaml:8:18: expected the value of src-x.share'
	reference 'claims/sourced/claim-no-value.yaml:8:33: expected a finding with a value, found `src-x.said`'
	reference 'claims/sourced/claim-placeholder.yaml:5:7: expected one of this record'"'"'s figures, found ${shore}'
	reference 'claims/sourced/claim-open.yaml:5:7: expected ${name}'
	reference 'claims/sourced/claim-unconditional.yaml:8:3: a claim with figures needs `conditions`'
}

@test "load: the grade rule" {
	reference 'claims/sourced/claim-grade-c.yaml:8:33: `src-c.share` is of grade C'
	reference 'claims/sourced/claim-grade-d.yaml:8:33: a figure needs a source of grade A or B'
	reference 'claims/sourced/claim-grade-d.yaml:10:1: expected at least one supporting finding of grade A, B or C'
	reference 'claims/sourced/claim-contradicted.yaml:10:1: expected at least one supporting finding'
}

@test "load: a figure of a machine has a source" {
	reference 'evidence/accelerators/chip-b.yaml:5:50: expected a source for `memory.bandwidth`: a key `bandwidth` in sources'
}

@test "load: a bare figure in prose is refused, in both languages" {
	for i in "${!REFUSED[@]}"; do
		line "claims/sourced/claim-en-no-$i.yaml:5:7: expected a figure as \${name} with its finding" "$(cat "$F/prose.err")"
	done
	for i in "${!REFUSED_KO[@]}"; do
		line "claims/sourced/claim-ko-no-$i.yaml:6:7: expected a figure as \${name} with its finding" "$(cat "$F/prose.err")"
	done
}

@test "load: names, dates, words with letters and numbers as words are let pass" {
	grep -E 'claim-(en|ko)-yes' "$F/prose.err" | nothing
	same "${#LET_PASS[@]}" "$(ls "$F"/prose/claims/sourced/claim-en-yes-* | wc -l)"
}

@test "load: scalars stay as they are written (no, ~, 1.10, 0192117, 1e10)" {
	local k texts=(NO no yes on y '~' null 1.10 0192117 1e10 0x1F 12:30:45 .5)
	for k in "${!texts[@]}"; do
		a_source "src-n$k"
		sed -i -e "s/^publisher: .*/publisher: ${texts[k]}/" -e "s/^extent_read: .*/extent_read: ${texts[k]}/" "kb/evidence/documents/src-n$k.yaml"
	done
	for k in "${!texts[@]}"; do
		expect 0 dossier --kb kb show "src-n$k" --format json
		same "${texts[k]}" "$(jq -r .publisher <<< "$output")"
		same "${texts[k]}" "$(jq -r .extent_read <<< "$output")"
	done
}

@test "load: a link to a file is that file; a link out of the folder is not followed" {
	cp -r "$F/good/." kb
	ln -s claim-x.yaml kb/claims/sourced/claim-y.yaml
	ln -s claim-x.yaml kb/claims/sourced/claim-a.yaml
	expect 0 dossier load kb
	holds "2 records are in order" "$stderr"
	mkdir outside
	sed 's/claim-x/claim-out/' kb/claims/sourced/claim-x.yaml > outside/claim-out.yaml
	ln -s ../../../outside kb/claims/sourced/folder
	ln -s ../../../outside/claim-out.yaml kb/claims/sourced/claim-out.yaml
	ln -s /etc kb/claims/sourced/etc
	ln -s . kb/claims/sourced/loop
	expect 0 dossier load kb
	holds "2 records are in order" "$stderr"
	ln -s nowhere kb/claims/sourced/claim-broken.yaml
	expect 3 dossier load kb
	holds "claims/sourced/claim-broken.yaml: " "$stderr"
}

@test "load: a folder that is empty, holds no records, or is none" {
	mkdir kb
	for f in kb kb/other; do
		mkdir -p $f
		expect 3 dossier load $f
		holds "found none" "$stderr"
		expect 3 dossier --kb $f list models
		same "" "$output"
	done
	echo hello > kb/other/readme.yaml
	mkdir -p kb/claims/sourced
	echo hello > kb/claims/sourced/notes.txt
	expect 3 dossier load kb
	expect 3 dossier load kb/other/readme.yaml
	expect 3 dossier load nowhere
	expect 3 dossier --kb "$F/good" --kb nowhere list models
	same "" "$output"
}

@test "load: a file that cannot be read is a fault beside the others" {
	[ "$(id -u)" -ne 0 ] || skip "root may read anything"
	cp -r "$F/good/." kb
	chmod 000 kb/claims/sourced/claim-x.yaml
	expect 4 dossier load kb
	holds "claims/sourced/claim-x.yaml" "$stderr"
}

@test "load: a whole folder on its own sees what was taken away" {
	cp -r "$REPO/archetypes" "$REPO/claims" "$REPO/evidence" "$REPO/templates" .
	expect 0 dossier load --alone .
	rm evidence/documents/mooncake-fast25.yaml
	expect 0 dossier load .
	expect 3 dossier load --alone .
	holds "mooncake-fast25" "$stderr"
}

@test "load: a model or a device that cannot be sized is a fault of its record" {
	put evidence/models/model-x.yaml < <(sed -e 's/^id: .*/id: model-x/' -e '/^aliases/d' -e 's/cache: full/cache: none/' "$REPO/evidence/models/qwen3-14b.yaml")
	expect 3 dossier load kb
	line "evidence/models/model-x.yaml:" "$stderr"
	holds "what a layer of the cache" "$stderr"
	rm -r kb
	a_source src-x
	an_accelerator chip-x src-x
	sed -i 's|bandwidth: 8 TB/s|bandwidth: 0 B/s|' kb/evidence/accelerators/chip-x.yaml
	expect 3 dossier load kb
	holds "device.bandwidth" "$stderr"
}

@test "load: where it cannot write it leaves nothing" {
	a_source src-x
	mkdir folder
	local path
	for path in folder '' -; do
		expect 2 dossier load kb -o "$path"
		find . -name '*quarantine*' -not -path './kb/*' | nothing
	done
}
