/* Emulates /dev/gpiochip0 with the 58 lines of a Raspberry Pi 4, for the real lgpio and gpiozero, with lgpio's own
 * debouncing, threads and "GPIO busy". It implements the part of the kernel's GPIO character device, version 2
 * (linux/gpio.h), that lgpio 0.2.2 uses, and the board revision that gpiozero reads from the device tree.
 *
 * The bench controls the lines through the socket $CANTSTOP_BENCH/gpio. Its messages are text:
 *   "drive LINE LEVEL COUNT MICROS NANOS"
 *                                     connect the line to LEVEL (0 or 1; -1 to nothing, so that the pull resistor decides)
 *                                     at the time NANOS of CLOCK_MONOTONIC, with COUNT pairs of bounces, MICROS apart.
 *                                     The edges have these times even if they are delivered late, so the scheduler
 *                                     cannot stretch a bounce or shorten a press
 *   "ask LINE"                        the answer is "LINE LEVEL CLAIMED RISES NANOS HIGH_NANOS": the level, whether a
 *                                     program has claimed the line, and since the last "ask": the number of rising
 *                                     edges, the elapsed time, and the time at high level
 *   "begin"                           the end of the initial connections; the chip opens after it
 */
#include "world.h"
#include <errno.h>
#include <linux/gpio.h>
#include <poll.h>
#include <pthread.h>
#include <stdint.h>
#include <time.h>

#define LINES 58
#define REQUESTS 64
#define MOST_BOUNCES 100

static const uint8_t PI_4B[] = { 0x00, 0xc0, 0x31, 0x14 };

/* Lines claimed by a program: `fd` is its end of the socket, `peer` is ours, into which edges are written. */
static struct request {
	int is_used, fd, peer, count;
	unsigned offsets[GPIO_V2_LINES_MAX];
	uint64_t flags;
	unsigned edges;
	char who[GPIO_MAX_NAME_SIZE];
} requests[REQUESTS];

static struct line {
	int driven, pull, is_output, output;
	uint64_t last_edge, asked, high_since, high_nanos, rises;
} lines[LINES];

static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static int is_started;

static uint64_t nanos(clockid_t clock)
{
	struct timespec now;
	clock_gettime(clock, &now);
	return now.tv_sec * 1000000000ull + now.tv_nsec;
}

static int level(const struct line *line)
{
	if (line->is_output)
		return line->output;
	return line->driven >= 0 ? line->driven : line->pull > 0;
}

/* Remove the requests whose program has closed its end. The pull stays, as on the chip's pad. */
static void reap(void)
{
	for (struct request *one = requests; one < requests + REQUESTS; one++) {
		struct pollfd end = { one->peer, 0, 0 };
		if (!one->is_used || poll(&end, 1, 0) <= 0 || !(end.revents & (POLLHUP | POLLERR)))
			continue;
		close(one->peer);
		one->is_used = 0;
		for (int i = 0; i < one->count; i++)
			lines[one->offsets[i]].is_output = 0;
	}
}

static struct request *owner(unsigned offset)
{
	for (struct request *one = requests; one < requests + REQUESTS; one++)
		for (int i = 0; one->is_used && i < one->count; i++)
			if (one->offsets[i] == offset)
				return one;
	return NULL;
}

static struct request *request_of(int fd)
{
	for (struct request *one = requests; one < requests + REQUESTS; one++)
		if (one->is_used && one->fd == fd)
			return one;
	return NULL;
}

/* Add an edge of a line to `events`, if its program has requested it; return the number of added events. */
static int noted(unsigned offset, int now, uint64_t at, struct gpio_v2_line_event *events)
{
	struct request *one = owner(offset);
	uint64_t wanted = now ? GPIO_V2_LINE_FLAG_EDGE_RISING : GPIO_V2_LINE_FLAG_EDGE_FALLING;
	if (!one || !(one->flags & wanted))
		return 0;
	*events = (struct gpio_v2_line_event){
		.timestamp_ns = at,
		.id = now ? GPIO_V2_LINE_EVENT_RISING_EDGE : GPIO_V2_LINE_EVENT_FALLING_EDGE,
		.offset = offset,
		.seqno = ++one->edges,
		.line_seqno = one->edges,
	};
	return 1;
}

static void drive(unsigned offset, int wanted, int bounces, int micros, uint64_t now)
{
	struct gpio_v2_line_event events[2 * MOST_BOUNCES + 1];
	struct line *line = &lines[offset];
	struct request *one = owner(offset);
	int before = level(line), count = 0;
	line->driven = wanted;
	int edges = 2 * bounces + (level(line) != before);
	if (!one || !edges)
		return;
	if (one->flags & GPIO_V2_LINE_FLAG_EVENT_CLOCK_REALTIME)
		now += nanos(CLOCK_REALTIME) - nanos(CLOCK_MONOTONIC);
	uint64_t step = micros * 1000ull, at = now - (edges - 1) * step;
	if (at <= line->last_edge)
		at = line->last_edge + 1;
	for (int i = 0; i < edges; i++, at += step)
		count += noted(offset, i % 2 ? before : !before, at, events + count);
	line->last_edge = at - step;
	if (count)
		send(one->peer, events, count * sizeof *events, MSG_DONTWAIT | MSG_NOSIGNAL);
}

static void tell(int world, unsigned offset)
{
	char answer[128];
	struct line *line = &lines[offset];
	uint64_t now = nanos(CLOCK_MONOTONIC);
	if (line->high_since)
		line->high_nanos += now - line->high_since;
	reap();
	int length = snprintf(answer, sizeof answer, "%u %d %d %llu %llu %llu", offset, level(line), owner(offset) != NULL,
			      (unsigned long long)line->rises, (unsigned long long)(line->asked ? now - line->asked : 0),
			      (unsigned long long)line->high_nanos);
	line->rises = line->high_nanos = 0;
	line->high_since = line->is_output && line->output ? now : 0;
	line->asked = now;
	send(world, answer, length, MSG_NOSIGNAL);
}

static void put_out(struct line *line, int wanted)
{
	if (line->output != wanted) {
		uint64_t now = nanos(CLOCK_MONOTONIC);
		line->rises += wanted;
		if (!wanted && line->high_since)
			line->high_nanos += now - line->high_since;
		line->high_since = wanted ? now : 0;
	}
	line->output = wanted;
}

/* Handle a message from the bench; return 0 for the one that ends the initial levels. */
static int obey(int world, const char *message)
{
	unsigned offset;
	int wanted, bounces, micros;
	unsigned long long at;
	pthread_mutex_lock(&guard);
	if (sscanf(message, "ask %u", &offset) == 1 && offset < LINES)
		tell(world, offset);
	else if (sscanf(message, "drive %u %d %d %d %llu", &offset, &wanted, &bounces, &micros, &at) == 5 &&
		 offset < LINES && bounces <= MOST_BOUNCES)
		drive(offset, wanted, bounces, micros, at);
	pthread_mutex_unlock(&guard);
	return strcmp(message, "begin");
}

/* Receive one message: returns as `obey`, or -1 if none has come for a while, -2 if the bench is gone. */
static int heard(int world)
{
	char message[64];
	ssize_t count = recv(world, message, sizeof message - 1, 0);
	if (count <= 0)
		return count < 0 && (errno == EAGAIN || errno == EINTR) ? -1 : -2;
	message[count] = 0;
	return obey(world, message) != 0;
}

static void *listen_to(void *world)
{
	while (heard((int)(long)world) != -2)
		;
	close((int)(long)world);
	return NULL;
}

static void start(void)
{
	pthread_t thread;
	if (is_started++)
		return;
	for (int i = 0; i < LINES; i++)
		lines[i].driven = -1;
	int world = world_connect("gpio");
	if (world < 0)
		return;
	while (heard(world) > 0)
		;
	if (!pthread_create(&thread, NULL, listen_to, (void *)(long)world))
		pthread_detach(thread);
}

static int device_open(const char *path)
{
	if (!strcmp(path, "/dev/gpiochip0")) {
		start();
		return memfd_create("gpiochip", MFD_CLOEXEC);
	}
	if (!strcmp(path, "/proc/device-tree/system/linux,revision")) {
		int file = memfd_create("revision", MFD_CLOEXEC);
		if (write(file, PI_4B, sizeof PI_4B) != sizeof PI_4B || lseek(file, 0, SEEK_SET))
			return -1;
		return file;
	}
	return -1;
}

static int claim(struct gpio_v2_line_request *wanted)
{
	int ends[2];
	uint64_t values = 0;
	struct request *one = requests;
	reap();
	for (unsigned i = 0; i < wanted->num_lines; i++) {
		if (wanted->offsets[i] >= LINES) {
			errno = EINVAL;
			return -1;
		}
		if (owner(wanted->offsets[i])) {
			errno = EBUSY;
			return -1;
		}
	}
	while (one < requests + REQUESTS && one->is_used)
		one++;
	if (one == requests + REQUESTS || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends)) {
		errno = ENOMEM;
		return -1;
	}
	for (unsigned i = 0; i < wanted->config.num_attrs; i++)
		if (wanted->config.attrs[i].attr.id == GPIO_V2_LINE_ATTR_ID_OUTPUT_VALUES)
			values = wanted->config.attrs[i].attr.values;
	*one = (struct request){ .is_used = 1, .fd = ends[0], .peer = ends[1], .count = wanted->num_lines,
				 .flags = wanted->config.flags };
	memcpy(one->who, wanted->consumer, sizeof one->who - 1);
	for (int i = 0; i < one->count; i++) {
		struct line *line = &lines[one->offsets[i] = wanted->offsets[i]];
		line->is_output = !!(one->flags & GPIO_V2_LINE_FLAG_OUTPUT);
		line->output = 0;
		line->high_since = 0;
		if (line->is_output)
			put_out(line, values >> i & 1);
		/* Without a requested bias, the pad keeps its own. */
		if (one->flags & GPIO_V2_LINE_FLAG_BIAS_PULL_UP)
			line->pull = 1;
		if (one->flags & GPIO_V2_LINE_FLAG_BIAS_PULL_DOWN)
			line->pull = -1;
		if (one->flags & GPIO_V2_LINE_FLAG_BIAS_DISABLED)
			line->pull = 0;
	}
	return one->fd;
}

static void describe(struct gpio_v2_line_info *info)
{
	unsigned offset = info->offset;
	struct request *one;
	memset(info, 0, sizeof *info);
	info->offset = offset;
	snprintf(info->name, sizeof info->name, "GPIO%u", offset);
	reap();
	info->flags = lines[offset].is_output ? GPIO_V2_LINE_FLAG_OUTPUT : GPIO_V2_LINE_FLAG_INPUT;
	if (lines[offset].pull)
		info->flags |= lines[offset].pull > 0 ? GPIO_V2_LINE_FLAG_BIAS_PULL_UP : GPIO_V2_LINE_FLAG_BIAS_PULL_DOWN;
	if ((one = owner(offset))) {
		info->flags |= GPIO_V2_LINE_FLAG_USED;
		memcpy(info->consumer, one->who, sizeof info->consumer);
	}
}

static int answered(int fd, unsigned request, void *argument)
{
	struct request *one = request_of(fd);
	struct gpio_v2_line_values *values = argument;
	switch (request) {
	case GPIO_GET_CHIPINFO_IOCTL: {
		struct gpiochip_info *info = argument;
		*info = (struct gpiochip_info){ "gpiochip0", "pinctrl-bcm2711", LINES };
		return 0;
	}
	case GPIO_V2_GET_LINEINFO_IOCTL:
		if (((struct gpio_v2_line_info *)argument)->offset >= LINES)
			break;
		describe(argument);
		return 0;
	case GPIO_V2_GET_LINE_IOCTL: {
		struct gpio_v2_line_request *wanted = argument;
		wanted->fd = claim(wanted);
		return wanted->fd < 0 ? -1 : 0;
	}
	case GPIO_V2_LINE_GET_VALUES_IOCTL:
		if (!one)
			break;
		values->bits = 0;
		for (int i = 0; i < one->count; i++)
			if (values->mask >> i & 1)
				values->bits |= (uint64_t)level(&lines[one->offsets[i]]) << i;
		return 0;
	case GPIO_V2_LINE_SET_VALUES_IOCTL:
		if (!one)
			break;
		for (int i = 0; i < one->count; i++)
			if (values->mask >> i & 1)
				put_out(&lines[one->offsets[i]], values->bits >> i & 1);
		return 0;
	}
	errno = EINVAL;
	return -1;
}

static int device_ioctl(int fd, unsigned request, void *argument)
{
	if ((request >> 8 & 0xff) != 0xB4) /* the number of linux/gpio.h */
		return -2;
	pthread_mutex_lock(&guard);
	int answer = answered(fd, request, argument);
	pthread_mutex_unlock(&guard);
	return answer;
}
