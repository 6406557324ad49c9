# shellcheck shell=sh
# shellcheck disable=SC2154 # root, log, dry_run and the like are install.sh's
# Versions: each has a folder with its environment, its units and its installer; a link selects the one that runs.

# What is installed on the box. Of tools/install, only what it runs: the rest creates cards and releases.
parts="engine vision device systemd install.sh pyproject.toml README.md LICENSE
tools/install/steps.sh tools/install/system.sh tools/install/release.sh tools/install/check.py tools/install/cantstop
tools/install/50-cantstop.rules tools/install/lock/play.txt"

# The project's version and a hash of its files, so that each state of the sources is a version of its own.
version_here() {
    number=$(sed -n 's/^version = "\(.*\)"/\1/p' "$here/pyproject.toml")
    # shellcheck disable=SC2086 # a list of words
    sum=$(cd "$here" && find $parts -type f ! -name '*.pyc' -exec sha256sum {} + | LC_ALL=C sort | sha256sum | cut -c1-10)
    printf '%s-%s' "$number" "$sum"
}

# Fetches the newest version into $here: the clone that the installed version is from, or the newest release in a folder
# of its own. Git runs as the clone's owner, whose repository and keys they are.
fetch_newest() {
    source=$(cat "$here/address" 2>/dev/null || :)
    case $source in
        /*) here=$source source= ;;
        https://*) ;;
        *) source= ;;
    esac
    [ -d "$here/.git" ] || [ -n "$source" ] ||
        refuse "nothing says where newer versions are. Download a newer release, unpack its archive and run its install.sh"
    if [ -n "$dry_run" ]; then
        say "  would   fetch the newest version"
        exit 0
    fi
    doing="fetching the newest version"
    if [ -d "$here/.git" ]; then
        owner=$(stat -c %U "$here")
        logged timeout 600 runuser -u "$owner" -- git -C "$here" pull --ff-only ||
            fail "git could not update $here. Is the Pi online, and have any files been changed?"
    else
        fetch_release || fail "the newest release could not be fetched. Is the Pi online?"
    fi
    say "  done    $doing"
    doing=
}

# Nothing of it is used before its checksum is right, which comes over https like the release.
fetch_release() {
    here=$opt/newest
    rm -rf "$here" && mkdir -p "$here" && download SHA256SUMS || return 1
    archive=$(sed -n 's/^[0-9a-f]\{64\}  \(cantstop-box-[0-9a-z.]*-pi\.tar\.gz\)$/\1/p' "$here/SHA256SUMS" | head -n 1)
    [ -n "$archive" ] && download "$archive" &&
        (cd "$here" && grep -F "  $archive" SHA256SUMS | sha256sum --check --quiet) >>"$log" 2>&1 &&
        logged tar -xzf "$here/$archive" --no-same-owner --strip-components 1 -C "$here"
}

download() {
    logged curl --fail --silent --show-error --location --proto =https --max-time 600 --max-filesize 50000000 \
        --output "$here/$1" "$source/$1"
}

release_is_sound() {
    [ -e "$release/complete" ] || return 1
    # shellcheck disable=SC2046 # a list of words
    "$release/bin/python" -I "$release/installer/tools/install/check.py" $(modules_of_the_system) >/dev/null 2>&1
}

# The packages that the environment must find in apt's part.
modules_of_the_system() {
    for package in $of_the_pi; do
        if is_installed "$package"; then printf '%s ' "${package#python3-}"; fi
    done
}

remove_unfinished() { rm -rf "$release" "$opt/tmp"; }

make_release() {
    undo=remove_unfinished
    remove_unfinished
    mkdir -p "$release" "$opt/tmp/sources"
    # /tmp is in memory on Trixie, too small on small boards; and pip leaves a folder "build" beside what it installs.
    TMPDIR=$opt/tmp
    export TMPDIR
    # A cache would take another 100 MB of the card.
    [ -n "${PIP_CACHE_DIR:-}" ] || export PIP_NO_CACHE_DIR=1
    # shellcheck disable=SC2086 # a list of words
    (cd "$here" && tar -cf - --exclude=__pycache__ --mode=u=rwX,go=rX $parts) |
        tar -xf - --no-same-owner -C "$opt/tmp/sources"
    python=$(python3 -I -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2>>"$log") || fail "Python does not start"
    case $python in
        3.11 | 3.12 | 3.13 | 3.14) ;;
        *) fail "this system has Python $python. The box needs 3.11 (Raspberry Pi OS Bookworm) to 3.14" ;;
    esac
    logged python3 -I -m venv --system-site-packages "$release" || fail "Python could not create an environment"
    # Exactly the pinned files, from any index, and nothing that has to be compiled, which takes a small Pi hours. Not NumPy:
    # another version than apt's would break apt's picamera2.
    lock=$opt/tmp/lock.txt
    sed '/^numpy==/,/[^\\]$/d' "$opt/tmp/sources/tools/install/lock/play.txt" >"$lock"
    logged "$release/bin/python" -I -m pip install --disable-pip-version-check --no-input \
        --no-deps --require-hashes --only-binary :all: --requirement "$lock" ||
        fail "pip could not fetch the Python packages. Check the network, then run this again"
    logged "$release/bin/python" -I -m pip install --disable-pip-version-check --no-input \
        --no-deps --no-index --no-build-isolation "$opt/tmp/sources" || fail "the box's own program could not be installed by pip"
    mkdir -p "$release/installer"
    (cd "$opt/tmp/sources" && tar -cf - tools/install install.sh systemd README.md LICENSE) |
        tar -xf - -C "$release/installer"
    # Where newer versions are: in this clone, or where the release is from.
    if [ -d "$here/.git" ]; then printf '%s\n' "$here" >"$release/installer/address"; fi
    if [ -f "$here/address" ]; then cp "$here/address" "$release/installer/address"; fi
    # shellcheck disable=SC2046 # a list of words
    logged "$release/bin/python" -I "$release/installer/tools/install/check.py" $(modules_of_the_system) ||
        fail "the Python environment was created but does not work; the log's last line says why"
    rm -rf "$opt/tmp"
    # Everything must be on the card before the mark that says so: a power cut may leave the latest file empty.
    sync
    : >"$release/complete"
    undo=:
}

# A power cut may leave the file empty.
settings_are_there() { [ -s "$settings" ] && ! settings_are_old_defaults; }

# Earlier installers wrote every default as a setting. If nobody has edited that file, the new defaults replace it.
settings_are_old_defaults() {
    for program in "$releases"/*/bin/cantstop; do
        if [ -x "$program" ] && "$program" config show --defaults 2>>"$log" | cmp -s - "$settings"; then return; fi
    done
    return 1
}

# Each default is a comment, so that only what the builder has chosen outlives a change of the defaults.
write_settings() {
    mkdir -p "$(dirname "$settings")"
    "$release/bin/cantstop" config show --defaults >"$settings.new" 2>>"$log" &&
        sed -i 's/^[a-z]/# &/' "$settings.new" && mv "$settings.new" "$settings"
}

# Existing settings are not changed, but their faults are reported.
check_settings() {
    [ -z "$dry_run" ] || [ -x "$release/bin/cantstop" ] || return 0
    wrong=$("$release/bin/cantstop" config check "$settings" 2>&1 >/dev/null) || say "  careful $wrong"
}

# --- which version runs

# The service's user can put links, pipes and anything else into the state folder. So whatever happens below it is done
# as that user, never as root, and ends in time.
as_the_box() { timeout --foreground 120 runuser -u cantstop -- env "STATE_DIRECTORY=$state" "$@" 9>&-; }

# Prints the game in progress; returns 1 without one. If the journal cannot be read, it may contain one.
game_under_way() {
    [ -e "$state/journal.txt" ] && [ -x "$opt/current/bin/cantstop" ] || return 1
    status=0
    told=$(as_the_box "$opt/current/bin/cantstop" games --unfinished 2>>"$log") || status=$?
    case $status in
        0) printf '%s\n' "$told" | printable ;;
        1) return 1 ;;
        *) say "A game may be in progress: the check failed ($log says why)" ;;
    esac
}

wait_for_the_game() {
    [ -z "$now" ] || return 0
    waited_s=0
    while game=$(game_under_way); do
        if [ -z "$wait" ] || [ "$waited_s" -ge 43200 ]; then
            say "  waits   $game"
            say "$1 Finish it and run this again, or use --now: the game continues afterwards."
            exit 3
        fi
        progress game
        sleep 30
        waited_s=$((waited_s + 30))
    done
}

systemd_runs() { [ -d "$root/run/systemd/system" ]; }
runs_now() { readlink "$opt/current" || :; }

unit_names() { (cd "$1" && find . -name 'cantstop*.*' -type f | sed 's|^\./||' | LC_ALL=C sort); }

units_are() {
    [ "$(unit_names "$1")" = "$(unit_names "$units")" ] || return 1
    for unit in $(unit_names "$1"); do cmp -s "$1/$unit" "$units/$unit" || return 1; done
}

# Units that are activated by an event, and the box: enabled at boot. The others are started by these.
units_to_enable() { grep -l '^\[Install\]' "$1"/cantstop*.* | sed 's|.*/||'; }

switch_is_done() {
    [ "$(runs_now)" = "releases/$version" ] && [ -L "$root/usr/local/bin/cantstop" ] &&
        units_are "$release/installer/systemd" || return 1
    for unit in $(units_to_enable "$release/installer/systemd"); do
        systemctl is-enabled --quiet "$unit" 2>/dev/null || return 1
    done
    ! systemd_runs || systemctl is-active --quiet cantstop.service
}

link() {
    ln -sfn "$2" "$1.new" && mv -T "$1.new" "$1"
}

# put_in_place RELEASE: installs its units and the link; the last rename makes it effective.
put_in_place() {
    mkdir -p "$units" "$root/usr/local/bin" || return 1
    for unit in $(unit_names "$units"); do
        if [ ! -e "$1/installer/systemd/$unit" ]; then
            logged systemctl disable "$unit" || return 1
            rm -f "$units/$unit"
        fi
    done
    for unit in $(unit_names "$1/installer/systemd"); do
        cp "$1/installer/systemd/$unit" "$units/$unit" || return 1
    done
    sync
    link "$opt/current" "releases/${1##*/}" || return 1
    link "$root/usr/local/bin/cantstop" /opt/cantstop/current/installer/tools/install/cantstop || return 1
    if systemd_runs; then logged systemctl daemon-reload || return 1; fi
    # shellcheck disable=SC2046 # a list of words
    logged systemctl enable $(units_to_enable "$1/installer/systemd")
}

start_units() {
    systemd_runs || return 0
    # shellcheck disable=SC2046 # a list of words
    logged systemctl restart $(units_to_enable "$1/installer/systemd")
}

# The games before the update are stored in kept/VERSION. The newer version may write what the older cannot read.
keep_games() {
    [ -n "$before" ] && [ -e "$state/journal.txt" ] || return 0
    kept=$state/kept/${before#releases/}
    # shellcheck disable=SC2016 # for the inner shell
    as_the_box sh -c 'rm -rf "$1" && mkdir -p "$1" &&
        find "$STATE_DIRECTORY" -maxdepth 1 "(" -type f -o -name games ")" ! -name "*.lock" \
            -exec cp -pPR -t "$1" {} +' sh "$kept" >>"$log" 2>&1
}

can_read_games() { as_the_box "$opt/$1/bin/cantstop" games >>"$log" 2>&1; }

# Returns to a version that cannot read the newer one's journal: it gets the games that it has written itself.
fit_games() {
    [ -n "$before" ] && [ -e "$state/journal.txt" ] || return 0
    if can_read_games "releases/$version" || ! can_read_games "$before"; then return 0; fi
    # shellcheck disable=SC2016 # for the inner shell
    as_the_box sh -c '[ -d "$1" ] &&
        find "$STATE_DIRECTORY" -maxdepth 1 "(" ! -type d -o -name games ")" -exec rm -r {} + &&
        cp -pPR "$1"/* "$STATE_DIRECTORY"' sh "$state/kept/$version" >>"$log" 2>&1 || return 1
    say "  careful $version cannot read the games of ${before#releases/}: it continues with its own. The others are in $kept"
}

go_back() {
    [ -n "$before" ] && [ "$before" != "releases/$version" ] || return 0
    put_in_place "$opt/$before" && start_units "$opt/$before"
}

# Ends the installation with the previous version in use, if there is one.
stay() {
    undo=:
    [ -n "$before" ] && [ "$before" != "releases/$version" ] || fail "$1"
    go_back || fail "$1; the previous version did not start either: sudo systemctl status cantstop"
    fail "$1. The previous version keeps running"
}

switch() {
    before=$(runs_now)
    undo=go_back
    if [ -n "$before" ] && systemd_runs; then logged systemctl stop cantstop.service || return 1; fi
    keep_games || stay "the games could not be copied: is the card full?"
    fit_games || stay "$version cannot read the games of this box"
    put_in_place "$release" || stay "$version could not be activated"
    start_units "$release" || stay "$version does not start (journalctl -u cantstop says why)"
    [ -z "$before" ] || [ "$before" = "releases/$version" ] || link "$opt/previous" "$before"
    undo=:
}

switch_guarded() {
    if [ -z "$dry_run" ] && ! switch_is_done; then
        wait_for_the_game "The new version is ready, but not in use yet because a game is in progress."
    fi
    step "the service runs $version, and starts with the Pi" switch_is_done switch
}

old_releases() {
    for folder in "$releases"/*; do
        case releases/${folder##*/} in
            "$(runs_now)" | "$(readlink "$opt/previous" || :)" | "releases/$version" | "releases/*") ;;
            *) printf '%s\n' "$folder" ;;
        esac
    done
}
releases_are_few() { [ -z "$(old_releases)" ]; }
remove_old_releases() { old_releases | while IFS= read -r folder; do rm -rf "$folder"; done; }

# --- back and away

rollback() {
    target=$(readlink "$opt/previous" || :)
    [ -n "$target" ] && [ -e "$opt/$target/complete" ] || refuse "there is no previous version to go back to"
    version=${target#releases/}
    release=$opt/$target
    if [ -n "$dry_run" ]; then
        say "  would   go back from $(runs_now) to $version"
        return
    fi
    progress start
    wait_for_the_game "The box keeps its version because a game is in progress."
    doing="going back to $version"
    switch || fail "going back failed"
    doing=
    say "The box runs $version again. Another --rollback returns to the newer one."
}

uninstall() {
    if [ -n "$dry_run" ]; then
        say "  would   stop and remove the service, $opt and the speed of I2C${purge:+; the games, the settings and the user}"
        return
    fi
    doing="removing the box"
    for unit in $(unit_names "$units"); do
        if systemd_runs; then
            logged systemctl disable --now "$unit" || fail "the service could not be stopped"
        else
            logged systemctl disable "$unit" || fail "the service could not be disabled"
        fi
        rm -f "$units/$unit"
    done
    if systemd_runs; then logged systemctl daemon-reload || fail "systemd could not be reloaded"; fi
    # First what would set up the box again at the next start, on a prepared card.
    boot=$(dirname "$firmware")
    rm -rf "$boot/cantstop" && rm -rf "$boot/cantstop.txt" "$root/var/lib/cantstop-setup"
    if grep -qs cantstop/setup.sh "$boot/vendor-data"; then rm -f "$boot/vendor-data"; fi
    rm -rf "$opt" "$root/usr/local/bin/cantstop" "$rule" "$root/etc/avahi/services/cantstop.service"
    restore_i2c || fail "$firmware could not be written"
    if [ -n "$purge" ]; then
        rm -rf "$state" "$root/etc/cantstop"
        ! id -u cantstop >/dev/null 2>&1 || logged userdel cantstop || fail "the user cantstop could not be removed"
    fi
    doing=
    rm -f "$log" "$root/var/log/cantstop-setup.log"
    say "The Can't Stop box is removed. apt's packages and I2C are kept because other programs may use them."
    [ -n "$purge" ] || say "The games in $state, the settings in $(dirname "$settings") and the user cantstop are kept too; --purge removes them."
}
