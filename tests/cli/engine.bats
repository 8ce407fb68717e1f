# What an engine reserves beside the minimum, and a vector index on the host.

load common

setup_file() {
	clean_environment "$BATS_FILE_TMPDIR"
	cd "$BATS_FILE_TMPDIR" || return 1
	a_customer acme neocloud | sed 's/^  reuse: unknown/&\n  engine: vllm\n  retrieval: {vectors: 20M, dims: 1024, index: hnsw, chunks: 8, chunk_tokens: 512, host_memory: 100 GB}/' > acme.yaml
}

setup() { common_setup; cd "$BATS_FILE_TMPDIR" || return 1; }

sized() { dossier size -a h200 --weights bf16 --kv bf16 "$@" -f json; }

@test "engine: minimum and reserved stand side by side, each rule between them named" {
	# 35 pages of 17,301,504 B; 8 x 32,768 x T + 24 states of 2,146,304 B
	sized -m qwen3.5-9b -c 16384 -n 1 --engine vllm > q.json
	same 605552640 "$(jq .kv.reserved_bytes.value q.json)"
	same 588382208 "$(jq .kv.minimum_bytes.value q.json)"
	same "block-rounding page-padding" "$(jq -r '[.kv.reserved_by[].rule] | sort | join(" ")' q.json)"
	jq -e '(.kv.reserved_by | map(.bytes.value) | add) == .kv.reserved_bytes.value - .kv.minimum_bytes.value' q.json > /dev/null
	jq -e '.assumptions | any(.ref == "max_batched_tokens" and .value == 8192)' q.json > /dev/null
	# 4 full and 22 windowed layers of one head of 256: (4 x 16384 + 22 x pad256(512 + 512)) x 1024 B
	sized -m gemma-3-1b -c 16384 -n 1 --engine llama.cpp > g.json
	same 90177536 "$(jq .kv.reserved_bytes.value g.json)"
	sized -m gemma-3-1b -c 16384 -n 1 --engine llama.cpp --micro-batch 2048 > g.json
	same 124780544 "$(jq .kv.reserved_bytes.value g.json)" # 22 x 2,560 cells
	expect 0 dossier size -a h200 --weights bf16 --kv bf16 -m gemma-3-1b -c 16384 -n 1 --engine llama.cpp
	for part in "reserved by the engine" "90.18 MB" "difference: a window holds a micro-batch more" "11.53 MB"; do holds "$part" "$output"; done
}

@test "engine: none is the minimum, and nothing is reserved without one" {
	sized -m gemma-3-1b -c 16384 -n 1 > without.json
	jq -e '.kv | .reserved_bytes == null and .minimum_bytes == null and .reserved_by == []' without.json > /dev/null
	same "$(jq -S 'del(.inputs.engine)' without.json)" "$(sized -m gemma-3-1b -c 16384 -n 1 --engine none | jq -S 'del(.inputs.engine)')"
}

@test "engine: what no engine takes is a usage error" {
	expect 2 dossier size -a h200 --weights bf16 --kv bf16 -m gemma-3-1b -c 16384 -n 1 --engine other
	holds "one of none, vllm, llama.cpp" "$stderr"
	expect 2 dossier size -a h200 --weights bf16 --kv bf16 -m gemma-3-1b -c 16384 -n 1 --engine vllm --micro-batch 256
	holds "--engine llama.cpp beside --micro-batch" "$stderr"
}

@test "retrieval: an index counts on the host, its chunks in the prompt" {
	dossier advise acme.yaml --format json | jq '.workloads[0].sizing' > r.json
	# 20e6 x (1024 x 4 + 33 x 4 + 20) + 20e6 / 15 x 17 x 4
	same 85050666667 "$(jq .retrieval.bytes.value r.json)"
	same near "$(jq -r .retrieval.room r.json)" # 100 / 85.05 = 1.18
	same 4096 "$(jq .retrieval.prompt_tokens.value r.json)"
	same 9498525696 "$(jq .kv.bytes_per_sequence.value r.json)" # 70,272 x (120 + 8 + 4) K
	jq -e '.assumptions | any(.ref == "retrieval.prompt_tokens")' r.json > /dev/null
}

@test "retrieval: a draft says so in both languages" {
	expect 0 dossier propose acme.yaml --lang en
	for part in "[85.05 GB][chat.retrieval.bytes] of host memory" "[4,096 tokens][chat.retrieval.prompt_tokens]" "little more than that" "[chat.kv.reserved_bytes]"; do holds "$part" "$output"; done
	expect 0 dossier propose acme.yaml --lang ko
	for part in "[85.05 GB][chat.retrieval.bytes] 차지합니다" "chat.retrieval.prompt_tokens" "가장 느린 검색"; do holds "$part" "$output"; done
	sed 's/vectors: 20M/vectors: unknown/' acme.yaml > unknown.yaml
	expect 0 dossier propose unknown.yaml --lang en
	holds "its size follows from the number of vectors" "$output"
	lacks chat.retrieval.bytes "$output"
	sed 's/host_memory: 100 GB/host_memory: unknown/' acme.yaml > unasked.yaml
	expect 0 dossier propose unasked.yaml --lang en
	holds "To be measured: how much memory the host leaves to it" "$output"
}

@test "retrieval: an index that cannot be is refused with its place" {
	sed 's/dims: 1024/dims: 70000/' acme.yaml > wide.yaml
	expect 3 dossier advise wide.yaml
	holds "wide.yaml:" "$stderr"
	holds "retrieval.dims: is absurdly large" "$stderr"
}
