# Text files to one sorted table of C strings, as util/embed.h declares it. The files come
# in sorted order (LC_ALL=C) on the command line.

function finish() { if (open) printf ", %d },\n", size }
BEGIN {
	print "/* Made by src/gen/embed.awk. */\n#include \"util/embed.h\"\n\nconst struct embed embed_files[] = {"
}
FNR == 1 {
	finish()
	open = 1; size = 0; count++
	printf "\t{ \"%s\", \"\"", FILENAME
}
{
	size += length($0) + 1
	gsub(/\\/, "\\\\&"); gsub(/"/, "\\\\&"); gsub(/\?/, "\\\\&")
	printf "\n\t    \"%s\\n\"", $0
}
END {
	finish()
	printf "};\n\nconst size_t embed_count = %d;\n", count
}
