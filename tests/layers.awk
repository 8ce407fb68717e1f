# The include graph against the list of levels: a module includes lower levels only, its own
# files, and generated sql.h; a library's header comes in at one door.
# Reads all of src/*/*.[ch]; prints each fault; exit status 1 if there is one.

BEGIN {
	split("util quantity", l0); for (i in l0) level[l0[i]] = 0
	split("db yaml json markdown sizing render", l1); for (i in l1) level[l1[i]] = 1
	split("kb ledger plan wording", l2); for (i in l2) level[l2[i]] = 2
	split("ingest import uses", l3); for (i in l3) level[l3[i]] = 3
	split("advise decide measure", l4); for (i in l4) level[l4[i]] = 4
	split("propose audit drafts", l5); for (i in l5) level[l5[i]] = 5
	level["cli"] = 6
	door["sqlite3.h"] = "db"; door["yaml.h"] = "yaml"; door["jansson.h"] = "json"
	door["cmark.h"] = "markdown"; door["utf8proc.h"] = "util"; door["sha2.h"] = "util"
}
FNR == 1 {
	split(FILENAME, part, "/"); module = part[2]
	if (!(module in level)) { print FILENAME ": a module of no level: " module; bad = 1 }
}
/^#include "/ {
	split($2, q, "\""); path = q[2]
	if (path == "sql.h")
		next
	split(path, p, "/"); other = p[1]
	if (!(other in level)) {
		print FILENAME ":" FNR ": includes what is no module: " path; bad = 1
	} else if (other != module && level[other] >= level[module]) {
		print FILENAME ":" FNR ": " module " (level " level[module] ") includes " other " (level " level[other] ")"; bad = 1
	}
	if ((module == "quantity" || module == "sizing") && other != module) {
		print FILENAME ":" FNR ": " module " stands alone, and includes " path; bad = 1
	}
	edge[module " -> " other] = 1
}
/^#include </ {
	name = $2; gsub(/[<>]/, "", name)
	if (name in door && door[name] != module) {
		print FILENAME ":" FNR ": " name " comes in at " door[name] " only"; bad = 1
	}
}
END { exit bad }
