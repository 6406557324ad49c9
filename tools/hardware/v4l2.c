/* Emulates USB webcams: each folder videoN in $CANTSTOP_WEBCAMS is one, and its files control it.
 *
 * OpenCV's real V4L2 code runs on it. The folder is the device's path, so it lies below /dev/shm, where programs take it
 * for a device.
 *   WIDTHxHEIGHT.jpg   the picture in this size; both 1280x720 and 640x480 are offered
 *   raw                if it exists, the camera cannot compress: YUYV with 10 frames a second in the large size
 *   busy               if it exists, another program streams
 *   stalled            while it exists, no frame comes
 *   controls           what was set: a line "ID VALUE" for each
 * A camera whose folder was removed is unplugged.
 */
#include "world.h"
#include <errno.h>
#include <linux/videodev2.h>
#include <stdint.h>
#include <sys/stat.h>
#include <time.h>

#define BUFFERS 4
#define BUFFER_BYTES (1280 * 720 * 2)

static struct {
	int fd, width, height, is_jpeg, is_queued[BUFFERS];
	ino_t file;
	char folder[400];
} camera;

static int has(const char *name)
{
	char path[512];
	snprintf(path, sizeof path, "%s/%s", camera.folder, name);
	return !access(path, F_OK);
}

static int fails(int error)
{
	errno = error;
	return -1;
}

static int device_open(const char *path)
{
	const char *folder = getenv("CANTSTOP_WEBCAMS");
	struct stat file;
	if (!folder || strncmp(path, folder, strlen(folder)) || strncmp(path + strlen(folder), "/video", 6) ||
	    strchr(path + strlen(folder) + 1, '/') || stat(path, &file))
		return -1;
	camera.fd = memfd_create("video", MFD_CLOEXEC);
	if (camera.fd < 0 || ftruncate(camera.fd, (off_t)BUFFERS * BUFFER_BYTES) || fstat(camera.fd, &file))
		return -1;
	camera.file = file.st_ino;
	camera.width = 640;
	camera.height = 480;
	camera.is_jpeg = 0;
	snprintf(camera.folder, sizeof camera.folder, "%s", path);
	return camera.fd;
}

static int rate(void)
{
	return camera.is_jpeg || camera.width < 1280 ? 30 : 10;
}

static int set_format(struct v4l2_pix_format *format)
{
	if (has("busy"))
		return fails(EBUSY);
	camera.is_jpeg = format->pixelformat == V4L2_PIX_FMT_MJPEG && !has("raw");
	camera.width = format->width >= 1280 ? 1280 : 640;
	camera.height = camera.width == 1280 ? 720 : 480;
	return 0;
}

static void tell_format(struct v4l2_pix_format *format)
{
	memset(format, 0, sizeof *format);
	format->width = camera.width;
	format->height = camera.height;
	format->pixelformat = camera.is_jpeg ? V4L2_PIX_FMT_MJPEG : V4L2_PIX_FMT_YUYV;
	format->field = V4L2_FIELD_NONE;
	format->bytesperline = camera.is_jpeg ? 0 : 2 * camera.width;
	format->sizeimage = camera.is_jpeg ? BUFFER_BYTES : 2 * camera.width * camera.height;
}

static int taken(struct v4l2_buffer *buffer)
{
	static uint8_t picture[BUFFER_BYTES];
	struct timespec pause = { .tv_nsec = 1000000000 / rate() };
	char path[512];
	int index = 0, tries = 0;
	nanosleep(&pause, NULL);
	while (has("stalled") && tries++ < 300)
		nanosleep(&pause, NULL);
	if (access(camera.folder, F_OK))
		return fails(ENODEV);
	while (index < BUFFERS && !camera.is_queued[index])
		index++;
	if (index == BUFFERS || has("stalled"))
		return fails(EAGAIN);
	size_t bytes = 2 * (size_t)camera.width * camera.height;
	if (camera.is_jpeg) {
		snprintf(path, sizeof path, "%s/%dx%d.jpg", camera.folder, camera.width, camera.height);
		FILE *file = fopen(path, "rb");
		if (!file)
			return fails(EIO);
		bytes = fread(picture, 1, sizeof picture, file);
		fclose(file);
	} else {
		for (size_t i = 0; i < bytes; i++)
			picture[i] = i % 2 ? 128 : 90 + rand() % 20;
	}
	if (pwrite(camera.fd, picture, bytes, (off_t)index * BUFFER_BYTES) != (ssize_t)bytes)
		return fails(EIO);
	camera.is_queued[index] = 0;
	buffer->index = index;
	buffer->bytesused = bytes;
	buffer->length = BUFFER_BYTES;
	buffer->flags = V4L2_BUF_FLAG_DONE;
	return 0;
}

static int set_control(const struct v4l2_control *control)
{
	char path[512];
	snprintf(path, sizeof path, "%s/controls", camera.folder);
	FILE *file = fopen(path, "a");
	if (!file)
		return fails(EIO);
	fprintf(file, "%u %d\n", control->id, control->value);
	fclose(file);
	return 0;
}

static int device_ioctl(int fd, unsigned request, void *argument)
{
	struct stat now;
	if (!camera.file || fd != camera.fd || fstat(fd, &now) || now.st_ino != camera.file)
		return -2;
	if (access(camera.folder, F_OK))
		return fails(ENODEV);
	struct v4l2_capability *capability = argument;
	struct v4l2_format *format = argument;
	struct v4l2_streamparm *parameters = argument;
	struct v4l2_requestbuffers *buffers = argument;
	struct v4l2_buffer *buffer = argument;
	struct v4l2_queryctrl *query = argument;
	switch (request) {
	case (unsigned)VIDIOC_QUERYCAP:
		memset(capability, 0, sizeof *capability);
		strcpy((char *)capability->driver, "uvcvideo");
		capability->device_caps = V4L2_CAP_VIDEO_CAPTURE | V4L2_CAP_STREAMING;
		capability->capabilities = capability->device_caps | V4L2_CAP_DEVICE_CAPS;
		return 0;
	case (unsigned)VIDIOC_S_FMT:
		if (set_format(&format->fmt.pix))
			return -1;
		/* fall through */
	case (unsigned)VIDIOC_G_FMT:
		tell_format(&format->fmt.pix);
		return 0;
	case (unsigned)VIDIOC_S_PARM:
	case (unsigned)VIDIOC_G_PARM:
		parameters->parm.capture.capability = V4L2_CAP_TIMEPERFRAME;
		parameters->parm.capture.timeperframe = (struct v4l2_fract){ 1, rate() };
		return 0;
	case (unsigned)VIDIOC_REQBUFS:
		if (has("busy"))
			return fails(EBUSY);
		memset(camera.is_queued, 0, sizeof camera.is_queued);
		if (buffers->count > BUFFERS)
			buffers->count = BUFFERS;
		return 0;
	case (unsigned)VIDIOC_QUERYBUF:
		if (buffer->index >= BUFFERS)
			return fails(EINVAL);
		buffer->length = BUFFER_BYTES;
		buffer->m.offset = buffer->index * BUFFER_BYTES;
		return 0;
	case (unsigned)VIDIOC_QBUF:
		camera.is_queued[buffer->index % BUFFERS] = 1;
		return 0;
	case (unsigned)VIDIOC_DQBUF:
		return taken(buffer);
	case (unsigned)VIDIOC_QUERYCTRL:
		query->minimum = 0;
		query->maximum = 3;
		query->step = 1;
		query->flags = 0;
		query->type = V4L2_CTRL_TYPE_INTEGER;
		return 0;
	case (unsigned)VIDIOC_S_CTRL:
		return set_control(argument);
	case (unsigned)VIDIOC_STREAMON:
	case (unsigned)VIDIOC_STREAMOFF:
		return 0;
	}
	return fails(EINVAL);
}
