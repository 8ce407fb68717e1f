# Statements from .sql files to C: `-- :name` begins one, it runs to the next name.
# With -v header=1 an enum of their numbers, else the table that db/db.h declares.
# src/kb/kb.sql: record_by_id  ->  KB_RECORD_BY_ID

function flush() {
	if (name == "" || header)
		return
	sub(/[ \t\n]+$/, "", text)
	gsub(/\\/, "\\\\&", text)
	gsub(/"/, "\\\\&", text)
	gsub(/\n/, "\\n\"\n\t    \"", text)
	printf "\t{ \"%s\", \"%s\", %d,\n\t    \"%s\" },\n", name, file, line, text
	name = ""
}
BEGIN {
	print "/* Made by src/gen/sql.awk. */"
	if (header)
		print "#ifndef SQL_H\n#define SQL_H\n\nenum {"
	else
		print "#include \"db/db.h\"\n\nconst struct db_sql db_sql[] = {"
}
FNR == 1 { flush(); module = FILENAME; sub(/.*\//, "", module); sub(/\.sql$/, "", module) }
/^-- :/ {
	flush()
	name = substr($0, 5); file = FILENAME; line = FNR + 1; text = ""; count++
	if (header)
		print "\t" toupper(module "_" name) ","
	next
}
name != "" && ($0 !~ /^--/) { text = text (text == "" ? "" : "\n") $0 }
END {
	flush()
	if (header)
		print "};\n\n#endif"
	else
		printf "};\n\nconst size_t db_sql_count = %d;\n", count
}
