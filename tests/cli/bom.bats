# kb-behaviour 11: a byte order mark before any text that is read is taken off; it is no part of the first name. (Drafts:
# lint.bats; records: records.bats; a claim that is decided about: claims.bats.)

load common

setup() { common_setup; }

marked() { printf '\xef\xbb\xbf'; cat; } # ... | marked

@test "bom: a query, from standard input and as an argument" {
	expect 0 bash -c 'printf "\xef\xbb\xbfSELECT 1 AS one" | "$1" query --format csv -' - "$DOSSIER"
	same "one 1" "$(tr -d '\r' <<< "$output" | xargs)"
	expect 0 dossier query --format csv "$(marked <<< 'SELECT 1 AS one')"
	same "one 1" "$(tr -d '\r' <<< "$output" | xargs)"
	expect 3 dossier query "$(marked <<< 'SELECT id FROM record WHERE nope')" # a fault is where an editor shows it
	line "SQL:1:29: " "$stderr"
	expect 3 bash -c 'printf "\xef\xbb\xbf" | "$1" query -' - "$DOSSIER"
}

@test "bom: a customer file" {
	a_customer acme neocloud > c.yaml
	marked < c.yaml > marked.yaml
	dossier propose c.yaml > c.md
	dossier propose marked.yaml | cmp - c.md
	sed 's/^format:.*/formt: dossier.customer\/1/' c.yaml | marked > wrong.yaml
	expect 3 dossier propose wrong.yaml
	line 'wrong.yaml:1:1: expected one of the keys format,' "$stderr"
	holds 'found `formt`' "$stderr"
}

@test "bom: a configuration, a recorded run, a receipt" {
	mkdir plain--M-1B marked--M-1B
	cat > plain--M-1B/config.json <<- 'END'
	{"model_type": "llama", "hidden_size": 2048, "num_hidden_layers": 16, "num_attention_heads": 32, "num_key_value_heads": 8,
	 "head_dim": 64, "intermediate_size": 8192, "vocab_size": 128256, "tie_word_embeddings": true, "torch_dtype": "bfloat16"}
	END
	marked < plain--M-1B/config.json > marked--M-1B/config.json
	dossier import plain--M-1B/config.json > plain.yaml
	dossier import marked--M-1B/config.json | cmp - plain.yaml
	dossier size -m deepseek-v3 -a h200 --weights fp8 --kv bf16 --prompt 120K --output 8K -n 64 --sessions 400 --format json | marked > run.json
	a_customer acme neocloud > c.yaml
	dossier propose c.yaml -o draft.md
	expect 0 dossier lint --sizing chat=run.json draft.md
	dossier issue draft.md --to Kim -r receipt.yaml
	marked < receipt.yaml > marked.yaml
	expect 0 dossier audit --ledger --receipt marked.yaml
}

@test "bom: a search" {
	dossier search 비용 > plain
	dossier search "$(marked <<< 비용)" | cmp - plain
	dossier search "$(printf '비\xc2\xad용')" | cmp - plain # nor any other character that does not show
	expect 2 dossier search "$(marked < /dev/null)"
}
