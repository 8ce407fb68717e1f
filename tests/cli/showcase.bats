# The case to keep in mind. Expected values are those of ../shared/cases/sizing-seed.yaml, typed in with
# how they come about, not taken from the program.

load common

setup_file() {
	clean_environment "$BATS_FILE_TMPDIR"
	cd "$BATS_FILE_TMPDIR" || return 1
	dossier size --model deepseek-v3 --accelerator h200 --weights fp8 --kv bf16 --context 128K --concurrency 64 --format json > size.json
	a_customer acme neocloud > mla.yaml
	a_customer acme neocloud | sed -e 's/deepseek-v3/qwen3-14b/' -e 's/weights: fp8/weights: bf16/' -e 's/concurrency: 64/concurrency: 48/' -e 's/sessions: 400/sessions: 300/' > gqa.yaml
	for c in mla gqa; do dossier advise $c.yaml --format json > $c.json; done
}

setup() { common_setup; F=$BATS_FILE_TMPDIR; }

is() { # is FILE PATH VALUE UNIT
	jq -e --argjson v "$3" --arg u "${4:-}" "$2 | .value == \$v and (\$u == \"\" or .unit == \$u)" "$1" > /dev/null || {
		echo "expected $2 of $3 ${4:-}, found $(jq -c "$2" "$1")"
		return 1
	} >&2
}

@test "showcase: DeepSeek-V3 on H200 at 128K and 64 sequences" {
	s=$F/size.json
	is $s .weights.bytes 688590000000 B            # the published checkpoint: 688.59 GB
	is $s .kv.bytes_per_token 70272 B              # 61 layers x (512 + 64) x 2 B
	is $s .kv.bytes_per_sequence 9210691584 B      # x 131,072 tokens
	is $s .kv.bytes 589484261376 B                 # x 64 sequences
	is $s .state.bytes 0 B
	is $s .crossover.whole_sequences 74            # 688.59e9 / 9,210,691,584 = 74.76
	is $s .accelerators.by_capacity 10             # 1,278,074,261,376 / (150,754,820,096 x 0.9 = 135,679,338,086) = 9.42
	# Servers of eight: ten and eleven cannot be bought, and no layout of eight holds 9.42 devices' worth.
	is $s .accelerators.by_layout 16
	is $s .accelerators.needed 16
	is $s .layout.attention 8                      # a latent is copied on tensor-parallel ranks, so none of them
	is $s .layout.pipeline 2                       # no stage leaves a scale-up domain of eight
	is $s .accelerators.for_weights 6              # 688.59e9 / 135.68e9 = 5.08
	is $s .accelerators.added_by_kv 4
	is $s .parameters.active 37000000000
	jq -e '.kv_to_weights.value | . > 0.8560 and . < 0.8562' $s > /dev/null # 589.484 / 688.59
	jq -e '.crossover.concurrency.value | . > 74.75 and . < 74.77' $s > /dev/null
	jq -e '.bottleneck | .flag == "weight-bound" and .capacity == "weights" and .near_crossover' $s > /dev/null
	expect 0 dossier size --model deepseek-v3 --accelerator h200 --weights fp8 --kv bf16 --context 128K --concurrency 64
	# Bought one by one, eleven: 6 of 61 layers a stage, 125.7 GB; ten stages have 7 in the fullest, 146.7 GB.
	same 11 "$(dossier size -m deepseek-v3 -a h200 --weights fp8 --kv bf16 -c 128K -n 64 --node 1 -f json | jq .accelerators.needed.value)"
	for figure in "688.6 GB" "589.5 GB" "68.63 KiB" "0.86" " 74 " "weight-bound (capacity)" "near the crossover"; do holds "$figure" "$output"; done
}

@test "showcase: one more sequence than the crossover turns the answer" {
	for n in 74 75; do
		dossier size -m deepseek-v3 -a h200 --weights fp8 --kv bf16 -c 128K -n $n -f json > $n.json
	done
	same weight-bound "$(jq -r .bottleneck.flag 74.json)"
	same kv-bound "$(jq -r .bottleneck.flag 75.json)"
}

@test "showcase: precisions change the count as they should" {
	count() { dossier size -m deepseek-v3 -a h200 --weights "$1" --kv "$2" -c 128K -n "$3" -f json | jq .accelerators.needed.value; }
	same 8 "$(count nvfp4 bf16 64)"  # (671e9 x 4.5 / 8 + 589.48e9) / 135.68e9 = 7.13
	same 8 "$(count fp8 fp8 64)"     # (688.59 + 294.74) / 135.68 = 7.25
	same 6 "$(count fp8 bf16 1)"     # (688.59 + 9.21) / 135.68 = 5.14
	# 128 rather than 64 sequences: (688.59 + 1178.97) / 135.68 = 13.76, on whole nodes of eight from there on
	dossier size -m deepseek-v3 -a h200 --weights fp8 --kv bf16 -c 128K -n 128 -f json > n.json
	is n.json .accelerators.by_capacity 14
}

@test "showcase: the keys of dossier.sizing/1" {
	jq -e '.format == "dossier.sizing/1"' "$F/size.json" > /dev/null
	for key in inputs parameters.total parameters.active weights.bytes state.bytes index.bytes kv.bytes_per_token kv.growth_per_token kv.bytes_per_sequence kv.bytes kv.reserved_bytes kv.bytes_read_per_step kv_to_weights crossover.concurrency fits.concurrency fits.context accelerators.by_capacity accelerators.by_layout accelerators.needed accelerators.for_weights accelerators.added_by_kv bottleneck.capacity bottleneck.prefill bottleneck.decode bottleneck.flag bottleneck.reason prefill.seconds decode.step_seconds decode.weights_seconds decode.kv_seconds decode.tokens_per_second critical_batch budget tiers assumptions; do
		jq -e "path(.$key) as \$p | getpath(\$p[:-1]) | has(\$p[-1])" "$F/size.json" > /dev/null || { echo "no $key" >&2; return 1; }
	done
	# the only compute time of the design, by whatever parts
	jq -e '.decode | has("compute_seconds") or (has("linear_compute_seconds") and has("attention_compute_seconds"))' "$F/size.json" > /dev/null
	# every quantity has value, unit and kind, and a calculated one its weakest input
	jq -r '.. | objects | select(has("value") and has("unit")) | select((.value | type) != "number" or (.kind | IN("measured", "published", "stated", "assumed", "calculated") | not) or (.kind == "calculated" and .weakest == null) or (.ref | type) != "string")' "$F/size.json" | nothing
	jq -e '.weights.bytes | .kind == "calculated" and .weakest == "stated" or .weakest == "published"' "$F/size.json" > /dev/null
	jq -e '.accelerators.needed.weakest == "assumed"' "$F/size.json" > /dev/null # nine tenths are usable: assumed
	jq -e '.assumptions | any(.ref == "usable" and (.value - 0.9 | fabs) < 1e-12)' "$F/size.json" > /dev/null
}

@test "showcase: the budget of a device balances" {
	jq -e '.budget | [.weights, .kv, .index, .state, .activations, .communication, .runtime, .free] | map(.value // 0) | add' "$F/size.json" > sum
	jq -e --argjson sum "$(cat sum)" '(.budget.usable.value - $sum | fabs) < 1' "$F/size.json" > /dev/null
}

@test "showcase: the MLA customer is weight-bound, and KV tiers as room for KV misread them" {
	a=$F/mla.json
	jq -e '.workloads[0] | .focus.phase == "capacity" and .focus.term == "weights" and .near_crossover and .sizing.bottleneck.flag == "weight-bound"' $a > /dev/null
	is $a '.workloads[0].sizing.accelerators.needed' 16
	for lever in kv-relief-dram kv-relief-cxl kv-relief-nvme; do
		jq -e --arg l $lever '.workloads[0].levers[] | select(.lever == $l) | .verdict == "misreads" and .accelerators.before.value == 16 and .accelerators.after.value == 16' $a > /dev/null
	done
	jq -e '.workloads[0].levers[] | select(.lever == "hbm-capacity") | .verdict == "fits" and .accelerators.before.value == 16 and .accelerators.after.value == 8' $a > /dev/null # 1278.07 / (135.68 x 1.5) = 6.28, and in 8 stages 8 / 61 of it is 167.6 of 203.5 GB
	jq -e '.workloads[0].levers[] | select(.lever == "weights-fp4") | .verdict == "fits" and .accelerators.before.value == 16 and .accelerators.after.value == 8' $a > /dev/null
	jq -e '.workloads[0].levers[] | select(.lever == "kv-reuse-dram") | .verdict == "also-helps"' $a > /dev/null
	dossier propose "$F/mla.yaml" > draft.md
	sed -n '/^#### What we deliberately do not propose/,/^####* What this rests on/p' draft.md > not.md
	for name in "CXL memory as room for KV" "Host DRAM as room for KV" "NVMe as room for KV"; do
		grep -q -F "$name" not.md
		sed -n '/^#### What we propose/,/^#### What we deliberately/p' draft.md | grep -F "$name" | nothing
	done
	grep -q 'up to \[74\]\[chat.crossover.whole_sequences\] sequences' draft.md
	grep -q '\[64\]\[chat.in.concurrency\]' draft.md
	grep -q 'Near the crossover' draft.md
	grep -q '^The weights set how many GPUs a replica needs' draft.md # the position at weights, written for a ratio under 1
	grep -q -F '[589.5 GB][chat.kv.bytes]' draft.md
	grep -q -E '^\[chat.kv.bytes\]: #s[0-9]+ "589484261376 B, calculated' draft.md
	dossier propose "$F/mla.yaml" --lang ko | grep -q -E '\[74\]\[chat.crossover.whole_sequences\]'
}

@test "showcase: a GQA model of 160 KiB a token is KV-bound and is told how much of its KV is idle" {
	a=$F/gqa.json
	is $a '.workloads[0].sizing.kv.bytes_per_token' 163840 B               # 40 layers x 8 heads x 2 x 128 x 2 B
	is $a '.workloads[0].sizing.kv.bytes_per_sequence' 21474836480 B       # x 131,072 = 20 GiB
	is $a '.workloads[0].sizing.kv.idle_bytes' 5411658792960 B             # x (300 - 48)
	jq -e '.workloads[0] | .sizing.bottleneck.flag == "kv-bound" and .focus.phase == "capacity" and .focus.term == "kv"' $a > /dev/null
	for lever in kv-relief-dram kv-relief-nvme; do
		jq -e --arg l $lever '.workloads[0].levers[] | select(.lever == $l) | .verdict == "fits"' $a > /dev/null
	done
	dossier propose "$F/gqa.yaml" > draft.md
	grep -q -F '[5.412 TB][chat.kv.idle_bytes]' draft.md
	sed -n '/^#### What we propose/,/^#### What we deliberately/p' draft.md | grep -q -F 'Host DRAM as room for KV'
}

@test "showcase: the four structures side by side" {
	growth() { dossier size -m "$1" -a h200 --weights bf16 --kv bf16 -c 128K -n 1 -f json | jq ".kv.growth_per_token.value / 1024"; }
	same 160 "$(growth qwen3-14b)"
	same 68.625 "$(growth deepseek-v3)"
	same 80 "$(growth gemma-3-27b)"
	same 6 "$(growth nemotron-3-nano-30b-a3b)"
}

@test "size: wrong inputs are named, and never a wrong number" {
	good="-m qwen3-14b -a h200 --weights bf16 --kv bf16 -c 4K -n 4"
	expect 0 dossier size $good
	while read -r option value; do
		run --separate-stderr dossier size $good "$option" "$value"
		name=${option#--}
		case $name in -n) name=concurrency ;; -c) name=context ;; tiers) name=tier ;; esac
		if [ "$status" -ne 2 ] && [ "$status" -ne 3 ]; then
			echo "$option $value: status $status" >> wrong
		elif [ -n "$output" ] || [[ $stderr != *$name* ]]; then
			echo "$option $value: $stderr" >> wrong
		fi
	done <<- 'END'
	-n 0
	-n -1
	-n nan
	-n 1e400
	-n 1.5x
	-n 1e29
	-c 0
	-c 128GB
	-c 1e30
	-c -4K
	--weights fp7
	--kv 16
	--usable 0
	--usable 120 %
	--reuse 200 %
	--reuse 100.5 %
	--accelerators 0
	--accelerators 1.5
	--sessions 0
	--sessions 2
	--ttft -1 s
	--ttft 0 s
	--tpot 0 s
	--requests-per-second 0
	--tiers no-such-tier
	END
	[ ! -e wrong ] || { cat wrong; return 1; } >&2
	for missing in "-m qwen3-14b" "-a h200" "--weights bf16" "--kv bf16" "-c 4K"; do
		run --separate-stderr dossier size ${good/$missing/}
		[ "$status" -eq 2 ]
		holds "expected --" "$stderr"
	done
	expect 3 dossier size ${good/h200/h2000}
	holds "h200" "$stderr"
	expect 3 dossier size ${good/qwen3-14b/h200}
}

@test "size: 128K, 131072 and 128 x 1024 are one, K after a count of sequences is none" {
	run dossier size -m qwen3-14b -a h200 --weights bf16 --kv bf16 -c 131072 -n 4 -f json
	a=$(jq -c 'del(.inputs)' <<< "$output")
	run dossier size -m qwen3-14b -a h200 --weights bf16 --kv bf16 -c 128K -n 4 -f json
	same "$a" "$(jq -c 'del(.inputs)' <<< "$output")"
	expect 2 dossier size -m qwen3-14b -a h200 --weights bf16 --kv bf16 -c 4K -n 1K
	dossier size -m qwen3-14b -a h200 --weights bf16 --kv bf16 --prompt 120K --output 8K -n 4 -f json > n.json
	is n.json .kv.bytes_per_sequence 21474836480
}

@test "size: what does not fit is said before any latency" {
	dossier size -m deepseek-v3 -a h200 --weights fp8 --kv bf16 -c 128K -n 64 --accelerators 8 -f json > n.json
	jq -e '.fits_given == false and .prefill.seconds == null and .decode.step_seconds == null and .budget.missing.value > 0' n.json > /dev/null
	is n.json .fits.concurrency 37 # in 8 stages, 8 of 61 layers: (135.679 - 688.59 x 8 / 61) / (9.210692 x 8 / 61) = 37.5
	expect 0 dossier size -m deepseek-v3 -a h200 --weights fp8 --kv bf16 -c 128K -n 64 --accelerators 8
	holds "does not fit" "$output"
	lacks "decode step, lower bound" "$output"
	lacks "time to first token" "$output"
}

# Little's law: R requests a second of 4,096 tokens are R x 4,096 tokens/s; the least load that serves
# them runs at that rate or a little above, since accelerators come whole, and by the server beyond eight.
@test "size: requests per second become sequences that serve them" {
	local rate
	for rate in 0.1 0.5 1 2 5; do
		expect 0 dossier size --model qwen3-14b --accelerator h200 --weights bf16 --kv bf16 --prompt 120K --output 4K --requests-per-second $rate --format json
		jq -e --argjson rate $rate '.decode.tokens_per_second.value as $t | $t >= $rate * 4096 and ($t < $rate * 4096 * 1.35 or ($rate < 1 and $t < $rate * 4096 * 2))' <<< "$output"
	done
	expect 3 dossier size --model qwen3-14b --accelerator h200 --weights bf16 --kv bf16 --prompt 120K --output 4K --requests-per-second 5 --accelerators 1
	holds "no number of sequences that fits" "$stderr"
	# 40 layers in stages of eight ranks are 320 devices at most; this load needs more
	expect 3 dossier size --model qwen3-14b --accelerator h200 --weights bf16 --kv bf16 --prompt 120K --output 4K --requests-per-second 20
	holds "over replicas" "$stderr"
}

@test "size: a model without KV needs no precision of it" {
	expect 0 dossier size --model falcon-mamba-7b --accelerator h200 --weights bf16 --context 128K --concurrency 8 --format json
	jq -e '.kv.bytes.value == 0 and .state.bytes.value > 0' <<< "$output"
}

# 8192 of 16384 tokens are 2.684 GB; 8 drives of 13.5 GB/s and 60 us: 24.9 ms. 10 DDR5 of 128 GB hold 1.02 TB.
@test "showcase: a tier is judged by what the load asks of it, and the figures say so" {
	dossier size -m llama-3.1-70b -a h100-sxm --weights bf16 --kv bf16 --prompt 16K --output 512 -n 16 --sessions 200 \
	    --reuse 50% --accelerators 8 --tiers ddr5-rdimm,nvme-gen5,nvme-gen4,rdma-400g -f json > tiers.json
	jq -e '.tiers | length == 4 and all(.verdict != null and .units.needed != null)' tiers.json > /dev/null
	jq -e '.tiers[] | select(.id == "nvme-gen5") | (.load_seconds.value - (2684354560 / (8 * 13.5e9) + 60e-6) | fabs) < 1e-12
	    and .written_per_day.value / (.written_per_second.value * 86400) == 1
	    and .endurance_share.value > .written_per_day.value / (8 * 76.8e12) * (1 - 1e-9)
	    and .endurance_share.value < .written_per_day.value / (8 * 76.8e12) * (1 + 1e-9)
	    and .units.endurance.value == (.written_per_day.value / 76.8e12 | ceil)' tiers.json > /dev/null
	# nobody states what it stands, or how large it is: null, and no verdict
	jq -e '.tiers[] | select(.id == "nvme-gen4") | .verdict == "unknown" and .endurance_share == null and .worn_seconds == null' tiers.json > /dev/null
	jq -e '.tiers[] | select(.id == "rdma-400g") | .verdict == "unknown" and .fill_seconds == null and .units.capacity == null' tiers.json > /dev/null
	COLUMNS=200 dossier size -m llama-3.1-70b -a h100-sxm --weights bf16 --kv bf16 --prompt 16K --output 512 -n 16 --sessions 200 \
	    --reuse 50% --accelerators 8 --tiers ddr5-rdimm,nvme-gen4 > table
	grep -Eq '^tier +verdict +read back +with others' table
	grep -Eq '^nvme-gen4 +no verdict' table
	dossier size -m llama-3.1-70b -a h100-sxm --weights bf16 --kv bf16 -c 16K -n 16 > without
	! grep -q '^tier ' without
}

# Bound by reading: four drafts at 5 % each and one check yield (1 - 0.8^5) / 0.2 = 3.3616 tokens, so 1.2 / 3.3616 of the time.
@test "size: drafting yields several tokens for one reading" {
	dossier size -m qwen3-14b -a h200 --weights bf16 --kv bf16 -c 8K -n 8 --draft-tokens 4 --acceptance 80% --draft-cost 5% -f json > n.json
	is n.json .accelerators.needed 1
	jq -e '(.decode.speculative_tokens_per_step.value - 3.3616 | fabs) < 1e-4' n.json > /dev/null
	jq -e '(.decode.speculative_seconds_per_token.value / .decode.step_seconds.value - 1.2 / 3.3616 | fabs) < 1e-4' n.json > /dev/null
	expect 3 dossier size -m qwen3-14b -a h200 --weights bf16 --kv bf16 -c 8K -n 8 --draft-tokens 4
	holds "acceptance" "$stderr"
}

@test "size: a layout is taken as it is given, or refused with the reason" {
	dossier size -m llama-3.1-70b -a h200 --weights bf16 --kv bf16 -c 8K -n 16 --layout tensor=8 -f json > n.json
	is n.json .accelerators.needed 8
	# two all-reduces a layer of 16 x 8192 x 2 B, 2 x 7/8 of it sent: 160 x 458,752
	is n.json .interconnect.all_reduce_bytes 73400320 B
	expect 3 dossier size -m llama-3.1-70b -a h200 --weights bf16 --kv bf16 -c 8K -n 16 --layout attention=2
	holds "run replicas" "$stderr"
	expect 3 dossier size -m llama-3.1-70b -a h200 --weights bf16 --kv bf16 -c 8K -n 16 --layout fsdp=8
	holds "gathers the weights over links" "$stderr"
	expect 3 dossier size -m llama-3.1-70b -a h200 --weights bf16 --kv bf16 -c 8K -n 16 --layout tensor=4,data=2
	holds "run replicas" "$stderr"
	expect 3 dossier size -m llama-3.1-70b -a h200 --weights bf16 --kv bf16 -c 8K -n 16 --layout tensor=6
	holds "heads unevenly" "$stderr"
	expect 2 dossier size -m llama-3.1-70b -a h200 --weights bf16 --kv bf16 -c 8K -n 16 --layout tensors=6
	holds "--layout: expected one of the keys tensor" "$stderr"
	expect 2 dossier size -m llama-3.1-70b -a h200 --weights bf16 --kv bf16 -c 8K -n 16 --layout tensor
	expect 2 dossier size -m llama-3.1-70b -a h200 --weights bf16 --kv bf16 --lengths 8K=40%,4K -n 16
}

@test "advise: drafting is judged by the acceptance that the customer measured" {
	sed 's/^\( *\)concurrency:.*/&\n\1acceptance: 80 %/' "$F/mla.yaml" > a.yaml
	verdict() { dossier advise "$1" --format json | jq -r '.workloads[0].levers[] | select(.lever == "speculative-decoding") | .verdict'; }
	same needs-acceptance "$(verdict "$F/mla.yaml")"
	[ "$(verdict a.yaml)" != needs-acceptance ]
}

# Llama-3.1-8B has 32 layers and eight KV heads: 32 stages of eight ranks, 256 devices, are the most that hold no copies.
# 2,250 x 131,072 tokens of 131,072 B and 16.06 GB of weights are 285.02 devices' worth of 135.68 GB.
@test "size: what no layout of one replica holds has no latency, and the advice is replicas" {
	dossier size -m llama-3.1-8b -a h200 --weights bf16 --kv bf16 -c 128K -n 2250 -f json > n.json
	is n.json .accelerators.by_capacity 286
	jq -e '.accelerators.by_layout == null and .fits_given == false and .decode.step_seconds == null' n.json > /dev/null
	expect 0 dossier size -m llama-3.1-8b -a h200 --weights bf16 --kv bf16 -c 128K -n 2250
	holds "replicas have to share" "$output"
}

@test "advise: a lever that lengthens a time past its stated target is not one to propose" {
	# This device has no path for four bits: the 4.3e15 operations of a prompt then run at the rate of bf16, half that of
	# fp8, which on eight devices of 256 TFLOP/s takes 2.1 s of the 2 s that are stated.
	verdict() { dossier advise "$1" --format json | jq -r '.workloads[0].levers[] | select(.lever == "weights-fp4") | .verdict'; }
	same costs-more "$(verdict "$REPO/tests/golden/merchant.yaml")"
	dossier propose "$REPO/tests/golden/merchant.yaml" --lang en | sed -n '/deliberately do not propose/,$p' > rejected
	grep -q '^- \*\*Weights in FP4\*\*: shortens one time and lengthens another' rejected
	sed 's/ttft: 2 s/ttft: unknown/' "$REPO/tests/golden/merchant.yaml" > free.yaml
	same fits "$(verdict free.yaml)"
}

@test "advise: what does not fit is said, and what a stated target asks for" {
	expect 0 dossier advise "$REPO/tests/golden/three/smartphone.yaml" --lang en
	holds "does not fit" "$output"
	holds "missing: 5.842 GB" "$output" # 8.835 GB of weights, 207 MB of KV, 3.2 GB of room
	expect 0 dossier advise "$REPO/tests/golden/three/neocloud.yaml" --lang en
	holds "accelerators for the TTFT target: 24" "$output"
}
