# Profiles of models: what their fields add up to beside what their makers state, and the rules for both.

load common

setup() { common_setup; }

parameters() { dossier show "$1" --format json | jq -r ".parameters.$2"; }

# A copy of a shipped profile with one thing changed, in a folder of its own.
model() { # model SED-SCRIPT [MODEL]: kb/evidence/models/model-x.yaml
	rm -rf kb
	mkdir -p kb/evidence/models
	sed -e 's/^id: .*/id: model-x/' -e '/^aliases/d' -e "$1" "$REPO/evidence/models/${2:-llama-2-13b}.yaml" > kb/evidence/models/model-x.yaml
}

@test "show: a model has computed and published parameters side by side" {
	# 2 x 32000 x 5120 + 40 x (4 x 5120 x 5120 + 3 x 5120 x 13824)
	same 13015449600 "$(parameters llama-2-13b total.computed)"
	same null "$(parameters llama-2-13b total.published)"
	# 64 x 4096 x (3 x 16384 + 2 x 256 x 40) + 4096 x 32128; the book prints 18.4e9: 0.08 % more
	same 18385207296 "$(parameters part7-exercise total.computed)"
	same 18400000000 "$(parameters part7-exercise total.published)"
	same '-0.08 %' "$(parameters part7-exercise total.difference)"
	# 64 x (16 x 3 x 4096 x 16384 + 2 x 4096 x 256 x 40 + 16 x 4096) + 4096 x 32128: the book's 212e9 and 64 routers
	same 211662929920 "$(parameters part7-exercise-moe total.computed)"
	same 31274303488 "$(parameters part7-exercise-moe active.computed)"
	# Layers that read the cache of a neighbour count once. 64 x (6400 x 80 x 160 + 17 x 3 x 6400 x 18304 + 16 x 6400)
	# + 32 x 2 x 6400 x 640 + 129024 x 6400 + 835840 = 388.70e9
	same 388701405440 "$(parameters hunyuan-large total.computed)"
	same '-0.08 %' "$(parameters hunyuan-large total.difference)"
	# 2560 x (9 x 2560 + 16 x 40 x 128 + 32 x 3 x 10240 + 200064) + 9 x 41241600 + 7 x 26214400 + 332800; stated 3.8e9
	same 3852451840 "$(parameters phi-4-mini-flash total.computed)"
	expect 0 dossier show deepseek-v3
	line 'parameters:' "$output"
	line '    published: 671000000000' "$output"
	# what is no model has none
	same null "$(dossier show h200 --format json | jq -r .parameters)"
}

@test "show: no published total is more than 2 % from the computed one without a reason, nor an active one 5 %" {
	local id n=0
	for id in $(dossier list models --format json | jq -r '.items[].id'); do
		dossier show "$id" --format json
	done > all.json
	jq -r 'select(.published.difference == null) | .id as $id | .parameters |
	    (.total, .active) | select(.difference != null) | (.difference | rtrimstr(" %") | tonumber | fabs) as $d |
	    select($d > 5) | $id' all.json | nothing
	jq -r 'select(.published.difference == null) | select(.parameters.total.difference != null) |
	    select((.parameters.total.difference | rtrimstr(" %") | tonumber | fabs) > 2) | .id' all.json | nothing
	n=$(jq -r 'select(.parameters.total.difference != null) | .id' all.json | wc -l)
	[ "$n" -ge 42 ]
	# a layer that only reads another's rows is among the readers of those, not in a group of its own
	jq -r 'select(.groups | any(.readers != null) and any(.cache == "none" and .heads != null)) | .id' all.json | nothing
	# and each of them adds up to something
	jq -r 'select(.parameters.total.computed | tonumber <= 0) | .id' all.json | nothing
}

@test "load: a published total that the profile does not add up to needs a reason" {
	# 13.02e9 are 2.2 % more than 12.73e9, 1.9 % more than 12.77e9
	model 's/^width:/published: {total: 12.73e9, source: mlc-presets.llama-2-13b}\nwidth:/'
	expect 3 dossier load kb
	line 'evidence/models/model-x.yaml:4:20: the profile adds up to 13.02e9 parameters (total) and 12.73e9 are published' "$stderr"
	model 's/^width:/published: {total: 12.77e9, source: mlc-presets.llama-2-13b}\nwidth:/'
	expect 0 dossier load kb
	model 's/^width:/published: {total: 12.73e9, difference: {en: "Heads are counted apart.", ko: "head는 따로 셉니다."}, source: mlc-presets.llama-2-13b}\nwidth:/'
	expect 0 dossier load kb
	# an active one is often rounded: 5 %
	model 's/^width:/published: {total: 13e9, active: 12.3e9, source: mlc-presets.llama-2-13b}\nwidth:/'
	expect 3 dossier load kb
	holds 'adds up to 13.02e9 parameters (active) and 12.30e9 are published' "$stderr"
}

@test "load: key heads are whole, and each serves as many query heads" {
	# 5,120 / 128 are 40 heads for 40; 5,000 / 128 are none
	model 's/key_width: 5120/key_width: 5000/'
	expect 3 dossier load kb
	line 'evidence/models/model-x.yaml:7:3: expected key_width / query_width to be a whole number of key heads' "$stderr"
	# 3 key heads do not share 40 query heads alike
	model 's/key_width: 5120/key_width: 384/'
	expect 3 dossier load kb
	holds 'divides the 40 query heads, found 384 / 128' "$stderr"
	model 's/key_width: 5120/key_width: 1024/'
	expect 0 dossier load kb
}

@test "load: a checkpoint may have a dtype for each class of tensors, and no size" {
	model '/^max_context/i checkpoint: {dtype: int4, tensors: {vocabulary: bf16, experts: int4}, source: mlc-presets.llama-2-13b}'
	expect 0 dossier load kb
	model '/^max_context/i checkpoint: {dtype: int4, tensors: {vocabulary: bf17}, source: mlc-presets.llama-2-13b}'
	expect 3 dossier load kb
	holds 'bf17' "$stderr"
	model '/^max_context/i checkpoint: {dtype: int4, tensors: {norms: bf16}, source: mlc-presets.llama-2-13b}'
	expect 3 dossier load kb
	holds 'norms' "$stderr"
	model '/^max_context/i checkpoint: {dtype: int4, tensors: {vocabulary: bf16}}'
	expect 3 dossier load kb
	holds 'source' "$stderr"
}

@test "load: a server, a network and a measured peak have sources" {
	local what
	for what in 's/, node: 8//; s/domain: 8/domain: 8, node: 4/; /^  node:/d' '/^  network:/d' '/^  achieved:/d' '/^  achieved_fp8:/d'; do
		rm -rf kb
		mkdir -p kb/evidence/accelerators
		sed -e 's/^id: .*/id: chip-x/' -e '/^aliases/d' -e "$what" "$REPO/evidence/accelerators/nvidia-h100-sxm.yaml" > kb/evidence/accelerators/chip-x.yaml
		expect 3 dossier load kb
		holds 'expected a source for `' "$stderr"
	done
}
