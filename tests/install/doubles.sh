#!/bin/sh
# The system around the installer, for its tests: linked under the name of each command that it replaces. What the
# system is in lies in files below $CANTSTOP_ROOT/.world; every call is written to calls. A call that begins with $FAILS
# fails.
world=$CANTSTOP_ROOT/.world
name=${0##*/}
call="$name $*"
printf '%s\n' "$call" >>"$world/calls"
if [ -n "${FAILS:-}" ]; then case $call in "$FAILS"*) echo "double: told to fail" >&2; exit 1 ;; esac; fi
case $name:$(readlink "/proc/$$/fd/9") in
    runuser:*cantstop-install.lock) echo "double: the box's user gets the installer's lock" >&2 && exit 98 ;;
esac
last() { for word; do :; done; printf '%s' "$word"; }
is() { [ -e "$world/$1" ]; }
now() { mkdir -p "$(dirname "$world/$1")" && : >"$world/$1"; }

case $call in
    "id -u") cat "$world/uid" ;;
    "id -u cantstop") is user/cantstop ;;
    "id -nG cantstop") is user/cantstop && ls "$world/member" 2>/dev/null ;;
    "getent group "*) is "group/$2" || exit 1 ;;
    "groupadd "*) now "group/$(last "$@")" ;;
    "useradd "*) now user/cantstop ;;
    "usermod "*) for group in gpio i2c spi video; do is "group/$group" && now "member/$group" || exit 1; done ;;
    "userdel "*) rm -r "$world/user" "$world/member" ;;
    "dpkg --print-architecture") cat "$world/architecture" ;;
    "dpkg --configure -a") ;;
    "dpkg-query "*Status-Eflag*) cat "$world/torn" 2>/dev/null || : ;;
    "apt-get "*--reinstall*) rm "$world/torn" ;;
    "dpkg-query "*) is "installed/$(last "$@")" && printf installed || exit 1 ;;
    "apt-cache policy "*) is updated && ! is "unknown/$2" && printf '%s:\n  Candidate: 1.0\n' "$2" ;;
    "apt-get "*update) if is held; then mv "$world/held" "$world/goes" && cat "$world/goes"; fi && now updated ;;
    "apt-get "*install*)
        shift 5
        for word; do case $word in python3-* | polkitd | espeak-ng) now "installed/$word" ;; esac; done ;;
    "raspi-config nonint get_i2c") if is i2c; then echo 0; else echo 1; fi ;;
    "raspi-config nonint do_i2c 0") now i2c && : >"$CANTSTOP_ROOT/dev/i2c-1" ;;
    "raspi-config nonint get_spi") if is spi; then echo 0; else echo 1; fi ;;
    "raspi-config nonint do_spi 0") now spi ;;
    "systemctl is-enabled "*) is "enabled/$(last "$@")" ;;
    "systemctl is-active "*) is "active/cantstop.service" ;;
    "systemctl enable "*) shift; for unit; do now "enabled/$unit"; done ;;
    "systemctl disable "*) rm -f "$world/enabled/$(last "$@")" "$world/active/$(last "$@")" ;;
    "systemctl restart "*)
        if [ -e "$CANTSTOP_ROOT/opt/cantstop/current/does-not-start" ]; then exit 1; fi
        shift; for unit; do now "active/$unit"; done ;;
    "systemctl stop "*) rm -f "$world/active/$(last "$@")" ;;
    "systemctl daemon-reload") ;;
    "runuser -u "*) shift 3; exec ${AS_THE_BOX:-} "$@" ;;
    "python3 -I -m venv "*)
        release=$(last "$@")
        mkdir -p "$release/bin"
        ln -s "$world/bin/python3" "$release/bin/python"
        ln -s "$world/bin/python3" "$release/bin/cantstop" ;;
    "python3 -I -c "*) if is python; then cat "$world/python"; else echo 3.11; fi ;;
    "python -I -m pip install "*)
        case $call in *--requirement*) cp "$(last "$@")" "$world/requirements" ;; esac
        if is pip-takes-another-numpy; then : >"${0%/*}/../another-numpy"; fi ;;
    "python -I "*check.py*) if [ -e "${0%/*}/../another-numpy" ]; then echo "numpy.dtype size changed"; exit 1; fi ;;
    "cantstop config show --defaults")
        printf '# the settings\n[lamp]\nenabled = %s\n' "$(cat "${0%/*}/../default" 2>/dev/null || echo true)" ;;
    "cantstop config show "*)
        if grep -q '^kind = "waveshare-1.3"' "$3"; then echo 'interface = "spi"'; fi
        if grep -q '^kind = "none"' "$3"; then speaks=true; else speaks=false; fi
        printf '[lamp]\nenabled = true\n[speech]\nenabled = %s\n[web]\nenabled = true\n' "$speaks" ;;
    "cantstop config check "*) if is bad-settings; then echo "config.toml line 3: no" >&2; exit 1; fi ;;
    "cantstop games --unfinished") is under-way && cat "$world/under-way" ;;
    "cantstop games") ! is "cannot-read/$(basename "$(cd "${0%/*}/.." && pwd -P)")" ;;
    "git -C "*) cp "$world/newer.py" "$2/engine/__init__.py" ;;
    "sleep 30") rm -f "$world/under-way" ;;
    *) echo "double: what is to become of: $call" >&2; exit 99 ;;
esac
