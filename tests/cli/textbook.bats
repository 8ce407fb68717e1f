# "How to Scale Your Model", part 7: its quiz, exercises and appendices, asked of the tool as a reader would.
# Expected values are the book's, or worked out beside them from its formulas; never taken from the program.

load common

setup_file() {
	clean_environment "$BATS_FILE_TMPDIR"
	cd "$BATS_FILE_TMPDIR" || return 1
	a_source src-x
	# 30e9 parameters, 100 kB of KV a token
	put evidence/models/quiz.yaml <<- END
	id: quiz
	name: "Thirty billion parameters"
	published: {total: 30e9, source: src-x.share}
	width: 1
	vocabulary: {size: 0, tied: yes}
	groups:
	- {layers: 1, cache: full, row_bytes: 100000, source: src-x.share}
	END
	# appendix A: d 8192, ff 32768, two matrices
	put evidence/models/layer.yaml <<- END
	id: layer
	name: "One layer"
	width: 8192
	vocabulary: {size: 0, tied: yes}
	groups:
	- {layers: 1, cache: none, source: src-x.share}
	ffn:
	  dense: {layers: 1, width: 32768, gated: no}
	  source: src-x.share
	END
	# a shipped profile with something changed
	changed part7-exercise models one-head -e '/^published/d' -e 's/_width: 2048/_width: 256/'
	# a fifth of the KV with all parameters: 40 x 5120 x (10240 - 2048) are no longer keys and values
	changed llama-2-13b models llama-fifth -e 's/^max_context/other_parameters: 1677721600\nmax_context/' -e 's/\(key\|value\)_width: 5120/\1_width: 1024/'
	# the tables of the book count 16 GiB where its exercises count 16 GB
	changed google-tpu-v5e accelerators v5e-gib -e 's/printed: 16 GB/printed: 16 GiB/'
	# one axis of the torus, a ring: 4.5e10 B/s to each of two neighbours
	changed google-tpu-v5e accelerators v5e-ring -e 's/per_direction: 200 GB/per_direction: 90 GB/'
	# beta = 8
	changed google-tpu-v5e accelerators v5e-eighth -e 's/per_direction: 200 GB/per_direction: 102.5 GB/'
}

changed() { # changed ID KIND NEW-ID SED...
	local from=$REPO/evidence/$2/$1.yaml to=evidence/$2/$3.yaml new=$3
	shift 3
	put "$to" < <(sed -e "s/^id: .*/id: $new/" -e '/^aliases/d' "$@" "$from")
	! cmp -s "kb/$to" "$from"
}

setup() { common_setup; F=$BATS_FILE_TMPDIR; }

# All of each device, as the book has it.
size() { dossier --kb "$F/kb" size -a v5e --usable 100% "$@" --format json; }

is() { # is PATH VALUE: exactly
	jq -e --argjson v "$2" "$1 | (.value? // .) == \$v" r.json > /dev/null || {
		echo "expected $1 of $2, found $(jq -c "$1" r.json)"
		return 1
	} >&2
}

near() { # near PATH VALUE PERCENT
	jq -e --argjson v "$2" --argjson p "$3" "($1 | .value? // .) as \$x | \$x != null and (\$x / \$v - 1 | fabs) <= \$p / 100" r.json > /dev/null || {
		echo "expected $1 within $3 % of $2, found $(jq -c "$1" r.json)"
		return 1
	} >&2
}

@test "quiz: a step of 4 and of 256 sequences takes 2.5 and 21 ms" {
	quiz="-m quiz --weights int8 --kv int8 --activations bf16 -c 8192 --layout tensor=16,kv=batch"
	size $quiz -n 4 > r.json
	is .kv.bytes_per_sequence 819200000
	# (4 x 819.2e6 + 30e9) / (16 x 8.2e11) = 2.536 ms; the links, which the book leaves out, take their own
	near '.decode | .step_seconds.value - .interconnect_seconds.value' 2.54e-3 0.2
	near .decode.step_seconds 2.5e-3 3
	is .bottleneck.decode '"weights"'
	size $quiz -n 256 > r.json
	# 256 x 819.2e6 / 1.312e13 + 2 x 256 x 30e9 / (16 x 1.97e14) = 15.98 + 4.87 ms
	near '.decode | .step_seconds.value - .interconnect_seconds.value' 20.85e-3 0.1
	near .decode.step_seconds 21e-3 1
	near .decode.kv_seconds 15.98e-3 0.1
	near .decode.linear_compute_seconds 4.87e-3 0.1
	near .critical_batch 120.1 0.1 # int8 weights, bf16 operations: half of 240
}

@test "quiz: asked with a profile written into a customer's file" {
	a_customer acme neocloud > base.yaml
	{
		sed -n '1,/^workloads/p' base.yaml
		cat <<- 'END'
		- id: quiz
		  model:
		    name: "Thirty billion parameters"
		    published: {total: 30e9}
		    width: 1
		    vocabulary: {size: 0, tied: yes}
		    groups:
		    - {layers: 1, cache: full, row_bytes: 100000}
		  accelerator:
		    name: "v5e, as the book has it"
		    memory: {kind: HBM2, printed: 20 GB, bandwidth: 820 GB/s}
		    dense_peak: {bf16: 197 TFLOP/s, int8: 394 TOP/s}
		  weights: int8
		  kv: int8
		  activations: bf16
		  prompt: 8000
		  output: 192
		  concurrency: 256
		  layout: {tensor: 16, kv: batch}
		tiers: unknown
		END
	} > quiz.yaml
	expect 0 dossier advise quiz.yaml --format json
	jq '.workloads[0].sizing' <<< "$output" > r.json
	is .decode.interconnect_seconds null # no link is stated: it takes no time
	is '[.assumptions[].ref] | index("link.latency")' null
	near .decode.step_seconds 20.85e-3 0.1
}

@test "the tables: Llama 2 13B on eight chips, with all of its KV and with a fifth" {
	# batch, ms a step and tokens/s as printed from rounded bytes, within 0.3 %
	while read -r batch ms rate; do
		size -m llama-2-13b -a v5e-gib --weights bf16 --kv bf16 -c 8192 -n "$batch" --layout tensor=8 > r.json
		near '.decode | .weights_seconds.value + .kv_seconds.value' "${ms}e-3" 0.3
		near "$batch / (.decode | .weights_seconds.value + .kv_seconds.value)" "$rate" 0.3
		is .fits.concurrency 16 # (128 GiB - 26.03e9) / 6.711e9 = 16.6
	done <<- END
	1 4.98 200.61
	8 12.13 659.30
	16 20.30 787.99
	END
	size -m llama-2-13b -a v5e-gib --weights bf16 --kv bf16 -c 8192 -n 32 --layout tensor=8 > r.json
	is .fits_given false
	is .decode.step_seconds null
	near .crossover.concurrency 3.879 0.02
	while read -r batch ms rate; do
		size -m llama-fifth -a v5e-gib --weights bf16 --kv bf16 -c 8192 -n "$batch" --layout tensor=8 > r.json
		near '.decode | .weights_seconds.value + .kv_seconds.value' "${ms}e-3" 0.3
		near "$batch / (.decode | .weights_seconds.value + .kv_seconds.value)" "$rate" 0.3
		is .parameters.total 13015449600
	done <<- END
	1 4.17 239.94
	8 5.60 1429.19
	16 7.23 2212.48
	32 10.50 3047.62
	64 17.04 3756.62
	END
	size -m llama-fifth -a v5e-gib --weights bf16 --kv bf16 -c 8192 -n 240 --layout tensor=8 > r.json
	is .fits_given false
}

@test "exercise 1: 18.4 billion parameters and 262 kB of KV a token" {
	expect 0 dossier show part7-exercise --format json
	# 64 x 4096 x (3 x 16384 + 2 x 256 x (32 + 8)) + 4096 x 32128
	same 18385207296 "$(jq -r .parameters.total.computed <<< "$output")"
	size -m part7-exercise --weights int8 --kv int8 -c 128000 -n 1 > r.json
	near .parameters.total 18.4e9 0.01
	is .kv.bytes_per_token 262144 # 2 x 64 x 8 x 256
}

@test "exercise 2: seven sequences of 128k on sixteen chips, 56 with one KV head" {
	exercise="--weights int8 --kv int8 -c 128000 -n 1"
	size -m part7-exercise $exercise --layout tensor=16,kv=batch > r.json
	near .kv.bytes_per_sequence 33.5e9 0.2
	is .fits.concurrency 7 # (16 x 16e9 - 18.4e9) / 33.55e9 = 7.08
	size -m one-head $exercise --layout tensor=16,kv=batch > r.json
	is .fits.concurrency 56 # (256e9 - 17.4e9) / 4.194e9 = 56.9
	# as engines do it, two chips keep a copy of each head: (16e9 - 1.15e9) / (33.55e9 / 8) = 3.54
	size -m part7-exercise $exercise --layout tensor=16 > r.json
	is .fits.concurrency 3
	size -m one-head $exercise --layout tensor=16 > r.json
	is .fits.concurrency 3 # (16e9 - 1.09e9) / 4.194e9 = 3.55
}

@test "exercise 3: the weights of sixteen chips are read in 1.4 ms" {
	size -m part7-exercise --weights int8 --kv int8 -c 128000 -n 1 --layout tensor=16,kv=batch > r.json
	near .decode.weights_seconds 1.40e-3 0.2 # 18.4e9 / (16 x 8.2e11)
}

@test "exercise 4: how to lay it over 4 x 4, and what a step takes" {
	exercise="-m part7-exercise --weights int8 --kv int8 --activations int8 -c 128000 -n 7 --accelerators 16"
	size $exercise --layout tensor=16,kv=batch > r.json
	# 1. The links: 200 GB/s a direction over four of them, 1 us a hop; a collective over 16 waits for hops under
	# 2e11 x 1 us x 16 / 2 = 1.6 MB, and 7 x 4096 B are far under it.
	near .interconnect.latency_bound_bytes 1.6e6 0.01
	is .interconnect.latency_bound true
	# 2. Ways of tensor parallelism: prefill F W / C x 2 / 1 = 16384 x 2e11 / 3.94e14 x 2 = 16.6, so 16 are the most that
	# do not wait for links; decode F / (B beta) = 16384 / (7 x 4.1) = 570.9.
	near .interconnect.prefill_ways 16.63 0.1
	near .interconnect.decode_ways 570.9 0.1
	# 3. KV over eight heads and then over the sequences: nothing is copied, 7 x 33.55 / 16 = 14.68 GB a chip.
	near .budget.kv 14.68e9 0.01
	near .budget.weights 1.15e9 0.1
	# A step: 18.4e9 / 1.312e13 = 1.402 ms, 234.88e9 / 1.312e13 = 17.903 ms, and 128 all-reduces of 2 x 8 hops and
	# 128 all-to-alls between two of one, 2.176 ms: 21.48 ms.
	near .decode.weights_seconds 1.402e-3 0.1
	near .decode.kv_seconds 17.903e-3 0.01
	near .decode.interconnect_seconds 2.176e-3 0.01
	near .decode.step_seconds 21.481e-3 0.01
	is .bottleneck.decode '"kv"'
	# Prefill: 2 x 18.385e9 x 128000 / (16 x 3.94e14) = 746.6 ms, and 128 all-reduces of 2 x 15/16 x 524.3 MB in
	# 629.1 ms behind it; attention 2 x 64 x 32 x 512 x 128000^2 / 2 / (16 x 3.94e14) = 2.725 s.
	near .prefill.linear_compute_seconds 0.7466 0.01
	near .prefill.interconnect_seconds 0.6291 0.02
	near .prefill.attention_compute_seconds 2.7252 0.01
	near .prefill.seconds 3.4718 0.01
	# Without a layout the tool looks for one that engines can make, where KV heads are copied: eight ways and two stages.
	size $exercise > r.json
	is .layout.tensor 8
	is .layout.pipeline 2
	is .fits.concurrency 7
	# What is no way to serve it says why.
	expect 3 dossier size -a v5e ${exercise/-n 7/-n 16} --layout attention=16
	holds "data parallelism" "$stderr"
	expect 0 dossier size -a v5e --usable 100% $exercise --layout tensor=16,kv=batch --all
	holds "21.48 ms" "$output"
	holds "tensor-parallel ranks at which links take as long as prefill computes" "$output"
}

@test "exercise 5: the same with experts" {
	size -m part7-exercise-moe --weights bf16 --kv int8 -c 8192 -n 1 > r.json
	# the book leaves out the routers, 64 x 16 x 4096 = 4,194,304
	is '.parameters.total.value - 4194304' 211658735616
	is '.parameters.active.value - 4194304' 31270109184
	near .parameters.total 212e9 0.2
	near .parameters.active 31.2e9 0.3
	near .critical_batch 1920 0.11 # 240 x 16 / 2; 1922 from 1.97e14 / 8.2e11
	is .kv.bytes_per_token 262144  # experts change nothing about attention
	is '.operations_per_token.value - 2 * 4194304' 62540218368
	near .operations_per_token 62.4e9 0.3 # 2 x 31.2e9
}

@test "exercise 6: experts over 8 x 16 chips, and the smallest slice" {
	# Experts over all 128, the rest over Y = 8 and repeated over Z = 16. 206,158,430,208 / 128 + 5,500,305,408 / 8 =
	# 2.298 GB, and the routers of 4.2 MB on each; 1,024 sequences touch every expert.
	size -m part7-exercise-moe --weights int8 --kv int8 -c 128 -n 1024 --layout tensor=8,attention=16 > r.json
	near '.budget.weights.value - 4194304' 2.298e9 0.02
	near .decode.weights_seconds 2.803e-3 0.02
	near '.budget | .usable.value - .weights.value' 13.70e9 0.05
	# whole experts on a chip need 16 ranks or fewer
	run --separate-stderr dossier size -a v5e -m part7-exercise-moe --weights int8 --kv int8 -c 128 -n 1024 --layout tensor=8,attention=16,experts=whole
	[ "$status" -eq 3 ]
	holds "more ranks than there are experts" "$stderr"
	# 211.66 / 16 = 13.2: sixteen, in servers of eight, with 256 - 211.7 = 44.3 GB left for KV
	size -m part7-exercise-moe --weights int8 --kv int8 -c 1 -n 1 > r.json
	is .accelerators.by_capacity 14
	is .accelerators.by_layout 16
	size -m part7-exercise-moe --weights int8 --kv int8 -c 1 -n 1 --layout tensor=16 > r.json
	near '.budget.free.value * 16' 44.3e9 0.2 # each chip has its copy of the routers
	# in bf16 twice as many: 423.3 / 16 = 26.5
	size -m part7-exercise-moe --weights bf16 --kv int8 -c 1 -n 1 > r.json
	is .accelerators.by_layout 32
}

@test "exercise 7 and appendix B: two dimensions pay above 72 chips where F = 4 D" {
	for devices in 64 128; do
		size -m part7-exercise --weights int8 --kv int8 -c 8192 -n 32 --layout tensor=32,pipeline=$((devices / 32)) > $devices.json
	done
	cp 128.json r.json
	is .interconnect.two_d_devices 72
	near .interconnect.two_d_ways 4 0.001        # sqrt(128 / 8), and 32 = sqrt(8 x 128) of the other
	near .interconnect.two_d_share 0.75 0.001    # sqrt(128 / N) / (4 / 3)
	cp 64.json r.json
	near .interconnect.two_d_share 1.0607 0.01   # not yet
	# 32 (F / D) (3/4)^2 in general: F = 13824, D = 5120
	size -m llama-2-13b --weights int8 --kv int8 -c 8192 -n 1 > r.json
	near .interconnect.two_d_devices 48.6 0.001
	# the ways of one dimension before that: F / (B beta) with beta = 8, 16384 / (32 x 8)
	size -m part7-exercise -a v5e-eighth --weights bf16 --kv bf16 -c 1024 -n 32 > r.json
	near .interconnect.decode_ways 64 0.001
	# and in prefill F / 2200 an axis
	size -m part7-exercise -a v5e-ring --weights bf16 --kv bf16 -c 1024 -n 32 > r.json
	near .interconnect.prefill_ways 7.447 0.6
}

@test "appendix A: a layer takes as long to read up to a batch of 240" {
	layer="-m layer --weights bf16 -c 1 --layout tensor=4"
	size $layer -n 240 > r.json
	is .parameters.total 536870912 # 2 x 8192 x 32768; the book says about 600e6 and so 365 us
	near .decode.weights_seconds 327.4e-6 0.02
	near .critical_batch 240.2 0.03
	is .bottleneck.decode '"weights"'
	size $layer -n 241 > r.json
	is .bottleneck.decode '"linear-compute"'
	near .decode.linear_compute_seconds 328.4e-6 0.01 # 2 x 536870912 x 241 / (4 x 1.97e14)
	# throughput rises with the batch up to there, and no further
	for batch in 60 120 240 480 960; do
		size $layer -n $batch > r.json
		jq '[.decode.weights_seconds.value, .decode.linear_compute_seconds.value] | max * 1e6 | round' r.json
	done > microseconds
	same "327 327 327 654 1308" "$(xargs < microseconds)"
}

@test "appendix C: small collectives wait for hops" {
	size -m llama-2-13b -a v5e-ring --weights int8 --kv int8 --activations int8 -c 1024 -n 16 --layout tensor=8 > r.json
	is .interconnect.latency_bound_bytes 360000 # 4.5e10 x 1 us x 8
	near .interconnect.latency_ways 1.8204 0.01   # B D / 45000 = 16 x 5120 / 45000
	is .interconnect.latency_bound true
	near .decode.interconnect_seconds 640e-6 0.001 # 80 all-reduces there and back, four hops each
	# the book's example, 16 x 8192 B = 131 kB
	size -m layer -a v5e-ring --weights int8 --activations int8 -c 1 -n 16 --layout tensor=8 > r.json
	near .interconnect.latency_ways 2.9127 0.01
	is .interconnect.latency_bound true
	size -m layer -a v5e-ring --weights int8 --activations int8 -c 1 -n 160 --layout tensor=8 > r.json
	is .interconnect.latency_bound false
}

@test "appendix D: drafted tokens are checked in the time of one where weights and KV are read once" {
	drafts="-m llama-2-13b --weights bf16 --kv bf16 --prompt 7K --output 1K -n 4 --layout tensor=8"
	size $drafts --draft-tokens 4 --acceptance 80% --draft-cost 5% > r.json
	near .decode.speculative_tokens_per_step 3.3616 0.001 # (1 - 0.8^5) / (1 - 0.8)
	# 20 tokens are under the critical batch, so a step takes as long, and four drafts 0.05 of one each: 3.3616 / 1.2
	near .decode.speculative_gain 2.8013 0.01
	near '.decode | .speculative_step_seconds.value / .step_seconds.value' 1.2 0.001
	# a drafter that is never right costs only
	size $drafts --draft-tokens 4 --acceptance 0.0001% --draft-cost 5% > r.json
	near .decode.speculative_gain 0.83333 0.001
	# the best length of a draft is longer where more is accepted (Chinchilla: three or four on XSum, more on HumanEval)
	best() { # best ACCEPTANCE
		local n
		for n in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16; do
			size $drafts --draft-tokens $n --acceptance "$1" --draft-cost 5% | jq -r "\"$n \\(.decode.speculative_gain.value)\""
		done | sort -k 2 -g | tail -n 1 | cut -d ' ' -f 1
	}
	# argmax of (1 - a^(n+1)) / ((1 - a) (1 + 0.05 n)): 4 at 0.6; 8 at 0.8
	same 4 "$(best 60%)"
	same 8 "$(best 80%)"
}
