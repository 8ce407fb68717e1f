#define _XOPEN_SOURCE 700 /* mkdtemp */

#include "unit.h"

#include "util/lock.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char scratch[] = "/tmp/dossier-lock-XXXXXX";
static char path[64];

static int
set_up(void **state)
{
	(void)state;
	if (mkdtemp(scratch) == NULL)
		return -1;
	snprintf(path, sizeof path, "%s/.x.lock", scratch);
	return 0;
}

static int
tear_down(void **state)
{
	(void)state;
	unlink(path);
	return rmdir(scratch);
}

static void
one_holds_it_and_the_file_goes_with_it(void **state)
{
	struct lock mine, other;
	struct err e = ERR_INIT;

	(void)state;
	assert_int_equal(lock_take(&mine, path, 0, &e), OK);
	assert_int_equal(access(path, F_OK), 0);
	assert_int_equal(lock_take(&other, path, 40, &e), 1);
	lock_end(&other, false); /* who does not hold it takes nothing away */
	assert_int_equal(access(path, F_OK), 0);
	lock_end(&mine, false);
	assert_int_not_equal(access(path, F_OK), 0);
	assert_int_equal(lock_take(&other, path, 0, &e), OK);
	lock_end(&other, false);
	lock_end(&other, false); /* twice is no harm */
}

static void
a_note_is_kept_and_read_by_who_waits(void **state)
{
	struct lock mine, other;
	struct err e = ERR_INIT;
	char note[8] = "";

	(void)state;
	assert_int_equal(lock_take(&mine, path, 0, &e), OK);
	assert_int_equal(pwrite(mine.fd, "Lee", 3, 0), 3);
	assert_int_equal(lock_take(&other, path, 0, &e), 1);
	assert_int_equal(pread(other.fd, note, 3, 0), 3);
	assert_string_equal(note, "Lee");
	lock_end(&other, false);
	lock_end(&mine, true);
	assert_int_equal(access(path, F_OK), 0);
	assert_int_equal(lock_take(&mine, path, 0, &e), OK);
	lock_end(&mine, false);
}

/* The lock dies with its process; the file it leaves is nobody's. */
static void
one_that_was_killed_holds_nothing(void **state)
{
	struct err e = ERR_INIT;
	struct lock mine;
	pid_t child = fork();
	int status;

	(void)state;
	if (child == 0) {
		if (lock_take(&mine, path, 0, &e) == OK)
			raise(SIGKILL);
		_exit(1);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFSIGNALED(status));
	assert_int_equal(access(path, F_OK), 0);
	assert_int_equal(lock_take(&mine, path, 0, &e), OK);
	lock_end(&mine, false);
	assert_int_not_equal(access(path, F_OK), 0);
}

/* Another user's file, which may be read and not written; the folder may be written. */
static void
one_that_another_user_left_is_taken(void **state)
{
	struct err e = ERR_INIT;
	struct lock mine;
	pid_t child;
	int status;

	(void)state;
	close(open(path, O_RDWR | O_CREAT, 0600));
	assert_int_equal(chmod(path, 0444), 0);
	assert_int_equal(chmod(scratch, 0777), 0);
	child = fork();
	if (child == 0) {
		if (geteuid() == 0 && setuid(65534) != 0) /* whom the mode says nothing */
			_exit(2);
		if (access(path, W_OK) == 0)
			_exit(3);
		if (lock_take(&mine, path, 0, &e) != OK)
			_exit(1);
		lock_end(&mine, false);
		_exit(0);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	assert_int_not_equal(access(path, F_OK), 0);
}

/* Eight processes add one to a number, forty times each; none is lost although the file comes and goes. */
static void
many_take_turns(void **state)
{
	char number[80];
	int value = 0, status, fd;

	(void)state;
	snprintf(number, sizeof number, "%s/number", scratch);
	fd = open(number, O_RDWR | O_CREAT, 0600);
	assert_int_equal(pwrite(fd, &value, sizeof value, 0), sizeof value);
	for (int i = 0; i < 8; i++) {
		if (fork() != 0)
			continue;
		for (int k = 0; k < 40; k++) {
			struct err e = ERR_INIT;
			struct lock mine;

			if (lock_take(&mine, path, 60000, &e) != OK || pread(fd, &value, sizeof value, 0) < 0)
				_exit(1);
			value++;
			if (pwrite(fd, &value, sizeof value, 0) < 0)
				_exit(1);
			lock_end(&mine, false);
		}
		_exit(0);
	}
	for (int i = 0; i < 8; i++) {
		assert_true(wait(&status) > 0);
		assert_int_equal(status, 0);
	}
	assert_int_equal(pread(fd, &value, sizeof value, 0), sizeof value);
	assert_int_equal(value, 320);
	close(fd);
	unlink(number);
}

static void
a_folder_that_is_not_there_is_told(void **state)
{
	struct lock mine;
	struct err e = ERR_INIT;

	(void)state;
	assert_int_equal(lock_take(&mine, "/nowhere/at/all/.lock", 0, &e), ERR_SYSTEM);
	assert_non_null(strstr(e.text, "/nowhere/at/all/.lock"));
	lock_end(&mine, false);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_holds_it_and_the_file_goes_with_it),
		cmocka_unit_test(a_note_is_kept_and_read_by_who_waits),
		cmocka_unit_test(one_that_was_killed_holds_nothing),
		cmocka_unit_test(one_that_another_user_left_is_taken),
		cmocka_unit_test(many_take_turns),
		cmocka_unit_test(a_folder_that_is_not_there_is_told),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
