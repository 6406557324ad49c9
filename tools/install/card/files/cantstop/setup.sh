#!/bin/sh
# Sets up the box from its card, once: docs/install.md. Each step may be cut off by a power cut and is done again.
#   begin       by cloud-init, early at each start: starts the service that sets up, unless that is done
#   install     by that service
#   step NAME   by install.sh, at the beginning of each of its steps
#
# The texts and pictures are in screens/, by name; `make card` puts them there.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
card=$(dirname "$here")
# "" on a Pi; the tests set a folder.
root=${CANTSTOP_ROOT:-}
state=$root/var/lib/cantstop-setup
log=$root/var/log/cantstop-setup.log
current=$root/run/cantstop-setup.step
units=$root/run/systemd/system
display=$root/dev/i2c-1

begin() {
    [ ! -e "$state/done" ] || return 0
    mkdir -p "$units"
    install -m 644 "$here/cantstop-setup.service" "$units/cantstop-setup.service"
    systemctl daemon-reload
    # The service waits for the network, which is not up yet: waiting for it here would never end.
    systemctl start --no-block cantstop-setup.service
}

words() { cat "$here/screens/$1.txt"; }

# Writes a text to the log and, if there is a display and a picture for it, shows that on the OLED.
tell() {
    printf '%s %s\n' "$(date '+%F %T')" "$(words "$1")" >>"$log"
    words "$1"
    [ ! -e "$display" ] || [ ! -e "$here/screens/$1.oled" ] ||
        timeout 10 python3 "$here/oled.py" "$here/screens/$1.oled" || :
}

# Also stores it on the card, for a computer with that card. The file is never incomplete there, and a card that cannot
# be written does not end anything.
tell_card() {
    {
        words "$1"
        if [ -n "${2:-}" ]; then printf '\n%s\n' "$2"; fi
    } | sed 's/$/\r/' >"$card/cantstop.new" || return 0
    sync
    mv "$card/cantstop.new" "$card/cantstop.txt" || return 0
    sync
}

# give_up NAME STATUS [DETAILS]
give_up() {
    # Without I2C the OLED could not show it. This works at once, and install.sh does the same later.
    [ -e "$display" ] || ! command -v raspi-config >/dev/null || raspi-config nonint do_i2c 0 >>"$log" 2>&1 || :
    tell "$1"
    tell_card "$1" "${3:-}"
    exit "$2"
}

# A default route, of IPv4 or IPv6.
has_network() {
    grep -q '^[^[:space:]]*[[:space:]]00000000[[:space:]]' "$root/proc/net/route" ||
        awk '$1 ~ /^0+$/ && $2 == "00" && $NF != "lo" { found = 1 } END { exit !found }' "$root/proc/net/ipv6_route" 2>/dev/null
}

# Until NTP has answered, a Pi's clock is wrong, and certificates and apt's lists seem to be invalid.
has_time() {
    [ -e "$root/run/systemd/timesync/synchronized" ] || ! systemctl --quiet is-active systemd-timesyncd.service
}

wait_for() { # COMMAND SECONDS
    waited=0
    until "$1" || [ "$waited" -ge "$2" ]; do
        sleep 1
        waited=$((waited + 1))
    done
}

step() {
    printf '%s\n' "$1" >"$current"
    tell "$1"
    if [ "$1" = packages ]; then
        wait_for has_network 60
        has_network || return 1 # apt would try for many minutes
        wait_for has_time 60
    fi
}

unpack() {
    rm -rf "$state/source" "$state/unpacking"
    mkdir -p "$state/unpacking"
    tar -xzf "$here/box.tar.gz" --strip-components=1 --no-same-owner -C "$state/unpacking" 2>>"$log" || return 1
    sync
    mv "$state/unpacking" "$state/source"
}

install_box() {
    mkdir -p "$state"
    [ -e "$card/cantstop.txt" ] || tell_card begun
    step check
    (cd "$here" && sha256sum --check --status SHA256SUMS) || give_up damaged 65
    unpack || give_up no-room 65
    # After the one restart it continues in any case: a display that still does not respond must not stop it.
    option=--card
    [ ! -e "$state/restarted" ] || option=
    # Settings that were written onto the card, such as the board.
    [ ! -e "$here/settings.txt" ] || [ -e "$root/etc/cantstop/config.toml" ] ||
        install -D -m 644 "$here/settings.txt" "$root/etc/cantstop/config.toml"
    status=0
    # shellcheck disable=SC2086 # options of the tests' tree, which is no Pi; none on a Pi
    CANTSTOP_PROGRESS=$here/setup.sh sh "$state/source/install.sh" $option ${CANTSTOP_SETUP_OPTIONS:-} \
        >"$state/said" 2>&1 || status=$?
    cat "$state/said" >>"$log"
    case $status in
        0) ;;
        4)
            tell restarting
            : >"$state/restarted"
            sync
            systemctl --no-block reboot
            return 0
            ;;
        2) give_up refused 65 "$(tail -n 1 "$state/said")" ;;
        *)
            details=$(tail -n 20 "$state/said")
            case $(cat "$current") in packages | program) has_network || give_up no-network 1 ;; esac
            ! grep -q '^install: \(apt\|pip\) could not' "$state/said" || give_up no-packages 1 "$details"
            give_up failed 1 "$details"
            ;;
    esac
    # Only now that all of it is on the card.
    rm -rf "$state/source" "$state/said"
    sync
    : >"$state/done"
    tell installed
    tell_card installed
}

case ${1:-} in
    begin) begin ;;
    install) install_box ;;
    step) step "$2" ;;
    *) sed -n '2,5s/^# *//p' "$0" >&2 && exit 64 ;;
esac
