# Cases that made other calculators wrong, asked of the shipped profiles; and what architectures of 2026 keep. Each
# value is typed in with how it comes about; the same from bare geometry are unit tests of the engine.

load common

setup() { common_setup; }

size() { dossier size "$@" --format json; }

is() { # is PATH VALUE: exactly
	jq -e --argjson v "$2" "$1 | (.value? // .) == \$v" r.json > /dev/null || {
		echo "expected $1 of $2, found $(jq -c "$1" r.json)"
		return 1
	} >&2
}

@test "caches: rows and states of one sequence" {
	# model, kv, tokens, bytes of rows, bytes of states
	while read -r model kv tokens rows states; do
		size -m "$model" -a h200 --weights bf16 --kv "$kv" -c "$tokens" -n 1 > r.json
		is .kv.bytes_per_sequence "$rows"
		is .state.bytes "$states"
	done < <(sed 's/ *#.*//' <<- 'END'
		deepseek-v3 bf16 1 70272 0                      # 61 x (512 + 64) x 2; by heads it would be 1,748,992
		deepseek-v3.2 bf16 1048576 90060095488 0        # 61 x (576 + 128) x 2 x T: 83.875 GiB
		deepseek-v4-pro bf16 1048576 10334371840 18710528 # 30 x T / 4 x 1280 + 31 x T / 128 x 1024 + 61 x 128 x 1024: 9.625 GiB; buffers
		qwen3.5-9b bf16 16384 536870912 51511296        # 8 x 4096 x T; 24 x (32 x 128 x 128 x 4 + 8192 x 3 x 2)
		muse-glimmer-30b f16 32768 517996544 0          # 13 x 1024 x T + 39 x 1024 x 2048
		gemma-3n-e4b bf16 8000 82313216 0               # 4 x 2048 x T + 16 x 2048 x 512: 78.5 MiB
		gemma-3n-e4b bf16 32000 278921216 0             # 266 MiB
		gemma-3n-e4b bf16 128000 1065353216 0           # 1,016 MiB
		longcat-flash bf16 131072 8455716864 0          # 28 x 2 x 576 x 2 x T: 7.875 GiB
		mimo-v2-flash bf16 131072 3045457920 0          # 9 x 4 x 320 x 2 x T + 39 x 8 x 320 x 2 x 128
		phi-4-mini-flash bf16 65536 356515840 3225600   # 5120 x T + 8 x 5120 x 512; 9 x (5120 x 16 x 4 + 5120 x 3 x 2)
		gpt-oss-120b bf16 32768 1212678144 0            # 18 x 2048 x (T + 128); all full 2,415,919,104
		gpt-oss-120b bf16 65536 2420637696 0            # 1.9961 times less than 36 x 2048 x T = 4,831,838,208
		gpt-oss-120b bf16 1 73728 0                     # 36 x 2 x 8 x 64 x 2: a window keeps what there is
		qwen3-next-80b-a3b bf16 32768 805306368 77266944 # 12 x 2048 x T; 36 x (32 x 128 x 128 x 4 + 8192 x 3 x 2)
		qwen3-4b bf16 1 147456 0                        # 36 x 2 x 8 x 128 x 2: heads of 128, not 2560 / 32
		gemma-3-27b bf16 131072 11173625856 0           # (10 x T + 52 x 1024) x 8192: 10.41 GiB, not 62
		llama-3.1-70b bf16 131072 42949672960 0         # 327,680 x T: 40 GiB
		llama-3.1-70b fp8 131072 21474836480 0
		llama-3.1-8b bf16 8192 1073741824 0             # of 8 kv heads; of 32 heads 4,294,967,296
		bge-m3 bf16 8192 0 0                            # an encoder keeps nothing
	END
	)
	# fp8 weights do not make an fp8 cache: 327,680 x 16,384 is 5 GiB
	size -m llama-3.1-70b -a h200 --weights fp8 --kv bf16 -c 16384 -n 1 > r.json
	is .kv.bytes 5368709120
}

@test "caches: a step reads the best rows and the whole index" {
	size -m deepseek-v3.2 -a h200 --weights fp8 --kv bf16 -c 131072 -n 1 > r.json
	is .kv.bytes 11257511936                   # 61 x (576 + 128) x 2 x T
	is .kv.bytes_read_per_step 2190737408      # 61 x (2048 x 1152 + T x 256)
	size -m phi-4-mini-flash -a h200 --weights bf16 --kv bf16 -c 65536 -n 1 > r.json
	is .kv.bytes_read_per_step 2705326080      # one owner and seven more readers: 8 x 335,544,320 + 20,971,520
}

@test "caches: engines reserve more, by their own rules" {
	# pages of 528 tokens: 35 of 17,301,504 B, with three of states
	size -m qwen3.5-9b -a h200 --weights bf16 --kv bf16 -c 16384 -n 1 --engine vllm > r.json
	is .kv.reserved_bytes 605552640
	# 416.00 MiB and 39 x 1024 x (2048 + 512)
	size -m muse-glimmer-30b -a h200 --weights bf16 --kv f16 -c 32768 -n 1 --engine llama.cpp > r.json
	is .kv.reserved_bytes 538443776
	# 5 x 4096 x T + 25 x 8192 x (1024 + 512)
	while read -r tokens bytes; do
		size -m gemma-4-26b-a4b -a h200 --weights bf16 --kv f16 -c "$tokens" -n 1 --engine llama.cpp > r.json
		is .kv.reserved_bytes "$bytes"
	done <<- END
	131072 2998927360
	32768 985661440
	4096 398458880
	END
}

@test "weights: classes of tensors, experts in all and of a token" {
	# 84,934,656 of one byte, 39,505,152 of four: the tied head stays in fp32
	size -m gpt2 -a h200 --weights fp32 --kv fp32 -c 1024 -n 1 > r.json
	is .weights.bytes 497759232
	size -m gpt2 -a h200 --weights fp32 --kv fp32 -c 1024 -n 1 --tensors attention=int8,dense=int8 > r.json
	is .weights.bytes 242955264
	size -m llama-3.1-8b -a h200 --weights bf16 --kv bf16 -c 8192 -n 1 > r.json
	is .weights.bytes 16060522496 # both matrices of the vocabulary: 15,316.5 MiB
	size -m mixtral-8x7b -a h200 --weights bf16 --kv bf16 -c 1 -n 1 > r.json
	is .parameters.total 46702792704
	is .parameters.active 12879925248
	is '.weights.bytes.value == 2 * 46702792704' true
}

@test "counts: what does not hold the weights has no latency, and what holds them is what can be built" {
	# 811,706,777,600 B are 755.96 GiB; in 80 GiB at 0.9 eleven times, and cut in heads and stages sixteen
	size -m llama-3.1-405b -a h100-sxm --weights bf16 --kv bf16 -c 1 -n 1 > r.json
	is .weights.bytes 811706777600
	is .accelerators.by_capacity 11
	is .accelerators.by_layout 16
	is .layout.tensor 8
	is .layout.pipeline 2
	size -m llama-3.1-405b -a h100-sxm --weights bf16 --kv bf16 -c 1 -n 1 --accelerators 1 > r.json
	is .fits_given false
	is .decode.step_seconds null
	is .prefill.seconds null
	# 671e9 B and more are over 8 x 80 GiB x 0.9: never eight
	size -m deepseek-v3 -a h100-sxm --weights fp8 --kv bf16 -c 1 -n 1 > r.json
	is .accelerators.by_layout 16
	size -m deepseek-v3 -a h100-sxm --weights fp8 --kv bf16 -c 1 -n 1 --accelerators 8 > r.json
	is .fits_given false
	# four KV heads on eight ranks: one on each, 94 x 2 x 128 x 2 x 1000
	size -m qwen3-235b-a22b -a h200 --weights bf16 --kv bf16 -c 1000 -n 1 --layout tensor=8 > r.json
	is .budget.kv 48128000
}

@test "times: a latency of hops that no source states is an assumption" {
	size -m llama-2-70b -a h100-sxm --weights bf16 --kv bf16 -c 4224 -n 16 --layout tensor=8 > r.json
	jq -e '.assumptions | any(.ref == "link.latency" and .value == 1e-6 and .kind == "assumed")' r.json > /dev/null
	size -m llama-2-13b -a tpu-v5e --weights bf16 --kv bf16 -c 1024 -n 1 --layout tensor=8 > r.json
	jq -r '.assumptions[] | select(.ref == "link.latency")' r.json | nothing
	size -m llama-3.1-8b -a h200 --weights bf16 --kv bf16 -c 8192 -n 1 > r.json # one device: nothing is sent
	jq -r '.assumptions[] | select(.ref == "link.latency")' r.json | nothing
}

@test "times: a step reads the cache once, and a long prompt is bound by compute" {
	# 16 x 4224 x 327,680 / 8 = 2,768,240,640 B at 3.35e12 B/s: 0.826 ms
	size -m llama-2-70b -a h100-sxm --weights bf16 --kv bf16 -c 4224 -n 16 --layout tensor=8 > r.json
	jq -e '.kv.bytes_read_per_step.value / 8 == 2768240640' r.json > /dev/null
	jq -e '.decode.kv_seconds.value * 1e3 - 0.826 | fabs < 0.001' r.json > /dev/null
	# Llama-3.1-8B on H200, 8,192 tokens: 3.570 ms alone, 17.66 of 64, 0.811 of it KV
	size -m llama-3.1-8b -a h200 --weights bf16 --kv bf16 -c 8192 -n 1 > r.json
	jq -e '.decode.step_seconds.value * 1e3 - 3.570 | fabs < 0.001' r.json > /dev/null
	size -m llama-3.1-8b -a h200 --weights bf16 --kv bf16 -c 8192 -n 64 > r.json
	jq -e '.decode | (.step_seconds.value * 1e3 - 17.66 | fabs < 0.01) and (.kv_seconds.value / .step_seconds.value - 0.811 | fabs < 0.001)' r.json > /dev/null
	size -m llama-3.1-8b -a h200 --weights bf16 --kv bf16 --prompt 6000 --output 2 -n 4 > r.json
	is .bottleneck.prefill '"linear-compute"'
}
