"""A tree that starts from a card like Raspberry Pi OS on a Raspberry Pi: cloud-init finds its files on the card.

A raspi-config and a service replace Raspberry Pi's own, which a tree lacks: I2C appears once the card's config.txt says
so. Everything else is real: systemd, cloud-init, apt, pip and the box's own files.
"""

from __future__ import annotations

import shutil
from pathlib import Path

from tools.hardware.boot.tree import BENCH, DROP_IN
from tools.hardware.debs import with_packages_of_a_pi
from tools.hardware.trees import BUILD, CERTIFICATES, Tree, base_tree, copy_of, say

HERE = BUILD / "card-test"
FIRMWARE = "/boot/firmware"

CLOUD = """# As Raspberry Pi OS has it: cloud-init's files are on the card's first partition.
datasource_list: [ NoCloud, None ]
datasource:
  NoCloud:
    seedfrom: file:///boot/firmware
growpart: { mode: "off" }
resize_rootfs: false
"""

RASPI_CONFIG = """#!/bin/sh
# Stands in for Raspberry Pi's: the two calls that the installer makes.
config=/boot/firmware/config.txt
case $* in
    "nonint get_i2c") if grep -q '^dtparam=i2c_arm=on' "$config"; then echo 0; else echo 1; fi ;;
    "nonint do_i2c 0")
        grep -q '^dtparam=i2c_arm=on' "$config" || printf 'dtparam=i2c_arm=on\\n' >>"$config"
        # Without the shim, which would open the bench's bus.
        env -u LD_PRELOAD touch /dev/i2c-1 ;;
    *) echo "no such call here: $*" >&2; exit 1 ;;
esac
"""

I2C = """# Stands in for the firmware and the kernel: /dev/i2c-1 is there where config.txt says so.
[Unit]
DefaultDependencies=no
Before=sysinit.target
[Service]
Type=oneshot
ExecStart=/bin/sh -c 'if grep -q ^dtparam=i2c_arm=on /boot/firmware/config.txt; then : >/dev/i2c-1; fi'
[Install]
WantedBy=sysinit.target
"""

SETUP = f"""# The bench's display in place of a Pi's, this machine's pip cache, and no board to be found.
[Service]
Environment=LD_PRELOAD=/shims/buses.so CANTSTOP_BENCH=/bench
Environment=PIP_CACHE_DIR=/var/cache/pip PIP_CERT={CERTIFICATES}
Environment=CANTSTOP_SETUP_OPTIONS=--anyway
"""

SSHD = """# Raspberry Pi OS has sshd, switched off; Imager's user-data switches it on. This listens to nothing.
[Service]
ExecStart=/bin/sleep infinity
[Install]
WantedBy=multi-user.target
"""

USER_DATA = """#cloud-config
manage_resolv_conf: false

hostname: wohnzimmer
manage_etc_hosts: true
packages:
- avahi-daemon
apt:
  preserve_sources_list: true
  conf: |
    Acquire {
      Check-Date "false";
    };
timezone: Europe/Berlin
user:
  name: anna
  shell: /bin/bash
  lock_passwd: false
  passwd: "$5$salt$Gcm6FsVtF/Qa77ZKD.iwsJlCVPY0XSMgLJL0Hnww/c1"
  ssh_authorized_keys:
    - "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIExampleExampleExampleExampleExampleExampleExam anna"
  sudo: null
ssh_pwauth: true
runcmd:
  - [ systemctl, enable, --now, ssh ]
"""
"""The files in the format of Raspberry Pi Imager 2."""

NETWORK = """network:
  version: 2
  ethernets: {eth0: {dhcp4: true, optional: true}}
  wifis:
    wlan0:
      dhcp4: true
      access-points: {"our wifi": {password: "not so secret"}}
      optional: true
"""
INSTANCE = "rpi-imager-1700000000000"
KERNEL = f"ds=nocloud;i={INSTANCE}"

WRITTEN = {
    "cmdline.txt": f"console=tty1 root=PARTUUID=0 rootfstype=ext4 fsck.repair=yes rootwait resize {KERNEL}\n",
    "config.txt": "# For more options see\ndtparam=audio=on\n",
    "issue.txt": "Raspberry Pi reference 2026-04-13\n",
    "kernel8.img": "",
    "meta-data": f"instance-id: {INSTANCE}\n",
    "user-data": USER_DATA,
    "network-config": NETWORK,
}
"""The boot partition of a card as Raspberry Pi Imager writes it, by name; only the files that matter here."""


def _base() -> Tree:
    """Return the tree that every card starts with, created at the first call."""
    bare = base_tree("trixie", "amd64")
    tree = Tree(HERE / "base", bare.suite, bare.architecture)
    if (tree.folder / ".made").exists() and (tree.folder / "usr/bin/cloud-init").exists():
        return tree
    say("adding cloud-init to a Debian trixie")
    tree = with_packages_of_a_pi(bare, tree.folder)
    tree.do("apt-get", "update")
    packages = ("cloud-init", "netplan.io", "sudo", "openssh-client")
    tree.do("apt-get", "install", "-qy", "--no-install-recommends", *packages)
    return tree


def fresh_tree(card: Path) -> Tree:
    """Return a system that was never started, and write a card as Raspberry Pi Imager does.

    Args:
        card: The folder for the card's boot partition; its previous contents are removed.
    """
    base = _base()
    tree = copy_of(base, HERE / "box")
    files = {
        "etc/cloud/cloud.cfg.d/99_raspberry-pi.cfg": CLOUD,
        "usr/bin/raspi-config": RASPI_CONFIG,
        "etc/systemd/system/i2c-stands-in.service": I2C,
        "etc/systemd/system/ssh.service": SSHD,
        "etc/systemd/system/cantstop-setup.service.d/bench.conf": SETUP,
        str(BENCH): DROP_IN,
        "etc/machine-id": "",
    }
    for name, text in files.items():
        file = tree.folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    (tree.folder / "usr/bin/raspi-config").chmod(0o755)
    tree.do("systemctl", "enable", "i2c-stands-in.service")
    # A booted tree may be in this machine's network, where nothing is to be announced.
    for unit in ("avahi-daemon.service", "avahi-daemon.socket"):
        (tree.folder / "etc/systemd/system" / unit).symlink_to("/dev/null")
    (tree.folder / "etc/hostname").unlink(missing_ok=True)
    shutil.rmtree(tree.folder / "var/lib/cloud", ignore_errors=True)
    (tree.folder / FIRMWARE.lstrip("/")).mkdir(parents=True, exist_ok=True)
    shutil.rmtree(card, ignore_errors=True)
    card.mkdir(parents=True)
    for name, text in WRITTEN.items():
        (card / name).write_text(text)
    return tree
