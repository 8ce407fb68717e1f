# From the form to the draft, for every archetype in both languages; and what a customer file may hold.

load common
setup() { common_setup; }

@test "intake: the form runs as it is printed, for every archetype, in both languages" {
	for a in $ARCHETYPES; do
		for l in en ko; do
			expect 0 dossier intake --archetype $a --lang $l --date 2026-12-01 -o form.yaml
			same "" "$output"
			grep -q "^language: $l$" form.yaml
			grep -q "^archetype: $a$" form.yaml
			[ "$(grep -c ': unknown$' form.yaml)" -ge 12 ]
			for c in brief propose "propose --audience internal" advise "advise --format json"; do
				expect 0 dossier $c form.yaml
				same "" "$stderr"
				[ -n "$output" ]
			done
			[[ $l == en ]] || grep -q '[가-힣]' <<< "$(dossier propose form.yaml)"
		done
	done
}

@test "intake: each unknown is a question above its key, and one in the draft" {
	for a in $ARCHETYPES; do
		for l in en ko; do
			dossier intake --archetype $a --lang $l --date 2026-12-01 > form.yaml
			dossier show $a --lang $l --format json > a.json
			dossier propose form.yaml | plain_text > draft
			jq -r '.reference_workload | to_entries[] | select(.key | IN("accelerators", "memory_available", "prices", "tiers", "goal", "ttft", "tpot") | not) | .value.ask' a.json > asked
			sed 's/^ *#//' form.yaml | tr '\n' ' ' | perl "$REPO/tests/data/holds.pl" asked > in-form
			perl "$REPO/tests/data/holds.pl" asked < draft > in-draft
			[ "$(wc -l < in-form)" -ge 6 ]
			cmp in-form in-draft
		done
	done
}

@test "intake: what is assumed is told, but not where there is no evidence for it" {
	grep -q "Assumed until then: deepseek-v3\|Assumed until then: llama" <(dossier intake --archetype neocloud --date 2026-12-01)
	dossier intake --archetype edge-robotics --date 2026-12-01 | grep -i "assumed until" | nothing
	dossier intake --archetype edge-robotics --date 2026-12-01 > form.yaml
	dossier advise form.yaml --format json | jq -e '.workloads[0].sized == false' > /dev/null
	dossier intake --archetype neocloud --date 2026-12-01 > form.yaml
	dossier advise form.yaml --format json | jq -e '.workloads[0].sized' > /dev/null
}

@test "intake: filled in step by step, an answer takes the place of its question" {
	for a in $ARCHETYPES; do
		dossier intake --archetype $a --date 2026-12-01 > form.yaml
		sed -e 's/^  model: unknown/  model: qwen3-14b/' -e 's/^  accelerator: unknown/  accelerator: h200/' -e 's/^  weights: unknown/  weights: bf16/' -e 's/^  kv: unknown/  kv: bf16/' \
			-e 's/^  prompt: unknown/  prompt: 7K/' -e 's/^  output: unknown/  output: 1K/' -e 's/^  concurrency: unknown/  concurrency: 19/' form.yaml > filled.yaml
		expect 0 dossier advise filled.yaml --format json
		jq -e '.workloads[0].sized and .workloads[0].sizing.inputs.concurrency.kind == "stated" and .workloads[0].sizing.inputs.concurrency.value == 19 and .workloads[0].sizing.kv.bytes.value == 163840 * 8192 * 19' <<< "$output" > /dev/null
		dossier propose filled.yaml | grep -q -F '[19][main.in.concurrency]'
		dossier brief filled.yaml | grep -q 'Qwen3 14B'
	done
}

@test "intake: names, dates and places of the form" {
	expect 2 dossier intake -a neocloud --customer ../x
	expect 2 dossier intake -a neocloud --customer "A b"
	expect 3 dossier intake -a neoclod
	holds "neocloud" "$stderr"
	expect 0 dossier intake -a emerging-cloud --date 2026-12-01
	holds "archetype: neocloud" "$output"
	expect 0 dossier intake -a neocloud --customer team-7 --date 2026-12-01
	holds "customer: team-7" "$output"
}

fault() { # fault SED PLACE TEXT
	a_customer acme neocloud | sed -e "$1" > c.yaml
	for c in propose brief advise; do
		expect 3 dossier $c c.yaml
		line "c.yaml:$2: " "$stderr"
		holds "$3" "$stderr"
		same "" "$output"
	done
}

@test "customer file: faults have places, all in one run" {
	fault 's/^goal:/gaol:/' 7:1 'found `gaol`'
	fault '/^date/d' 1:1 'expected the key `date`'
	fault 's/^date: .*/date: 2026-02-30/' 6:7 "that exists"
	fault 's/^customer: .*/customer: ..\/x/' 2:11 "an id"
	fault 's/^goal: .*/goal: quick/' 7:7 "offline, interactive, single-user"
	fault 's/  weights: fp8/  weights: fp7/' 13:12 "a dtype"
	fault 's/concurrency: 64/concurrency: 64K/' 17:16 ""
	fault 's/concurrency: 64/concurrency: many/' 17:16 ""
	fault 's/prompt: 120K/prompt: 120 GB/' 15:11 ""
	fault 's/^format: .*/format: dossier.customer\/2/' 1:9 "dossier.customer/1"
	fault '$apersonality: {en: kind}' 21:1 "never what people are like"
	fault '$amodel: &a x' 21:8 "anchor"
	a_customer acme neocloud | sed -e 's/^goal:/gaol:/' -e 's/fp8/fp7/' -e 's/64/many/' > c.yaml
	expect 3 dossier propose c.yaml
	same 3 "$(grep -c '^c.yaml:' <<< "$stderr")"
}

@test "customer file: a name that nothing answers to has its place as well" {
	fault 's/^archetype: .*/archetype: neoclod/' 4:12 "neoclod"
	fault 's/  model: .*/  model: deepsek-v3/' 11:10 "deepseek-v3"
	fault 's/  accelerator: .*/  accelerator: deepseek-v3/' 12:16 "deepseek-v3"
	fault 's/  model: .*/  model: q-01/' 11:10 "q-01"
	fault 's/^tiers: .*/tiers: [ddr5-rdimm, no-such-tier]/' 20:21 "no-such-tier"
}

@test "customer file: a chip of their own is theirs only" {
	cp "$REPO/tests/golden/hyperscaler.yaml" c.yaml
	expect 0 dossier propose c.yaml
	holds "Lantern inference part" "$output"
	sed 's/    memory: {kind: HBM3e, printed: 144 GB/    memory: {kind: HBM3e, print: 144 GB/' c.yaml > d.yaml
	expect 3 dossier propose d.yaml
	line "d.yaml:16:" "$stderr"
	dossier list accelerators | grep -i lantern | nothing
}

@test "customer file: workloads beyond one are set side by side; the same id twice is a fault" {
	cp "$REPO/tests/golden/neocloud.yaml" c.yaml
	dossier advise c.yaml --format json | jq -e '[.workloads[].sizing.bottleneck.flag] == ["weight-bound", "kv-bound"]' > /dev/null
	sed 's/id: documents/id: chat/' c.yaml > d.yaml
	expect 3 dossier propose d.yaml
	holds '`chat` stands twice' "$stderr"
}
