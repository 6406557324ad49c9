# shellcheck shell=sh
# shellcheck disable=SC2154 # root, log, dry_run and the like are install.sh's
# The system's part: checks, apt's packages, the user, I2C.

needed_kb=900000

# Ends, or only warns, if a requirement is not met.
unfit() {
    if [ -n "$anyway" ]; then
        say "  careful $1 Continuing because of --anyway."
    else
        refuse "$1"
    fi
}

check_system() {
    [ -r "$root/etc/os-release" ] && command -v dpkg >/dev/null && command -v apt-get >/dev/null ||
        refuse "this is not a Debian system. The box runs on Raspberry Pi OS, 64-bit, Bookworm or Trixie. On another computer: make play"
    # shellcheck disable=SC1091
    system=$(. "$root/etc/os-release" && printf '%s %s' "${ID:-}" "${VERSION_CODENAME:-}")
    case $system in
        "debian bookworm" | "debian trixie") ;;
        raspbian*) unfit "this is the 32-bit Raspberry Pi OS. Put the 64-bit one on the card (Raspberry Pi Imager)." ;;
        *) unfit "this system ($system) is not Raspberry Pi OS Bookworm or Trixie. Put one of these on the card." ;;
    esac
    architecture=$(dpkg --print-architecture)
    [ "$architecture" = arm64 ] || [ -n "$container" ] ||
        unfit "this system is $architecture, not arm64. Put the 64-bit Raspberry Pi OS on the card (Raspberry Pi Imager)."
    [ -n "$container" ] || check_board
}

check_board() {
    model=
    if [ -r "$root/proc/device-tree/model" ]; then
        model=$(tr -d '\0' <"$root/proc/device-tree/model")
    fi
    case $model in
        "Raspberry Pi"*) say "  fine    $model" ;;
        *) unfit "this is ${model:-a computer without a device tree}, not a Raspberry Pi. Without the box's hardware: make play" ;;
    esac
}

check_space() {
    place=$opt
    while [ ! -d "$place" ]; do place=$(dirname "$place"); done
    free_kb=$(df -Pk "$place" | awk 'NR == 2 { print $4 }')
    [ "$free_kb" -ge "$needed_kb" ] || release_is_sound ||
        refuse "only $((free_kb / 1000)) MB are free at $place; the box needs $((needed_kb / 1000)) MB. Free some space first: sudo apt clean"
}

# --- apt

# picamera2 only from apt: it must match the system's libcamera. Its numpy is the one that it was built for.
required="python3-venv python3-numpy polkitd"
of_the_pi="python3-picamera2 python3-lgpio"

is_installed() { dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null | grep -qx installed; }
is_known() { apt-cache policy "$1" 2>/dev/null | grep -q 'Candidate: [^(]'; }

packages_wanted() {
    wanted=$required
    for package in $of_the_pi; do
        if [ -z "$container" ] || is_installed "$package" || is_known "$package"; then
            wanted="$wanted $package"
        fi
    done
    printf '%s' "$wanted"
}

packages_are_there() {
    for package in $(packages_wanted); do
        is_installed "$package" || return 1
    done
}

apt_install() {
    logged env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=600 install -qy --no-install-recommends \
        --fix-broken "$@" || fail "apt could not install its packages. Is the Pi online, and is there free space?"
}

# Packages that a power cut has left half unpacked; neither dpkg nor apt repairs them without a request.
torn_packages() { dpkg-query -W -f '${db:Status-Eflag} ${binary:Package}\n' | sed -n 's/^reinstreq //p'; }

take_packages() {
    # Packages that a power cut has left unpacked, except for damaged ones, which dpkg rejects.
    logged env DEBIAN_FRONTEND=noninteractive dpkg --configure -a || :
    # Without --error-on=any apt succeeds even if no server was reached. An archive that the box does not need may fail.
    updated=yes
    logged apt-get -o DPkg::Lock::Timeout=600 --error-on=any update || updated=
    for package in $(packages_wanted); do
        is_known "$package" || [ -n "$updated" ] || fail "apt could not update its package lists. Is the Pi online?"
        is_known "$package" || fail "apt cannot find $package. It is part of Raspberry Pi OS: is archive.raspberrypi.com missing from /etc/apt?"
    done
    # shellcheck disable=SC2046 # a list of words
    [ -z "$(torn_packages)" ] || apt_install --reinstall $(torn_packages)
    # shellcheck disable=SC2046 # a list of words
    apt_install $(packages_wanted)
}

# A Pi has them all, or the step has failed.
tell_what_apt_lacks() {
    [ -n "$container" ] || return 0
    for package in $of_the_pi; do
        is_installed "$package" || say "  without $package: apt does not offer it here"
    done
}

# --- the user

user_is_there() {
    for group in gpio i2c spi video; do
        id -nG cantstop 2>/dev/null | tr ' ' '\n' | grep -qx "$group" || return 1
    done
}

make_user() {
    for group in gpio i2c spi video; do
        getent group "$group" >/dev/null || logged groupadd --system "$group" || return 1
    done
    id -u cantstop >/dev/null 2>&1 ||
        logged useradd --system --user-group --home-dir /var/lib/cantstop --no-create-home \
            --shell /usr/sbin/nologin cantstop || return 1
    logged usermod --append --groups gpio,i2c,spi,video cantstop
}

# --- what the box's menu may ask systemd for

menu_may() { cmp -s "$here/tools/install/${rule##*/}" "$rule"; }
allow_menu() { mkdir -p "$(dirname "$rule")" && cp "$here/tools/install/${rule##*/}" "$rule" && chmod 644 "$rule"; }

# --- I2C

firmware=$root/boot/firmware/config.txt
i2c_mark="# the Can't Stop box: a picture of the display in 23 ms instead of 93"

i2c_is_on() { [ "$(raspi-config nonint get_i2c 2>/dev/null)" = 0 ]; }

turn_i2c_on() {
    command -v raspi-config >/dev/null ||
        fail "raspi-config is missing. Is this Raspberry Pi OS? To continue without it, turn on I2C yourself and use --container"
    # It changes the firmware's settings and /etc/modules; the former alone would not create /dev/i2c-1.
    logged raspi-config nonint do_i2c 0
}

# An existing speed setting is kept.
i2c_is_fast() { grep -Eqs '^[[:space:]]*dtparam=.*i2c(_arm)?_baudrate=' "$firmware"; }

make_i2c_fast() {
    [ -f "$firmware" ] || fail "$firmware is missing. Is the card's first partition mounted?"
    # [all]: the file may end with lines for one model only.
    new_firmware=$firmware.cantstop
    { cat "$firmware" && printf '\n[all]\n%s\ndtparam=i2c_arm_baudrate=400000\n' "$i2c_mark"; } >"$new_firmware" &&
        sync && mv "$new_firmware" "$firmware" && : >"$root/run/cantstop-needs-reboot"
}

restore_i2c() {
    [ -f "$firmware" ] || return 0
    grep -Fqx "$i2c_mark" "$firmware" || return 0
    awk -v mark="$i2c_mark" '
        { line[NR] = $0 }
        END {
            for (i = 1; i <= NR; i++) if (line[i] == mark) {
                gone[i] = 1
                if (line[i + 1] == "dtparam=i2c_arm_baudrate=400000") gone[i + 1] = 1
                if (line[i - 1] == "[all]") gone[i - 1] = 1
                if (line[i - 1] == "[all]" && line[i - 2] == "") gone[i - 2] = 1
            }
            for (i = 1; i <= NR; i++) if (!(i in gone)) print line[i]
        }' "$firmware" >"$firmware.cantstop" && sync && mv "$firmware.cantstop" "$firmware"
}

# --- SPI, for a display that the settings place there

wants_spi() {
    [ -z "$container" ] && [ -x "$release/bin/cantstop" ] &&
        "$release/bin/cantstop" config show "$settings" 2>/dev/null | grep -qx 'interface = "spi"'
}
spi_is_on() { [ "$(raspi-config nonint get_spi 2>/dev/null)" = 0 ]; }
turn_spi_on() { logged raspi-config nonint do_spi 0; }

# --- the voice, for a box that speaks

wants_voice() {
    [ -z "$container" ] && [ -x "$release/bin/cantstop" ] &&
        "$release/bin/cantstop" config show "$settings" 2>/dev/null |
        sed -n '/^\[speech\]/,/^\[[^s]/p' | grep -qx 'enabled = true'
}
voice_is_there() { is_installed espeak-ng; }
take_voice() {
    logged apt-get -o DPkg::Lock::Timeout=600 update || :
    apt_install espeak-ng
}

# /run is cleared at each start, like the Pi's need for one.
needs_reboot() {
    [ -z "$container" ] && { [ -e "$root/run/cantstop-needs-reboot" ] || [ ! -e "$root/dev/i2c-1" ]; }
}
