/* Shared by the shims: /dev files that exist only inside a process, and a connection to the simulated hardware.
 *
 * A shim is loaded with LD_PRELOAD into an ordinary process. It answers open() and ioctl() for one device and passes
 * all other calls on. What the device's other end does (buttons, wires, display) is simulated by another process,
 * tools/hardware/bench.py, which listens on a Unix socket (SOCK_SEQPACKET: one message, one answer) in the folder
 * $CANTSTOP_BENCH. The hardware therefore outlives the program: a button held down stays down if the program is killed.
 */
#ifndef WORLD_H
#define WORLD_H
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

/* Connect to one of the bench's sockets; return -1 if it does not exist. Answers time out after two seconds. */
__attribute__((unused)) static int world_connect(const char *name)
{
	const char *folder = getenv("CANTSTOP_BENCH");
	struct sockaddr_un at = { .sun_family = AF_UNIX };
	struct timeval patience = { .tv_sec = 2 };
	if (!folder || snprintf(at.sun_path, sizeof at.sun_path, "%s/%s", folder, name) >= (int)sizeof at.sun_path)
		return -1;
	int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return -1;
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
	setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
	if (connect(fd, (struct sockaddr *)&at, sizeof at)) {
		close(fd);
		return -1;
	}
	return fd;
}

/* Open a simulated device; return -1 for any other file. Each shim defines it. */
static int device_open(const char *path);

/* Answer a device's ioctl; return -2 for any other device. Each shim defines it. */
static int device_ioctl(int fd, unsigned request, void *argument);

#define INTERPOSE_OPEN(name)                                           \
	int name(const char *path, int flags, ...)                     \
	{                                                              \
		static int (*real)(const char *, int, ...);            \
		mode_t mode = 0;                                       \
		if (flags & (O_CREAT | __O_TMPFILE)) {                 \
			va_list rest;                                  \
			va_start(rest, flags);                         \
			mode = va_arg(rest, mode_t);                   \
			va_end(rest);                                  \
		}                                                      \
		int fd = device_open(path);                            \
		if (fd >= 0)                                           \
			return fd;                                     \
		if (!real)                                             \
			*(void **)&real = dlsym(RTLD_NEXT, #name);     \
		return real(path, flags, mode);                        \
	}

INTERPOSE_OPEN(open)
INTERPOSE_OPEN(open64)

int ioctl(int fd, unsigned long request, ...)
{
	static int (*real)(int, unsigned long, ...);
	va_list rest;
	va_start(rest, request);
	void *argument = va_arg(rest, void *);
	va_end(rest);
	int answer = device_ioctl(fd, (unsigned)request, argument);
	if (answer != -2)
		return answer;
	if (!real)
		*(void **)&real = dlsym(RTLD_NEXT, "ioctl");
	return real(fd, request, argument);
}
#endif
