# dossier sweep: grids of workloads, conditions on rows, formats, fronts.

load common
setup() { common_setup; }

# The case to keep in mind, without its context and concurrency.
sweep() { dossier sweep -m deepseek-v3 -a h200 --weights fp8 --kv bf16 "$@"; }
csv() { sweep "$@" --format csv | tr -d '\r'; }

@test "sweep: LLaMA-2-13B on 8 TPU v5e, the table of How to Scale Your Model, part 7" {
	# KV of 8,192 tokens: 40 layers x 2 x 40 heads x 128 x 2 B x 8,192 = 6,710,886,400 B a sequence; weights 2 x
	# 13,015,449,600 parameters; a step reads both at 8 x 8.2e11 B/s. The memory is made large for the times, which
	# the text gives for every batch; the text rounds KV to 6.7 GB: its 4.98 ms is
	# 4.991 from exact bytes. It leaves the interconnect out, as --bound does.
	expect 0 dossier sweep -m llama-2-13b -a google-tpu-v5e --weights bf16 --kv bf16 -c 8192 -n 1,8,16,32,64,240 \
		--accelerators 8 --memory '1 TB' --bound --columns concurrency,kv.bytes,decode.step_seconds,decode.tokens_per_second --format csv
	perl -ne 'BEGIN { @want = ([1, 4.98, 200.61], [8, 12.13, 659.30], [16, 20.30, 787.99], [32, 36.65, 873.21],
			[64, 69.33, 923.13], [240, 249.09, 963.53]) }
		next if $. == 1; s/\r?\n//; ($n, $kv, $s, $t) = split /,/; $w = shift @want;
		print "$_\n" if $n != $w->[0] or $kv != $n * 6710886400
			or abs($s * 1000 / $w->[1] - 1) > 0.003 or abs($t / $w->[2] - 1) > 0.003;
		END { print "rows are missing\n" if @want }' <<< "$output" | nothing
	# of 8 x 16 GiB, all of it usable, 16 sequences are the last that fit
	expect 0 dossier sweep -m llama-2-13b -a google-tpu-v5e --weights bf16 --kv bf16 -c 8192 -n 1,8,16,32,64,240 \
		--accelerators 8 --memory '16 GiB' --usable 100% --bound --columns concurrency,fits --format csv
	same "concurrency,fits 1,yes 8,yes 16,yes 32,no 64,no 240,no" "$(tr -d '\r' <<< "$output" | paste -sd' ')"
}

@test "sweep: a row is what size says" {
	sweep -c 8K,128K -n 1,64 --columns context,concurrency,kv.bytes,accelerators.needed,decode.step_seconds,bottleneck.flag \
		--format jsonl | while IFS= read -r row; do
		dossier size -m deepseek-v3 -a h200 --weights fp8 --kv bf16 -c "$(jq .context <<< "$row")" \
			-n "$(jq .concurrency <<< "$row")" --format json > one.json
		same "$(jq -c '[."kv.bytes", ."accelerators.needed", ."decode.step_seconds", ."bottleneck.flag"]' <<< "$row")" \
			"$(jq -c '[.kv.bytes.value, .accelerators.needed.value, .decode.step_seconds.value, .bottleneck.flag]' one.json)"
		echo row
	done > rows.txt
	same 4 "$(grep -c row rows.txt)"
}

@test "sweep: lists and ranges, the last option fastest, whatever their order on the command line" {
	expect 0 csv -n 1..8*2 -c 8K,4K --columns context,concurrency
	same "context,concurrency 8192,1 8192,2 8192,4 8192,8 4096,1 4096,2 4096,4 4096,8" "$(paste -sd' ' <<< "$output")"
	expect 0 csv -c 8K -n 1..3,10..20+5 --columns concurrency
	same "concurrency 1 2 3 10 15 20" "$(paste -sd' ' <<< "$output")"
	expect 0 csv -c 8K -n 1 --reuse 0%..30%+10% --columns reuse
	same "reuse 0 0.1 0.2 0.3" "$(paste -sd' ' <<< "$output")"
	expect 0 dossier sweep -m QWEN3-14B,deepseek-v3 -a h200,nvidia-h100-sxm --weights fp8,bf16 --kv bf16 -c 8K -n 1 \
		--columns model,accelerator,weights --format csv
	same 9 "$(wc -l <<< "$output")"
	line "qwen3-14b,nvidia-h200-sxm,fp8" "$output" # by the id that the alias stands for
}

@test "sweep: axes are the columns that were given as lists" {
	expect 0 csv -c 8K -n 1,2
	same "concurrency,kv.bytes" "$(head -1 <<< "$output" | cut -d, -f1,2)"
	expect 0 csv -c 8K -n 1
	same "kv.bytes,kv_to_weights" "$(head -1 <<< "$output" | cut -d, -f1,2)"
	expect 0 csv -c 16K --output 1K --requests-per-second 1,2
	same "requests_per_second,concurrency" "$(head -1 <<< "$output" | cut -d, -f1,2)"
}

@test "sweep: wrong values name the option and what was expected" {
	local args says
	while IFS='|' read -r args says; do
		eval "expect 2 sweep $args"
		holds "$says" "$stderr"
		same "" "$output"
	done <<- 'END'
	-c 8K -n 1..x|--concurrency: expected a plain count
	-c 8K..4K -n 1|--context: expected a range that runs up
	-c 8K -n 0..4|--concurrency: expected a value above zero, found `0`
	-c 8K -n 1..|--concurrency: expected
	-c 8K, -n 1|--context: expected tokens
	-c 8K -n '1..8*1.5'|expected a whole factor above 1
	-c 8K -n 1 --reuse 0%..50%|--reuse: expected a step behind the range
	-c 8K -n 1 --weights bf17,fp8|--weights: expected a dtype
	-c 8K -n 1 --weights bf16..fp8|--weights: expected a list separated by commas
	-c 8K -n 1 --columns kv.byts|did you mean `kv.bytes`?
	-c 8K -n 1 --columns bytes|--columns: expected the name of a figure
	-c 8K -n 1 --columns flag,|--columns: expected the name of a figure
	-c 8K -n 1 --top 3|--top N with --by KEY
	-c 8K -n 1 --top 0 --by kv.bytes|--top: expected a whole number
	-c 8K -n 1 --top 2 --by flag|--by: expected a figure
	-c 8K -n 1 --top 2 --by kv.byte|--by: expected the name of a figure
	-c 8K -n 1 --pareto --count|expected one of --top, --pareto and --count
	-c 8K -n 1 --jobs 0|--jobs: expected a whole number
	-c 8K -n 1 --format xml|table, csv, json or jsonl
	-c 8K|expected --concurrency, found none
	-c 8K -n 1 --requests-per-second 1|found both
	-c 1..1000000000 -n 1..1000000000|fewer than 2^52
	-c 8K -n 1 --tiers nvme-gen5|is no option
	END
	expect 2 sweep -c 8K,x -n y,1 # all of them at once
	holds "--context" "$stderr"
	holds "--concurrency" "$stderr"
	expect 3 dossier sweep -m nosuch,qwen3-14b -a h200 --weights bf16 --kv bf16 -c 8K -n 1
	holds "nosuch" "$stderr"
}

@test "sweep: --where, by keys, underscores and last parts, in base units and in written ones" {
	local all
	all=$(csv -c 8K,128K -n 1,16,64,100 --columns context,concurrency,kv.bytes,accelerators,flag)
	for where in "kv.bytes > 100e9" "kv_bytes > 100 GB" "kv.bytes>100GB" '"kv.bytes" > 0.1 TB'; do
		same "$(awk -F, 'NR == 1 || $3 > 100e9' <<< "$all")" \
			"$(csv -c 8K,128K -n 1,16,64,100 --columns context,concurrency,kv.bytes,accelerators,flag -w "$where")"
	done
	same "$(awk -F, 'NR == 1 || ($5 == "kv-bound" && $4 <= 14)' <<< "$all")" \
		"$(csv -c 8K,128K -n 1,16,64,100 --columns context,concurrency,kv.bytes,accelerators,flag -w "flag = 'kv-bound' and accelerators <= 14")"
	same 4 "$(sweep -c 8K,128K -n 1,16,64,100 --count -w "context = 128K")"
	same 0 "$(sweep -c 8K,128K -n 1,16,64,100 --count -w "step_seconds < 1 us")"
	same 3 "$(sweep -c 128K --accelerators 8,16 -n 1,64 --count -w "fits = 'yes'")"
	same 1 "$(sweep -c 128K --accelerators 8,16 -n 1,64 --count -w "step_seconds is null")"
	same 2 "$(sweep -c 128K --accelerators 8,16 -n 1,64 --count -w "accelerators = 8")"
}

@test "sweep: --where refuses what is more than a condition, at its place" {
	local where says
	while IFS='|' read -r where says; do
		expect 2 sweep -c 8K -n 1 -w "$where"
		holds "--where:1:$says" "$stderr"
		same "" "$output"
	done <<- 'END'
	1; drop table x|2: expected one condition, found `;`
	flag in (select 1)|10: expected a condition on one row
	kv.bytes > ?1|12: expected no parameter
	load_extension('x')|1: expected a function
	readfile('/etc/passwd') = 1|1: expected a function
	writefile('x', 'y')|1: expected a function
	1) union select (1|2: expected no )
	kv.bytes > > 2|12: expected a condition
	flog = 'x'|1: expected the name of a figure, found `flog`; did you mean `bottleneck.flag`?
	flag = 'x|8: expected a text that ends in '
	kv.bytes > 80 XB|15: expected the name of a figure such as kv.bytes, found `XB`
	sqlite_master|1: expected the name of a figure
	END
	expect 2 sweep -c 8K -n 1 -w ""
	holds "expected a condition such as" "$stderr"
	expect 2 sweep -c 8K -n 1 -w "$(printf '1 or %.0s' $(seq 2000)) 1"
	holds "at most" "$stderr"
	expect 2 sweep -c 8K -n 1 -w "$(printf '(%.0s' $(seq 1900))1$(printf ')%.0s' $(seq 1900))"
}

@test "sweep: each format holds the same rows" {
	csv -c 8K,128K -n 1..40 --accelerators 8 > rows.csv
	sweep -c 8K,128K -n 1..40 --accelerators 8 -f json > rows.json
	sweep -c 8K,128K -n 1..40 --accelerators 8 -f jsonl > rows.jsonl
	sweep -c 8K,128K -n 1..40 --accelerators 8 > rows.txt
	same 81 "$(wc -l < rows.csv)"
	same 81 "$(wc -l < rows.txt)"
	jq -e '.format == "dossier.sweep/1" and (.rows | length) == 80 and .kept == 80 and .configurations == 80 and .refused == 0' rows.json
	same "$(jq -c '.rows[]' rows.json)" "$(jq -c . rows.jsonl)"
	same "$(tail -n +2 rows.csv)" "$(jq -r '.rows[] | [.[]] | map(. // "") | join(",")' rows.json)"
	same "$(head -1 rows.csv)" "$(jq -r '[.columns[].name] | join(",")' rows.json)"
	# no figure without its unit and kind
	jq -e 'all(.columns[]; .kind == "stated" or .kind == "calculated")' rows.json
	jq -e '.columns[] | select(.name == "decode.step_seconds") | .unit == "s"' rows.json
	jq -e '.rows | all(.fits == "yes" or (.fits == "no" and ."decode.step_seconds" == null))' rows.json
	# a table keeps its columns
	same 1 "$(awk '{ print match($0, / (fits|yes|no) /) }' rows.txt | sort -u | wc -l)"
}

@test "sweep: nothing kept is an empty list, not a failure" {
	expect 0 sweep -c 8K -n 1..9 -w "kv.bytes < 0" -f json
	jq -e '.rows == [] and .kept == 0 and .configurations == 9' <<< "$output"
	expect 0 csv -c 8K -n 1..9 -w "kv.bytes < 0" --columns kv.bytes,flag
	same "kv.bytes,bottleneck.flag" "$output"
	expect 0 sweep -c 8K -n 1..9 -w "kv.bytes < 0" -f jsonl
	same "" "$output"
}

@test "sweep: the same bytes with any number of threads" {
	for format in csv json jsonl table; do
		sweep -c 1K..32K+1K -n 1..600 -f $format -j 1 > one
		for jobs in 2 7; do
			sweep -c 1K..32K+1K -n 1..600 -f $format -j $jobs > many
			cmp one many
		done
	done
	for how in "--pareto" "--top 50 --by kv.bytes" "--top=50 --by=kv_to_weights -w context>4K"; do
		sweep -c 1K..32K+1K -n 1..600 --accelerators 8 $how -j 1 > one
		sweep -c 1K..32K+1K -n 1..600 --accelerators 8 $how -j 5 > many
		cmp one many
		[ -s one ]
	done
}

@test "sweep: what is no workload is counted, what does not fit is a row" {
	expect 0 csv -c 1K,2K,8K --output 1K,4K -n 1 --columns context,output
	same "context,output 2048,1024 8192,1024 8192,4096" "$(paste -sd' ' <<< "$output")"
	holds "3 of 6 configurations are no workload; the first: context 1024, output 1024" "$stderr"
	expect 3 sweep -c 1K --output 1K,4K -n 1 -f json
	same "" "$output"
	holds "output" "$stderr"
	expect 0 csv -c 128K -n 1,1000 --accelerators 8 --columns concurrency,fits,step_seconds
	line "1000,no," "$output"
}

@test "sweep: --top is the sorted list cut off" {
	csv -c 1K..64K*2 -n 1..200 --columns context,concurrency,kv_to_weights | tail -n +2 > all
	sort -t, -k3,3gr -s all | head -25 > expected
	csv -c 1K..64K*2 -n 1..200 --columns context,concurrency,kv_to_weights --top 25 --by "kv_to_weights desc" | tail -n +2 | diff expected -
	sort -t, -k3,3g -s all | head -25 > expected
	csv -c 1K..64K*2 -n 1..200 --columns context,concurrency,kv_to_weights --top 25 --by kv_to_weights | tail -n +2 | diff expected -
}

@test "sweep: --pareto keeps what nothing beats, and says where memory ends" {
	csv -c 128K -n 1..256*2 --accelerators 8,12,16 \
		--columns concurrency,accelerators,step_seconds,tokens_per_second_device | tail -n +2 > all
	# by all pairs
	awk -F, '$3 != "" { n++; row[n] = $1 "," $2; s[n] = $3; r[n] = $4 }
		END { for (i = 1; i <= n; i++) { on = 1
			for (j = 1; j <= n; j++) if (s[j] <= s[i] && r[j] >= r[i] && (s[j] < s[i] || r[j] > r[i])) on = 0
			if (on) print s[i], row[i] } }' all | sort -g | cut -d' ' -f2 > expected
	[ "$(wc -l < expected)" -ge 3 ]
	csv -c 128K -n 1..256*2 --accelerators 8,12,16 --pareto --columns concurrency,accelerators | tail -n +2 > front
	diff expected <(cut -d, -f1,2 front)
	# marked where the next load on the same accelerators has no time, since it does not fit
	awk -F, 'NR == FNR { time[$1 "," $2] = $3; next } { next_load = 2 * $1 "," $2
		print $1 "," $2 "," (next_load in time && time[next_load] == "" ? "memory" : "") }' all front | diff front -
	grep -q memory front
	# where accelerators follow from the load, memory ends nothing
	expect 0 csv -c 128K -n 1..256*2 --pareto
	lacks memory "$output"
}

@test "sweep: memory and bandwidth of the device are axes" {
	expect 0 csv -c 8K -n 64 --memory '141 GB,282 GB' --bandwidth '2 TB/s..6 TB/s+2 TB/s' --columns memory,bandwidth,kv.bytes
	same 7 "$(wc -l <<< "$output")"
	line "282000000000,6000000000000," "$output"
	# twice the bandwidth halves a step that waits for memory
	expect 0 csv -c 8K -n 1 --accelerators 8 --bound --bandwidth '2 TB/s,4 TB/s' --columns decode.step_seconds
	awk 'NR == 2 { a = $1 } NR == 3 && (a / $1 < 1.999 || a / $1 > 2.001) { print a, $1 }' <<< "$output" | nothing
}

@test "sweep: layouts are an axis, and a row without one is what size finds" {
	expect 0 csv -c 8K -n 8 --layout 'tensor=8;tensor=8,pipeline=2' --columns layout,accelerators,step_seconds
	same 3 "$(wc -l <<< "$output")"
	for n in 8 16; do
		layout=$([ $n = 8 ] && echo tensor=8 || echo tensor=8,pipeline=2)
		same "$(sweep -c 8K -n 8 --layout "$layout" --columns decode.step_seconds -f jsonl | jq '."decode.step_seconds"')" \
			"$(dossier size -m deepseek-v3 -a h200 --weights fp8 --kv bf16 -c 8K -n 8 --layout "$layout" --format json | jq .decode.step_seconds.value)"
	done
	same "$(sweep -c 128K -n 64 --columns accelerators,fits.context,fits.concurrency -f jsonl | jq -c '[.[]]')" \
		"$(dossier size -m deepseek-v3 -a h200 --weights fp8 --kv bf16 -c 128K -n 64 --format json | jq -c '[.accelerators.needed.value, .fits.context.value, .fits.concurrency.value]')"
	expect 2 sweep -c 8K -n 8 --layout 'tensor=8;tensr=4'
	holds "expected one of the keys tensor" "$stderr"
}

@test "sweep: a reader that leaves early ends it at once" {
	run timeout 10 bash -c "'$DOSSIER' sweep -m deepseek-v3 -a h200 --weights fp8 --kv bf16 -c 1..131072 -n 1..100000 -f csv 2> err.txt | head -1"
	[ "$status" -eq 0 ]
	holds "context,concurrency" "$output"
	same "" "$(cat err.txt)"
}

@test "sweep: a full disk is said, and what was interrupted does not look complete" {
	run bash -c "'$DOSSIER' sweep -m deepseek-v3 -a h200 --weights fp8 --kv bf16 -c 1K..128K+1K -n 1..1000 -f json > /dev/full"
	[ "$status" -eq 4 ]
	holds "No space left" "$output"
	# SIGTERM, since shells start background jobs with SIGINT ignored
	"$DOSSIER" sweep -m deepseek-v3 -a h200 --weights fp8 --kv bf16 -c 1..131072 -n 1..100000 -f json > part.json &
	sleep 0.3
	kill -TERM $!
	run wait $!
	! jq -e . part.json > /dev/null 2>&1 || return 1
}

@test "sweep: memory does not grow with the rows" {
	[ -x /usr/bin/time ] || skip "no /usr/bin/time"
	peak() { /usr/bin/time -f %M "$DOSSIER" sweep -m deepseek-v3 -a h200 --weights fp8 --kv bf16 -c 8K -n "$1" -f csv 2>&1 > /dev/null; }
	small=$(peak 1..20000)
	large=$(peak 1..1000000)
	# Kept rows would take tens of MB (as text they are 71); what threads and the sanitizers hold in hand varies
	# by a few MB from run to run.
	echo "small $small KB, large $large KB"
	[ "$large" -lt $((small + 16384)) ]
}

@test "sweep: a progress bar on a terminal, and only there" {
	script -qec true /dev/null < /dev/null > /dev/null 2>&1 || skip "no pseudo-terminal"
	big="-m deepseek-v3 -a h200 --weights fp8 --kv bf16 -c 1..2000 -n 1..3000 --count"
	expect 0 dossier sweep ${big//2000/20}
	same "" "$stderr"
	holds "million/s" "$(script -qec "'$DOSSIER' sweep $big -j 1" /dev/null < /dev/null)"
	lacks "million/s" "$(script -qec "'$DOSSIER' sweep $big --no-progress" /dev/null < /dev/null)"
	lacks $'\e' "$(script -qec "'$DOSSIER' sweep $big -j 1" /dev/null < /dev/null)"
}
