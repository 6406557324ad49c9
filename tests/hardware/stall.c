/* A disk that stalls: while the file `disk-stalls` is in the bench's folder, nothing that is to be forced out to the disk
 * gets there. So a memory card behaves that puts its blocks in order: not for milliseconds, for seconds.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void wait_for_the_disk(void)
{
	const char *folder = getenv("CANTSTOP_BENCH");
	char stalls[4096];
	snprintf(stalls, sizeof stalls, "%s/disk-stalls", folder ? folder : "");
	while (folder && access(stalls, F_OK) == 0)
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
