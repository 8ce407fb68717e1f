# A model's file to a record that the other commands take; nothing is filled in without saying so.

load common

setup() {
	common_setup
	mkdir -p org--Small-1B
	cat > org--Small-1B/config.json <<'JSON'
{
  "model_type": "llama",
  "hidden_size": 2048,
  "num_hidden_layers": 16,
  "num_attention_heads": 32,
  "num_key_value_heads": 8,
  "head_dim": 64,
  "intermediate_size": 8192,
  "vocab_size": 128256,
  "max_position_embeddings": 131072,
  "time_step_limit": [0.0, Infinity],
  "torch_dtype": "bfloat16"
}
JSON
}

@test "a record on standard output, notes with places on standard error" {
	expect 0 dossier import org--Small-1B/config.json
	line "id: small-1b" "$output"
	holds "key_width: 512" "$output"
	holds "source: small-1b-file.geometry" "$output"
	holds "org--Small-1B/config.json:1:1: note: \`tie_word_embeddings\` is absent" "$stderr"
	expect 0 dossier --lang ko import org--Small-1B/config.json
	holds "이 계열의 기본값" "$stderr"
}

@test "with a folder: record and document are loaded and sized at once" {
	expect 0 dossier import org--Small-1B/config.json -o team --id small --name "Small 1B" --date 2026-12-01 \
		--url https://example.com/small/config.json --publisher "Somebody"
	same "" "$output"
	expect 0 dossier load team
	# 16 layers x 2 x 512 x 2 B = 32,768 B a token
	expect 0 dossier --kb team size --model small --accelerator h200 --context 4096 --concurrency 1 --weights bf16 --kv bf16 --format json
	same 32768 "$(jq -r .kv.bytes_per_token.value <<< "$output")"
	expect 0 dossier --kb team show small-file
	holds "Somebody" "$output"
}

@test "every record that the import writes is in order" {
	# Experts with a quantised sibling, windows, states: each kind of note and field passes the checks of load.
	cat > hf_quant_config.json <<'JSON'
{"quantization": {"quant_algo": "NVFP4", "kv_cache_quant_algo": "FP8", "exclude_modules": ["lm_head", "model.layers.0.self_attn*"]}}
JSON
	cat > config.json <<'JSON'
{"model_type": "nemotron_h", "hidden_size": 64, "hybrid_override_pattern": "M*E-", "num_attention_heads": 4, "num_key_value_heads": 2,
 "mamba_num_heads": 4, "mamba_head_dim": 16, "ssm_state_size": 16, "n_groups": 2, "conv_kernel": 4, "n_routed_experts": 4,
 "num_experts_per_tok": 2, "moe_intermediate_size": 8, "moe_latent_size": 8, "intermediate_size": 8, "vocab_size": 100,
 "num_nextn_predict_layers": 1, "vision_config": {"a": 1}, "torch_dtype": "bfloat16"}
JSON
	expect 0 dossier import config.json -o team --id one --date 2026-12-01 --url https://example.com/one
	holds "kv_cache_quant_algo" "$stderr"
	sed -e 's/nemotron_h/gemma2/; s/"hybrid_override_pattern": "M\*E-"/"num_hidden_layers": 4, "sliding_window": 8/; s/"moe_latent_size": 8, //' config.json > b.json
	sed -i 's/"n_routed_experts": 4,//; s/"mamba_num_heads": 4, "mamba_head_dim": 16, "ssm_state_size": 16,//' b.json
	expect 0 dossier import b.json -o team --id two --date 2026-12-01 --url https://example.com/two
	echo '{"model_type": "whisper", "d_model": 64, "encoder_layers": 2, "decoder_layers": 2, "num_hidden_layers": 2, "decoder_attention_heads": 4,
		"decoder_ffn_dim": 8, "max_source_positions": 15, "max_target_positions": 8, "vocab_size": 100}' > c.json
	expect 0 dossier import c.json -o team --id three --date 2026-12-01 --url https://example.com/three
	echo '{"hidden_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": [8, 16], "vocab_size": 100}' > d.json
	expect 0 dossier import d.json -o team --id four --date 2026-12-01 --url https://example.com/four
	echo '{"d_model": 64, "n_layer": 2, "ssm_cfg": {}, "vocab_size": 100}' > e.json
	expect 0 dossier import e.json -o team --id five --date 2026-12-01 --url https://example.com/five
	expect 0 dossier load team
	holds "10 records are in order" "$stderr"
}

@test "a record that is there is not written over unless asked" {
	local how=(-o team --id small --date 2026-12-01 --url https://example.com/small)
	expect 0 dossier import org--Small-1B/config.json "${how[@]}"
	before=$(tree_hash team)
	expect 3 dossier import org--Small-1B/config.json "${how[@]}"
	holds "--replace writes over it" "$stderr"
	same "$before" "$(tree_hash team)"
	expect 0 dossier import org--Small-1B/config.json "${how[@]}" --name Other --replace
	grep -q Other team/evidence/models/small.yaml
}

@test "an alias of another record is no id" {
	expect 3 dossier import org--Small-1B/config.json -o team --id dsv3 --date 2026-12-01 --url https://example.com/small
	holds "stands for the record deepseek-v3" "$stderr"
	[ ! -e team ]
}

@test "what only a person can say is asked for before anything is read" {
	expect 2 dossier import nothing.json -o team
	holds "--date and --url" "$stderr"
	expect 2 dossier import nothing.json -o team --date 2026-02-30 --url https://example.com/
	holds "--date" "$stderr"
	expect 2 dossier import nothing.json -o team --date 2026-12-01 --url ftp://example.com/
	holds "--url" "$stderr"
	expect 2 dossier import nothing.json --id ../x
	holds "--id" "$stderr"
	[ ! -e team ]
}

@test "what cannot be read is refused and leaves nothing" {
	expect 3 dossier import nothing.json
	expect 3 dossier import .
	echo '{"model_type": "newcomer", "hidden_size": 8, "num_hidden_layers": 1, "my_window": 3}' > a.json
	expect 3 dossier import a.json -o team --date 2026-12-01 --url https://example.com/
	holds "a.json:1:70: the family newcomer is not known, and \`my_window\` hints" "$stderr"
	printf 'GGUF\3\0\0\0' > a.gguf
	expect 3 dossier import a.gguf
	holds "found the end" "$stderr"
	head -c 100 /dev/urandom > a.bin
	expect 3 dossier import a.bin
	[ ! -e team ]
}

@test "weights without a configuration are told, and no record is written of them" {
	local header='{"lm_head.weight":{"dtype":"BF16","shape":[4,2],"data_offsets":[0,16]}}'
	{ printf "\\x$(printf %x ${#header})\0\0\0\0\0\0\0%s" "$header"; head -c 16 /dev/zero; } > model.safetensors
	expect 0 dossier import model.safetensors --id w
	line "  bytes: 16 B" "$output"
	lacks "groups:" "$output"
	holds "note: Weights only" "$stderr"
	expect 3 dossier import model.safetensors -o team --id w --date 2026-12-01 --url https://example.com/
	[ ! -e team ]
	cp org--Small-1B/config.json .
	expect 0 dossier import model.safetensors --id w
	holds "groups:" "$output"
}

@test "standard input is read as a configuration" {
	run --separate-stderr bash -c "'$DOSSIER' import - --id piped < org--Small-1B/config.json"
	[ "$status" -eq 0 ]
	line "id: piped" "$output"
}
