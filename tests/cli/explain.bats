# What size says beside its table: formulas, sensitivities, the margin.

load common

setup() { common_setup; }

SHOWCASE="-m deepseek-v3 -a h200 --weights fp8 --kv bf16 -c 128K -n 64"

# 61 layers x 131,072 rows x 576 elements of 2 bytes x 64 sequences, as in the showcase.
@test "explain: a result is its formula, with numbers and sources" {
	expect 0 dossier size $SHOWCASE --explain
	line "kv.bytes: KV cache of all sequences" "$output"
	line "  = 64 x (61 x 131,072 x 1,152 B)" "$output"
	line "  = 589,484,261,376 B (589.5 GB, 549 GiB)" "$output"
	line "    published, aiconfigurator-configs.deepseek-v3: layers 61, key width 576" "$output"
	line "    stated: KV bits (bf16) 16" "$output"
	line "    assumed: usable share 0.9" "$output"
	line "  = ceil((688,590,000,000 B + 589,484,261,376 B) / 135,679,338,086 B)" "$output"
	lacks "No formula is known" "$output"
	# every source that is named is one
	grep -o 'published, [a-z0-9.-]*:' <<< "$output" | sed 's/published, \(.*\)\.[^.]*:/\1/' | sort -u > sources
	[ "$(wc -l < sources)" -ge 5 ]
	while read -r id; do dossier show "$id" > /dev/null || echo "$id"; done < sources | nothing
}

@test "explain: in Korean the words are Korean and the numbers the same" {
	dossier size $SHOWCASE --explain | grep -E '^  = [(0-9,. xB+)-]*$' > en
	dossier size $SHOWCASE --explain --lang ko > all
	grep -E '^  = [(0-9,. xB+)-]*$' all > ko
	[ "$(wc -l < en)" -ge 20 ]
	cmp en ko
	grep -q -F '= 시퀀스 x 층 그룹별 합(층 x 유지하는 행 x 행 용량)' all
}

@test "explain: as JSON each printed figure has a formula and its operands" {
	dossier size $SHOWCASE --reuse '50 %' --sessions 400 --tiers ddr5-rdimm --explain -f json > e.json
	jq -e '.format == "dossier.sizing/1"' e.json > /dev/null
	jq -r '.explanations[] | select(.formula == null and (.searched | not)) | .key' e.json | nothing
	same "64 x (61 x 131,072 x 1,152 B)" "$(jq -r '.explanations[] | select(.key == "kv.bytes") | .numbers' e.json)"
	jq -e '.explanations[] | select(.key == "kv.bytes") | .operands[] | select(.name == "layers") | .value == 61 and .kind == "published" and .ref == "aiconfigurator-configs.deepseek-v3"' e.json > /dev/null
	jq -r '.explanations[].key' e.json | grep -q -x 'tiers.ddr5-rdimm.pays_above'
	# every figure of the result that is not zero is there
	jq -r '. as $r | [paths(type == "object" and has("value") and has("ref"))] | .[] | select(.[0] != "inputs" and .[0] != "explanations" and .[0] != "tiers" and .[0] != "assumptions") | . as $p | $r | getpath($p) | select(.value != 0) | .ref' e.json | sort -u > figures
	[ "$(wc -l < figures)" -ge 35 ]
	jq -r '.explanations[].key' e.json | sort -u > explained
	comm -23 figures explained | nothing
}

# 589.484 / 688.59 = 0.856 at 64 sequences of 128K; each doubles with sequences and with context.
@test "margin: the load in a grid, and where KV overtakes the weights" {
	expect 0 dossier size $SHOWCASE --margin
	line "            64     0.21      0.43    [0.86]|     1.71      3.42" "$output"
	line "                                  ----------" "$output"
	line "   turns above      299       149        74        37        18" "$output"
	! grep -q ' $' <<< "$output"
	dossier size $SHOWCASE --margin -f json > m.json
	jq -e '.margin | (.sequences == [16, 32, 64, 128, 256]) and (.contexts == [32768, 65536, 131072, 262144, 524288]) and .row == 2 and .column == 2' m.json > /dev/null
	jq -e '.margin.kv_to_weights[2][2] | .value > 0.856 and .value < 0.8562 and .kind == "calculated"' m.json > /dev/null
	jq -e '.margin.crossover[2].value | . > 74.75 and . < 74.77' m.json > /dev/null
	COLUMNS=40 expect 0 dossier size $SHOWCASE --margin --lang ko
	holds "[0.86]" "$output"
	expect 0 dossier size -m falcon-mamba-7b -a h200 --weights bf16 -c 128K -n 1 --margin
	holds "[" "$output"
}

@test "sensitivity: every input that moves the answer, and what a GB and a GB/s are worth" {
	expect 0 dossier size $SHOWCASE --sensitivity
	holds "sequences more that fit: 1.538" "$output" # two stages of eight groups: 0.9e9 x 64 / (8 x 31 x 1,152 x 131,072)
	holds "accelerators that are enough then: 8" "$output"
	dossier size $SHOWCASE --sensitivity -f json > s.json
	jq -e '[.sensitivity.inputs[].effect] | . == (sort | reverse)' s.json > /dev/null
	jq -e '.sensitivity.inputs[] | select(.input == "memory") | .low.answers.accelerators.value == 16 and .low.answers.step_seconds.value > 0 and .now.kind == "published"' s.json > /dev/null
	jq -e '.sensitivity.inputs[] | select(.input == "context") | .now.kind == "stated" and .high.input.value == 144179' s.json > /dev/null
	jq -e '.sensitivity.worth | (.step_per_gb_per_second.value < 0) and .step_per_gb_per_second.unit == "s"' s.json > /dev/null
	expect 0 dossier size $SHOWCASE --sensitivity --lang ko
	holds "가중치 정밀도" "$output"
}

@test "views: one behind the other, and none where nothing can be sized" {
	expect 0 dossier size $SHOWCASE --margin --sensitivity --explain
	holds "[0.86]" "$output"
	holds "one more GB" "$output"
	holds "kv.bytes: " "$output"
	expect 2 dossier size -m deepseek-v3 --margin
	[ -z "$output" ]
}
