#define _XOPEN_SOURCE 700 /* mkdtemp, symlink and nftw for the scratch folder */

#include "unit.h"

#include "util/file.h"

#include <dirent.h>
#include <ftw.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char scratch[] = "/tmp/dossier-file-XXXXXX";

static const char *
in_scratch(const char *name)
{
	static char path[4][PATH_MAX];
	static int next;
	char *p = path[next++ % 4];

	snprintf(p, PATH_MAX, "%s/%s", scratch, name);
	return p;
}

static void
put(const char *name, const char *text)
{
	struct err e = ERR_INIT;
	const char *path = in_scratch(name);

	assert_int_equal(file_make_parents(path, &e), OK);
	assert_int_equal(file_replace(path, text, strlen(text), 0644, &e), OK);
}

static void
assert_holds(const char *name, const char *text)
{
	struct buf b = BUF_INIT;
	struct err e = ERR_INIT;

	assert_int_equal(file_read(&b, in_scratch(name), &e), OK);
	assert_string_equal(b.s, text);
	buf_release(&b);
}

static int
count_entries(const char *path)
{
	DIR *dir = opendir(path);
	int n = -2; /* . and .. */

	assert_non_null(dir);
	while (readdir(dir) != NULL)
		n++;
	closedir(dir);
	return n;
}

static void
replaces_whole_files(void **state)
{
	struct err e = ERR_INIT;
	struct stat st;

	(void)state;
	umask(022);
	put("replace/a", "one");
	assert_holds("replace/a", "one");
	put("replace/a", "");
	assert_holds("replace/a", "");
	assert_int_equal(file_replace(in_scratch("replace/b"), "x\0y", 3, 0600, &e), OK);
	assert_int_equal(stat(in_scratch("replace/b"), &st), 0);
	assert_int_equal(st.st_size, 3);
	assert_int_equal(st.st_mode & 07777, 0600);
	/* An old file keeps its mode. */
	assert_int_equal(chmod(in_scratch("replace/b"), 0640), 0);
	assert_int_equal(file_replace(in_scratch("replace/b"), "z", 1, 0644, &e), OK);
	assert_int_equal(stat(in_scratch("replace/b"), &st), 0);
	assert_int_equal(st.st_mode & 07777, 0640);
	assert_int_equal(count_entries(in_scratch("replace")), 2);
}

static void
replaces_behind_a_link(void **state)
{
	struct stat st;

	(void)state;
	put("link/real", "old");
	assert_int_equal(symlink("real", in_scratch("link/alias")), 0);
	put("link/alias", "new");
	assert_holds("link/real", "new");
	assert_int_equal(lstat(in_scratch("link/alias"), &st), 0);
	assert_true(S_ISLNK(st.st_mode));
}

static void
failed_writes_leave_nothing(void **state)
{
	struct err e = ERR_INIT;

	(void)state;
	put("fail/folder/x", "x");
	assert_int_equal(file_replace(in_scratch("fail/folder"), "a", 1, 0644, &e), ERR_INPUT);
	assert_int_equal(file_replace(in_scratch("fail/none/x"), "a", 1, 0644, &e), ERR_SYSTEM);
	assert_int_equal(file_replace(in_scratch("fail/folder/x/y"), "a", 1, 0644, &e), ERR_SYSTEM);
	assert_int_equal(file_replace("/dev/full", "a", 1, 0644, &e), ERR_SYSTEM);
	assert_non_null(strstr(e.text, "No space left"));
	assert_int_equal(file_replace("/dev/null", "a", 1, 0644, &e), OK);
	assert_int_equal(count_entries(in_scratch("fail")), 1);
	assert_holds("fail/folder/x", "x");
	if (geteuid() != 0) {
		assert_int_equal(chmod(in_scratch("fail/folder"), 0500), 0);
		assert_int_equal(file_replace(in_scratch("fail/folder/x"), "a", 1, 0644, &e),
		    ERR_SYSTEM);
		assert_int_equal(chmod(in_scratch("fail/folder"), 0700), 0);
	}
}

/* The limit on a file's size stands for a full disk: the old file stays, no other is left. */
static void
a_full_disk_keeps_the_old_file(void **state)
{
	int status;
	pid_t child;

	(void)state;
	put("full/a", "old");
	child = fork();
	assert_true(child >= 0);
	if (child == 0) {
		static char large[8192];
		struct rlimit limit = { 4096, 4096 };
		struct err e = ERR_INIT;

		signal(SIGXFSZ, SIG_IGN);
		setrlimit(RLIMIT_FSIZE, &limit);
		_exit(-file_replace(in_scratch("full/a"), large, sizeof large, 0644, &e));
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == -ERR_SYSTEM);
	assert_holds("full/a", "old");
	assert_int_equal(count_entries(in_scratch("full")), 1);
}

/* Readers see one of the texts, whole; writers do not disturb one another. */
static void
parallel_writers_do_not_clash(void **state)
{
	enum { WRITERS = 8, ROUNDS = 40, BYTES = 20000 };
	pid_t children[WRITERS];

	(void)state;
	put("race/a", "start");
	for (int i = 0; i < WRITERS; i++) {
		children[i] = fork();
		assert_true(children[i] >= 0);
		if (children[i] == 0) {
			static char text[BYTES];
			struct err e = ERR_INIT;
			int rc = OK;

			memset(text, 'a' + i, sizeof text);
			for (int k = 0; k < ROUNDS && rc == OK; k++)
				rc = file_replace(in_scratch("race/a"), text, sizeof text, 0644,
				    &e);
			_exit(rc == OK ? 0 : 1);
		}
	}
	for (int k = 0; k < 200; k++) {
		struct buf b = BUF_INIT;
		struct err e = ERR_INIT;

		assert_int_equal(file_read(&b, in_scratch("race/a"), &e), OK);
		assert_true(b.len == 5 || (b.len == BYTES && b.s[0] == b.s[BYTES - 1]));
		buf_release(&b);
	}
	for (int i = 0; i < WRITERS; i++) {
		int status;

		assert_int_equal(waitpid(children[i], &status, 0), children[i]);
		assert_int_equal(status, 0);
	}
	assert_int_equal(count_entries(in_scratch("race")), 1);
}

static void
reading_tells_whose_fault_it_is(void **state)
{
	struct buf b = BUF_INIT;
	struct err e = ERR_INIT;
	FILE *large;

	(void)state;
	put("read/a", "text");
	buf_puts(&b, "before ");
	assert_int_equal(file_read(&b, in_scratch("read/a"), &e), OK);
	assert_string_equal(b.s, "before text");
	assert_int_equal(file_read(&b, in_scratch("read/none"), &e), ERR_INPUT);
	assert_string_equal(e.where, in_scratch("read/none"));
	assert_int_equal(file_read(&b, in_scratch("read/a/b"), &e), ERR_INPUT);
	assert_int_equal(file_read(&b, in_scratch("read"), &e), ERR_INPUT);
	assert_non_null(strstr(e.text, "folder"));
	assert_int_equal(file_read(&b, "/dev/zero", &e), ERR_INPUT);
	assert_int_equal(symlink("self", in_scratch("read/self")), 0);
	assert_int_equal(file_read(&b, in_scratch("read/self"), &e), ERR_INPUT);
	large = fopen(in_scratch("read/large"), "w");
	assert_non_null(large);
	assert_int_equal(ftruncate(fileno(large), (off_t)FILE_MAX_BYTES + 1), 0);
	fclose(large);
	buf_clear(&b);
	assert_int_equal(file_read(&b, in_scratch("read/large"), &e), ERR_INPUT);
	assert_int_equal(truncate(in_scratch("read/large"), FILE_MAX_BYTES), 0);
	buf_clear(&b);
	assert_int_equal(file_read(&b, in_scratch("read/large"), &e), OK);
	assert_int_equal(b.len, FILE_MAX_BYTES);
	if (geteuid() != 0) {
		assert_int_equal(chmod(in_scratch("read/a"), 0), 0);
		assert_int_equal(file_read(&b, in_scratch("read/a"), &e), ERR_SYSTEM);
	}
	buf_release(&b);
}

static void
reads_a_pipe(void **state)
{
	struct buf b = BUF_INIT;
	struct err e = ERR_INIT;
	int ends[2];
	char path[64];

	(void)state;
	assert_int_equal(pipe(ends), 0);
	assert_int_equal(write(ends[1], "piped", 5), 5);
	close(ends[1]);
	snprintf(path, sizeof path, "/dev/fd/%d", ends[0]);
	assert_int_equal(file_read(&b, path, &e), OK);
	assert_string_equal(b.s, "piped");
	close(ends[0]);
	buf_release(&b);
}

static void
assert_walk(const char *root, const char *sub, const char *suffix, const char *names)
{
	struct arena a = ARENA_INIT;
	struct buf found = BUF_INIT;
	struct file_list list;
	struct err e = ERR_INIT;

	if (file_walk(&list, &a, in_scratch(root), sub, suffix, &e) != OK)
		fail_msg("%s: %s", e.where, e.text);
	for (size_t i = 0; i < list.count; i++) {
		struct stat st;

		buf_printf(&found, "%s%s", i > 0 ? " " : "", list.items[i].name);
		assert_int_equal(stat(list.items[i].path, &st), 0);
		assert_int_equal(list.items[i].size, st.st_size);
		assert_true(list.items[i].mtime_ns > 1500000000LL * 1000000000);
	}
	assert_string_equal(found.s, names);
	buf_release(&found);
	arena_release(&a);
}

static void
walks_in_one_order(void **state)
{
	(void)state;
	put("kb/claims/b.yaml", "b");
	put("kb/claims/a.yaml", "a");
	put("kb/claims/sub/c.yaml", "c");
	put("kb/claims/a.yaml~", "backup");
	put("kb/claims/#a.yaml", "lock");
	put("kb/claims/.a.yaml", "hidden");
	put("kb/claims/.git/x.yaml", "hidden");
	put("kb/claims/.yaml", "hidden");
	put("kb/claims/a.txt", "other");
	put("kb/evidence/e.yaml", "e");
	/* NFD on disk, NFC as a name: e + U+0301 is U+00E9. */
	put("kb/evidence/e\xCC\x81.yaml", "e");
	assert_walk("kb", "claims", ".yaml", "claims/a.yaml claims/b.yaml claims/sub/c.yaml");
	assert_walk("kb", "claims/sub", ".yaml", "claims/sub/c.yaml");
	assert_walk("kb", "evidence", ".yaml", "evidence/e.yaml evidence/\xC3\xA9.yaml");
	assert_walk("kb", "", ".txt", "claims/a.txt");
	assert_walk("kb", "none", ".yaml", "");
}

static void
links_stay_inside(void **state)
{
	(void)state;
	put("out/secret.yaml", "s");
	put("links/claims/a.yaml", "a");
	put("links/claims/deep/d.yaml", "d");
	put("links/other/o.yaml", "o");
	/* darnlink#85: a link to a file is that file; crossnote#483: none leads out. */
	assert_int_equal(symlink("a.yaml", in_scratch("links/claims/b.yaml")), 0);
	assert_int_equal(symlink("/etc", in_scratch("links/claims/etc")), 0);
	assert_int_equal(symlink("../../out", in_scratch("links/claims/out")), 0);
	assert_int_equal(symlink("../../out/secret.yaml", in_scratch("links/claims/s.yaml")), 0);
	assert_int_equal(symlink(".", in_scratch("links/claims/self")), 0);
	assert_int_equal(symlink("..", in_scratch("links/claims/deep/up")), 0);
	assert_int_equal(symlink("../other", in_scratch("links/claims/other")), 0);
	assert_int_equal(symlink("../out", in_scratch("links/outside")), 0);
	assert_int_equal(link(in_scratch("links/claims/a.yaml"), in_scratch("links/claims/z.yaml")),
	    0);
	assert_walk("links", "claims", ".yaml", "claims/a.yaml claims/deep/d.yaml other/o.yaml");
	assert_walk("links", "outside", ".yaml", "");
	assert_walk("links/claims/self", "deep", ".yaml", "a.yaml deep/d.yaml");
	/* A sibling whose name only begins like the root's is not inside it. */
	put("links-more/x.yaml", "x");
	assert_int_equal(symlink("../../links-more", in_scratch("links/claims/more")), 0);
	assert_walk("links", "claims", ".yaml", "claims/a.yaml claims/deep/d.yaml other/o.yaml");
}

static void
walks_tell_what_is_wrong(void **state)
{
	struct arena a = ARENA_INIT;
	struct file_list list;
	struct err e = ERR_INIT;

	(void)state;
	assert_int_equal(file_walk(&list, &a, in_scratch("nowhere"), "x", ".yaml", &e), ERR_INPUT);
	put("wrong/file", "x");
	assert_int_equal(file_walk(&list, &a, in_scratch("wrong/file"), "", ".yaml", &e),
	    ERR_INPUT);
	assert_int_equal(file_walk(&list, &a, in_scratch("wrong"), "file", ".yaml", &e), ERR_INPUT);
	put("deep/1/2/3/4/5/6/7/8/x.yaml", "x");
	assert_int_equal(file_walk(&list, &a, in_scratch("deep"), "", ".yaml", &e), OK);
	assert_int_equal(list.count, 1);
	put("deep/1/2/3/4/5/6/7/8/9/x.yaml", "x");
	assert_int_equal(file_walk(&list, &a, in_scratch("deep"), "", ".yaml", &e), ERR_INPUT);
	put("bytes/\xFF.txt", "x");
	assert_int_equal(file_walk(&list, &a, in_scratch("bytes"), "", ".yaml", &e), OK);
	assert_int_equal(file_walk(&list, &a, in_scratch("bytes"), "", ".txt", &e), ERR_INPUT);
	assert_int_equal(mkdir(in_scratch("dangling"), 0700), 0);
	assert_int_equal(symlink("none", in_scratch("dangling/a.yaml")), 0);
	assert_int_equal(file_walk(&list, &a, in_scratch("dangling"), "", ".yaml", &e), ERR_INPUT);
	assert_int_equal(file_walk(&list, &a, in_scratch("dangling"), "", ".txt", &e), OK);
	arena_release(&a);
}

static void
makes_parents(void **state)
{
	struct err e = ERR_INIT;
	struct stat st;

	(void)state;
	assert_int_equal(file_make_parents(in_scratch("p/q//r/file"), &e), OK);
	assert_int_equal(file_make_parents(in_scratch("p/q//r/file"), &e), OK);
	assert_int_equal(stat(in_scratch("p/q/r"), &st), 0);
	assert_int_equal(st.st_mode & 07777, 0700);
	assert_false(file_is_dir(in_scratch("p/q/r/file")));
	assert_true(file_is_dir(in_scratch("p/q/r")));
	put("p/file", "x");
	assert_int_equal(file_make_parents(in_scratch("p/file/x/y"), &e), ERR_SYSTEM);
	assert_int_equal(file_make_parents("plain", &e), OK);
}

static int
remove_one(const char *path, const struct stat *st, int type, struct FTW *where)
{
	(void)st;
	(void)type;
	(void)where;
	return remove(path);
}

static int
set_up(void **state)
{
	(void)state;
	return mkdtemp(scratch) == NULL ? -1 : 0;
}

static int
tear_down(void **state)
{
	(void)state;
	return nftw(scratch, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static void
what_is_staged_can_be_dropped(void **state)
{
	struct file_staged staged = { 0 };
	struct err e = ERR_INIT;
	int before;

	(void)state;
	file_discard(&staged); /* what was never staged */
	put("staged/a", "old");
	before = count_entries(in_scratch("staged"));
	assert_int_equal(file_stage(&staged, in_scratch("staged/a"), "new", 3, 0644, &e), OK);
	assert_holds("staged/a", "old");
	file_discard(&staged);
	assert_holds("staged/a", "old");
	assert_int_equal(count_entries(in_scratch("staged")), before);
	assert_int_equal(file_stage(&staged, in_scratch("staged/a"), "new", 3, 0644, &e), OK);
	assert_int_equal(file_publish(&staged, &e), OK);
	assert_holds("staged/a", "new");
	assert_int_equal(count_entries(in_scratch("staged")), before);
	/* no room for it: said at once */
	assert_int_equal(file_stage(&staged, in_scratch("staged/none/a"), "new", 3, 0644, &e), ERR_SYSTEM);
	assert_int_equal(file_stage(&staged, in_scratch("staged"), "new", 3, 0644, &e), ERR_INPUT);
	/* a device is written to when the time has come */
	assert_int_equal(file_stage(&staged, "/dev/full", "new", 3, 0644, &e), OK);
	assert_int_equal(file_publish(&staged, &e), ERR_SYSTEM);
	file_discard(&staged);
}

static void
a_leftover_under_ones_own_name_is_written_over(void **state)
{
	struct err e = ERR_INIT;
	char *a = strdup(in_scratch("through/a")), *way = strdup(in_scratch("through/.a.new"));

	(void)state;
	put("through/a", "old");
	put("through/victim", "kept");
	put("through/.a.new", "of one that was killed");
	assert_int_equal(file_replace_through(way, a, "new", 3, 0644, &e), OK);
	assert_holds("through/a", "new");
	assert_int_equal(count_entries(in_scratch("through")), 2);
	/* somebody's link is taken away, and not followed */
	assert_int_equal(symlink(in_scratch("through/victim"), way), 0);
	assert_int_equal(file_replace_through(way, a, "newer", 5, 0644, &e), OK);
	assert_holds("through/a", "newer");
	assert_holds("through/victim", "kept");
	assert_int_equal(count_entries(in_scratch("through")), 2);
	/* what cannot be taken away is told, and nothing is changed */
	assert_int_equal(file_make_parents(in_scratch("through/.a.new/x"), &e), OK);
	assert_int_equal(file_replace_through(way, a, "newest", 6, 0644, &e), ERR_SYSTEM);
	assert_holds("through/a", "newer");
	free(a);
	free(way);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(replaces_whole_files),
		cmocka_unit_test(replaces_behind_a_link),
		cmocka_unit_test(failed_writes_leave_nothing),
		cmocka_unit_test(a_full_disk_keeps_the_old_file),
		cmocka_unit_test(parallel_writers_do_not_clash),
		cmocka_unit_test(reading_tells_whose_fault_it_is),
		cmocka_unit_test(reads_a_pipe),
		cmocka_unit_test(walks_in_one_order),
		cmocka_unit_test(links_stay_inside),
		cmocka_unit_test(walks_tell_what_is_wrong),
		cmocka_unit_test(makes_parents),
		cmocka_unit_test(what_is_staged_can_be_dropped),
		cmocka_unit_test(a_leftover_under_ones_own_name_is_written_over),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
