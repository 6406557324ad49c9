/* Emulates /dev/i2c-N and /dev/spidev0.N: every write goes to the bench, which simulates the displays on the bus.
 *
 * The real smbus2 and luma run on it. Each message becomes one message to the socket $CANTSTOP_BENCH/i2c-N or spidev0.N:
 * <address: 1 byte, 0 on SPI> <data>; the answer is <errno: 1 byte>, 0 if the display acknowledged all of it.
 * The device exists if there is such a socket, or a file with that name (a bus without devices).
 */
#include "world.h"
#include <errno.h>
#include <linux/i2c-dev.h>
#include <linux/i2c.h>
#include <linux/spi/spidev.h>
#include <stdint.h>
#include <sys/stat.h>

#define OPEN_AT_ONCE 16
#define LONGEST 8192

/* Our descriptors. Numbers are reused after closing, so each is also identified by its file. */
static struct {
	int fd, address, world;
	char name[16];
	ino_t file;
} opened[OPEN_AT_ONCE];

static int is_open(int i)
{
	struct stat now;
	return opened[i].file && !fstat(opened[i].fd, &now) && now.st_ino == opened[i].file;
}

static int device_open(const char *path)
{
	const char *folder = getenv("CANTSTOP_BENCH");
	char socket_path[512];
	int port, end = 0;
	if (!folder || ((sscanf(path, "/dev/i2c-%d%n", &port, &end) != 1 || path[end]) &&
			(sscanf(path, "/dev/spidev0.%d%n", &port, &end) != 1 || path[end])))
		return -1;
	snprintf(socket_path, sizeof socket_path, "%s/%s", folder, path + 5);
	if (access(socket_path, F_OK))
		return -1;
	for (int i = 0; i < OPEN_AT_ONCE; i++) {
		struct stat file;
		if (is_open(i))
			continue;
		if (opened[i].world > 0)
			close(opened[i].world);
		int fd = memfd_create("bus", MFD_CLOEXEC);
		if (fd < 0 || fstat(fd, &file))
			return -1;
		opened[i].fd = fd;
		opened[i].file = file.st_ino;
		opened[i].address = 0;
		snprintf(opened[i].name, sizeof opened[i].name, "%s", path + 5);
		opened[i].world = 0;
		return fd;
	}
	errno = EMFILE;
	return -1;
}

/* Write one message to an address: return 0, or -1 with errno as the kernel's driver sets it. */
static int written(int i, int address, const uint8_t *bytes, int count)
{
	uint8_t message[1 + LONGEST], answer = EREMOTEIO;
	if (count > LONGEST) {
		errno = EINVAL;
		return -1;
	}
	message[0] = address;
	memcpy(message + 1, bytes, count);
	for (int attempt = 0; attempt < 2; attempt++) { /* the bench may have been restarted since */
		if (opened[i].world <= 0)
			opened[i].world = world_connect(opened[i].name);
		if (opened[i].world < 0)
			break;
		if (send(opened[i].world, message, 1 + count, MSG_NOSIGNAL) == 1 + count &&
		    recv(opened[i].world, &answer, 1, 0) == 1)
			break;
		close(opened[i].world);
		opened[i].world = 0;
		answer = EREMOTEIO;
	}
	errno = answer;
	return answer ? -1 : 0;
}

/* Return the number of one of our descriptors, or OPEN_AT_ONCE. */
static int numbered(int fd)
{
	int i = 0;
	while (i < OPEN_AT_ONCE && (opened[i].fd != fd || !is_open(i)))
		i++;
	return i;
}

/* A write to /dev/spidev0.N clocks its bytes out. */
ssize_t write(int fd, const void *bytes, size_t count)
{
	static ssize_t (*real)(int, const void *, size_t);
	int i = numbered(fd);
	if (i < OPEN_AT_ONCE && opened[i].name[0] == 's')
		return written(i, 0, bytes, count) ? -1 : (ssize_t)count;
	if (!real)
		*(void **)&real = dlsym(RTLD_NEXT, "write");
	return real(fd, bytes, count);
}

static int device_ioctl(int fd, unsigned request, void *argument)
{
	int i;
	if ((request & ~0xffu) != 0x700 && request != SPI_IOC_WR_MAX_SPEED_HZ)
		return -2;
	i = numbered(fd);
	if (i == OPEN_AT_ONCE)
		return -2;
	switch (request) {
	case SPI_IOC_WR_MAX_SPEED_HZ:
		return 0;
	case I2C_FUNCS:
		*(unsigned long *)argument = I2C_FUNC_I2C | I2C_FUNC_SMBUS_EMUL;
		return 0;
	case I2C_SLAVE:
	case I2C_SLAVE_FORCE:
		opened[i].address = (int)(long)argument;
		return 0;
	case I2C_SMBUS: {
		struct i2c_smbus_ioctl_data *data = argument;
		uint8_t bytes[2 + I2C_SMBUS_BLOCK_MAX] = { data->command };
		int count = 1;
		if (data->read_write == I2C_SMBUS_WRITE && data->size == I2C_SMBUS_BYTE_DATA) {
			bytes[count++] = data->data->byte;
		} else if (data->read_write == I2C_SMBUS_WRITE && data->size == I2C_SMBUS_I2C_BLOCK_DATA) {
			memcpy(bytes + 1, data->data->block + 1, data->data->block[0]);
			count += data->data->block[0];
		} else {
			break;
		}
		return written(i, opened[i].address, bytes, count);
	}
	case I2C_RDWR: {
		struct i2c_rdwr_ioctl_data *data = argument;
		for (unsigned k = 0; k < data->nmsgs; k++) {
			if (data->msgs[k].flags & I2C_M_RD)
				goto unknown;
			if (written(i, data->msgs[k].addr, data->msgs[k].buf, data->msgs[k].len))
				return -1;
		}
		return data->nmsgs;
	}
	}
unknown:
	errno = EOPNOTSUPP;
	return -1;
}
