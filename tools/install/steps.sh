# shellcheck shell=sh
# shellcheck disable=SC2154 # root, log, dry_run and the like are install.sh's
# The installer's output: steps that are fine, done or to be done; long steps with their seconds; errors with a remedy.

changes=0
doing=
undo=:

say() { printf '%s\n' "$*"; }

# Removes control characters from what the box's user has written, before it is shown on root's terminal.
printable() { LC_ALL=C tr -d '\000-\011\013-\037\177'; }

# Ends before anything has begun: this machine or the request is not suitable.
refuse() {
    printf 'install: %s\n' "$*" >&2
    exit 2
}

# Ends in the middle of a step.
fail() {
    if [ -t 1 ]; then printf '\r\033[K'; fi
    printf 'install: %s\n' "$*" >&2
    if [ -n "$doing" ]; then
        if [ -s "$log" ]; then
            printf 'The last lines of %s:\n' "$log" >&2
            tail -n 8 "$log" | printable | sed 's/^/  | /' >&2
        fi
        printf 'It failed at: %s. The earlier steps are done. Fix the cause, then run it again.\n' "$doing" >&2
    fi
    exit 1
}

need_root() {
    [ -n "$dry_run" ] || [ "$(id -u)" -eq 0 ] || refuse "this must run as root: sudo ./install.sh"
}

# Only one run at a time: another one ends here, or waits if the menu has started it. The newest version's installer
# inherits the lock. No other program does, nor may a user open it, or the box's user could hold it forever.
lock_installer() {
    lock=$root/run/cantstop-install.lock
    [ -z "$dry_run" ] || return 0
    (umask 077 && : >>"$lock") || refuse "$lock could not be written"
    [ "$(readlink "/proc/$$/fd/9")" = "$(readlink -f "$lock")" ] || exec 9>>"$lock"
    if ! flock --nonblock 9; then
        say "  waits   another run of the installer: $(cat "$lock")"
        if [ -z "$wait" ] || ! flock --timeout 43200 9; then
            say "Nothing was changed. Run this again once the other has ended, or with --wait."
            exit 3
        fi
    fi
    printf '%s since %s, process %s\n' "$1" "$(date '+%H:%M')" "$$" >"$lock"
}

# What has no terminal shows its progress. The box's menu reads the service's status. The first start of a prepared card
# (tools/install/card/files) may find that there is no use in going on, without a network for example.
progress() {
    [ -z "${NOTIFY_SOCKET:-}" ] || systemd-notify --status="$1" || :
    [ -z "${CANTSTOP_PROGRESS:-}" ] || sh "$CANTSTOP_PROGRESS" step "$1" >/dev/null || fail "stopped before the step $1"
}

# step WHAT IS_SO MAKE_SO: does nothing if IS_SO succeeds.
step() {
    if "$2"; then
        say "  fine    $1"
        return
    fi
    changes=$((changes + 1))
    if [ -n "$dry_run" ]; then
        say "  would   $1"
        return
    fi
    doing=$1
    [ ! -t 1 ] || printf '  ...     %s' "$1"
    "$3" || fail "this step failed"
    [ ! -t 1 ] || printf '\r\033[K'
    doing=
    say "  done    $1"
}

# Runs a command with its output in the log, and shows the elapsed seconds on a terminal.
logged() {
    mkdir -p "$(dirname "$log")"
    printf '%s $ %s\n' "$(date '+%F %T')" "$*" >>"$log"
    "$@" >>"$log" 2>&1 </dev/null 9>&- &
    child=$!
    seconds=0
    while [ -t 1 ] && kill -0 "$child" 2>/dev/null; do
        printf '\r  %3d s   %s' "$seconds" "$doing"
        sleep 1
        seconds=$((seconds + 1))
    done
    status=0
    wait "$child" || status=$?
    child=
    return "$status"
}

interrupted() {
    trap - INT TERM
    [ -z "${child:-}" ] || kill "$child" 2>/dev/null || :
    "$undo"
    printf '\ninstall: interrupted%s. The box that was installed before keeps running. Run it again to continue.\n' "${doing:+ at: $doing}" >&2
    exit 130
}
trap interrupted INT TERM

summary() {
    if [ -n "$dry_run" ]; then
        say "Nothing was changed. $changes of these steps would be performed."
        return
    fi
    if [ "$changes" -eq 0 ]; then
        say "Everything was in place; nothing was changed."
    else
        say "The Can't Stop box $version is installed."
    fi
    if needs_reboot; then
        say "Restart the Pi to turn on I2C: sudo reboot"
    fi
    say "To check camera, display and buttons: sudo cantstop doctor. Settings, also for the wiring: $settings"
}
