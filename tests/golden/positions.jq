# The positions of one archetype (`dossier show ID --format json`) as a table of Markdown: a bottleneck a row.
def cell: gsub("\\|"; "\\|");
def names: if length == 0 then "-" else join(", ") end;
"## \(.name)", "",
"| bottleneck | focus | levers in order | would misread them | first question |",
"| --- | --- | --- | --- | --- |",
(.positions[] |
	(.when | to_entries | map(select(.key != "ratio"))[0] | "\(.key): \(.value)") as $term |
	(if .when.ratio then $term + " (KV over weights \(.when.ratio.kv_to_weights))" else $term end) as $at |
	if .occurs == "no" then "| \($at) | does not occur: \(.why | cell) | - | - | - |"
	else "| \($at) | \(.focus | cell) | \(.levers | names) | \((.misreads // []) | names) | \(.first_question | cell) |"
	end),
""
