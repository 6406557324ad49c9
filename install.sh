#!/bin/sh
# Installs, updates, rolls back or removes the Can't Stop box on a Raspberry Pi: sudo ./install.sh --help
#
# Each step first looks whether its work is done already, so that a second run changes nothing. A version lies in a
# folder of its own, /opt/cantstop/releases/VERSION, and /opt/cantstop/current is a link to the one that runs: an update
# is made and tried beside the running box, switched by renaming one link, and taken back in the same way.
# The steps themselves: tools/install/*.sh.
set -eu
# The box's user must be able to read what root installs, whatever root's umask.
umask 022

here=$(cd "$(dirname "$0")" && pwd)
# Everything is written below this folder: "" on a Pi, another one in tests and image builders.
root=${CANTSTOP_ROOT:-}
opt=$root/opt/cantstop
releases=$opt/releases
state=$root/var/lib/cantstop
settings=$root/etc/cantstop/config.toml
units=$root/etc/systemd/system
rule=$root/etc/polkit-1/rules.d/50-cantstop.rules
log=$root/var/log/cantstop-install.log

# shellcheck source=tools/install/steps.sh
. "$here/tools/install/steps.sh"
# shellcheck source=tools/install/system.sh
. "$here/tools/install/system.sh"
# shellcheck source=tools/install/release.sh
. "$here/tools/install/release.sh"

usage() {
    cat <<END
sudo ./install.sh [OPTION...]   installs the Can't Stop box from this folder, or updates it

  --update      fetch the newest version first: git pull in a clone, else the newest release
  --dry-run     print the steps without performing them
  --now         do not wait for a game in progress to end; it continues afterwards
  --wait        wait for the end of a game in progress, or of another run, instead of stopping; at most 12 hours each
  --rollback    return to the previous version
  --uninstall   remove the program; keep games, settings and the user
  --purge       like --uninstall, but also remove games, settings and the user
  --container   for a container or a file tree: skip the board check, I2C, and packages that apt does not offer
  --anyway      continue on a board or system that is not supported
  --card        for the first start of a prepared card: exit with status 4 if the Pi has to restart first
  --help        print this text

It installs picamera2, lgpio and numpy with apt and the rest into its own environment in /opt/cantstop. It turns on I2C,
and SPI if the display needs it, creates the user cantstop, keeps an existing /etc/cantstop/config.toml, and starts the
services cantstop and cantstop-page. The details of each run are in /var/log/cantstop-install.log.
END
}

action=install
dry_run=
now=
wait=
container=
anyway=
fetch=
purge=
card=
for option; do
    case $option in
        --update) fetch=yes ;;
        --dry-run) dry_run=yes ;;
        --now) now=yes ;;
        --wait) wait=yes ;;
        --rollback) action=rollback ;;
        --uninstall) action=uninstall ;;
        --purge) action=uninstall purge=yes ;;
        --container) container=yes ;;
        --anyway) anyway=yes ;;
        --card) card=yes ;;
        --help | -h) usage && exit 0 ;;
        *) refuse "unknown option $option. For a list of options: ./install.sh --help" ;;
    esac
done

install_box() {
    check_system
    if [ -n "$fetch" ]; then
        progress download
        fetch_newest
        # The newest version has its own installer.
        exec sh "$here/install.sh" ${dry_run:+--dry-run} ${now:+--now} ${wait:+--wait} ${container:+--container} ${anyway:+--anyway}
    fi
    version=$(version_here)
    release=$releases/$version
    say "Can't Stop box $version"
    check_space
    if [ -z "$container" ]; then
        progress display
        step "I2C is on" i2c_is_on turn_i2c_on
        step "I2C runs at 400 kHz, so that the display follows at once" i2c_is_fast make_i2c_fast
        if [ -n "$card" ] && needs_reboot; then exit 4; fi
    fi
    progress packages
    step "apt's packages: $required $of_the_pi" packages_are_there take_packages
    tell_what_apt_lacks
    progress user
    step "user cantstop in the groups gpio, i2c, spi and video" user_is_there make_user
    step "the box's menu may switch the Pi off, change the version and the Wi-Fi" menu_may allow_menu
    progress program
    step "environment $release (5 minutes on a Pi 4, 20 on a Zero 2 W)" release_is_sound make_release
    progress settings
    step "settings $settings" settings_are_there write_settings
    check_settings
    ! wants_spi || step "SPI is on" spi_is_on turn_spi_on
    ! wants_voice || step "the voice: espeak-ng" voice_is_there take_voice
    progress start
    switch_guarded
    step "no versions but this one and the one before" releases_are_few remove_old_releases
    summary
}

need_root
lock_installer "$action"
case $action in
    install) install_box ;;
    rollback) rollback ;;
    uninstall) uninstall ;;
esac
