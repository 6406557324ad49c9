/* Emulates /dev/udmabuf and /dev/dma_heap/ with memfds, for kernels without CONFIG_UDMABUF and CONFIG_DMABUF_HEAPS, so that
 * libcamera's virtual pipeline and Picamera2's allocator run unchanged.
 */
#include "world.h"
#include <linux/dma-buf.h>
#include <linux/dma-heap.h>
#include <linux/udmabuf.h>

static int device_open(const char *path)
{
	return !strcmp(path, "/dev/udmabuf") || !strncmp(path, "/dev/dma_heap/", 14) ? memfd_create("dmabuf", MFD_CLOEXEC) : -1;
}

static int device_ioctl(int fd, unsigned request, void *argument)
{
	(void)fd;
	(void)world_connect; /* the bench is not involved */
	if (request == UDMABUF_CREATE)
		return fcntl(((struct udmabuf_create *)argument)->memfd, F_DUPFD_CLOEXEC, 0);
	if (request == DMA_HEAP_IOCTL_ALLOC) {
		struct dma_heap_allocation_data *wanted = argument;
		int memory = memfd_create("dma-heap", MFD_CLOEXEC);
		if (memory < 0 || ftruncate(memory, (wanted->len + 4095) & ~4095ull))
			return -1;
		wanted->fd = memory;
		return 0;
	}
	/* Memory of one process needs no synchronisation; its name is ignored. */
	if (request == DMA_BUF_IOCTL_SYNC || (request & 0xffff) == (('b' << 8) | 1))
		return 0;
	return -2;
}
