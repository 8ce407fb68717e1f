# Inputs that are ranges: the one answer, what stands beside it, and drafts.

load common

setup() { common_setup; }

SHOWCASE="-m deepseek-v3 -a h200 --weights fp8 --kv bf16 -c 128K -n 64"

# 9,210,691,584 B a sequence x 32 and x 96; with 688.59e9 over 135,679,338,086: 7.25 and 11.59 accelerators, one server of eight and two.
@test "ranges: the answer for the demanding end, and the lowest and highest beside it" {
	dossier size -m deepseek-v3 -a h200 --weights fp8 --kv bf16 -c 128K -n 32..96 -f json > r.json
	jq -e '.kv.bytes | .value == 884226392064 and .low == 294742130688 and .high == 884226392064 and .sampled == null' r.json > /dev/null
	jq -e '.accelerators | (.by_capacity | .value == 12 and .low == 8 and .high == 12) and (.needed | .value == 16 and .low == 8 and .high == 16)' r.json > /dev/null
	jq -e '.inputs.concurrency | .value == 96 and .low == 32 and .high == 96 and .kind == "stated"' r.json > /dev/null
	jq -e '.assumptions[] | select(.ref == "concurrency") | .value == 96 and .kind == "assumed"' r.json > /dev/null
	jq -e '.range | .every_load and .loads == 65 and .bottleneck_turns' r.json > /dev/null
	jq -e '.decode.step_seconds | .low < .high and .high == .value' r.json > /dev/null
	expect 0 dossier size -m deepseek-v3 -a h200 --weights fp8 --kv bf16 -c 128K -n 32..96
	holds "294.7 GB - 884.2 GB" "$output"
	line "sequences in decode at once: 32 - 96; the one answer is for the end that asks for more: 96" "$output"
	# no range, no word of one
	dossier size $SHOWCASE -f json | jq -e '.range == null and (.kv.bytes | has("low") | not)' > /dev/null
}

@test "ranges: what is none is refused with its place" {
	for n in 96..32 32.. ..96 32..32 32...96 1K..2K 0..4 1.5..4; do
		expect 2 dossier size -m qwen3-14b -a h200 --weights bf16 --kv bf16 -c 4K -n $n
		holds "--concurrency" "$stderr"
	done
	expect 2 dossier size -m qwen3-14b -a h200 --weights bf16 --kv bf16 -c 8..120K -n 4
	holds "unit at both ends" "$stderr"
	for option in "--accelerators 1..4" "--tpot 10 ms..20 ms" "--ttft 1 s..2 s"; do
		expect 2 dossier size -m qwen3-14b -a h200 --weights bf16 --kv bf16 -c 4K -n 4 ${option%% *} "${option#* }"
	done
	a_customer acme neocloud | sed 's/concurrency: 64/concurrency: 96..32/' > c.yaml
	expect 3 dossier advise c.yaml
	holds "c.yaml:17:16" "$stderr"
}

@test "ranges: a draft shows the range with its figure, and every figure cites" {
	a_customer acme neocloud | sed -e 's/concurrency: 64/concurrency: 32..96/' -e 's/prompt: 120K/prompt: 8K..120K/' > c.yaml
	name_files .
	for lang in en ko; do
		for audience in customer internal; do
			dossier propose c.yaml --lang $lang --audience $audience > draft.md
			for key in kv.bytes accelerators.needed decode.step_seconds; do
				grep -q -E "^\| .*\]\[chat\.$key\] \(\[.*\]\[chat\.$key\.low\] - \[.*\]\[chat\.$key\.high\]\)" draft.md
			done
			grep -q -F '[chat.in.concurrency.low]' draft.md
			perl "$FIGURES" names titles < draft.md > figures
		done
	done
	dossier brief c.yaml > /dev/null
}
