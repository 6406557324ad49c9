/* Slows down parts of the system while a file with one of these names exists in the bench's folder:
 *   disk-stalls     syncs to the disk do not return, as on a memory card during internal maintenance, which takes seconds
 *   alerts-stall    lgpio's thread waits for edges for 30 ms at a time instead of half a millisecond, as on a busy machine;
 *                   the files that it waits for stay in use that long even if they are closed
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dlfcn.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static int stalls(const char *what)
{
	const char *folder = getenv("CANTSTOP_BENCH");
	char sign[4096];
	snprintf(sign, sizeof sign, "%s/%s", folder ? folder : "", what);
	return folder && access(sign, F_OK) == 0;
}

static void wait_for_the_disk(void)
{
	while (stalls("disk-stalls"))
		usleep(20000);
}

int fsync(int fd)
{
	wait_for_the_disk();
	return ((int (*)(int)) dlsym(RTLD_NEXT, "fsync"))(fd);
}

int fdatasync(int fd)
{
	wait_for_the_disk();
	return ((int (*)(int)) dlsym(RTLD_NEXT, "fdatasync"))(fd);
}

int ppoll(struct pollfd *files, nfds_t count, const struct timespec *timeout, const sigset_t *mask)
{
	static int (*real)(struct pollfd *, nfds_t, const struct timespec *, const sigset_t *);
	struct timespec late = { .tv_nsec = 30000000 };
	if (!real)
		real = (__typeof__(real))dlsym(RTLD_NEXT, "ppoll");
	return real(files, count, timeout && stalls("alerts-stall") ? &late : timeout, mask);
}
