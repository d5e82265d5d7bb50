#!/usr/bin/env bash
# scripts/setup installs what is missing and nothing else, and is silent when nothing is. dpkg-query, apt-get, id
# and sudo are stand-ins that write down how they were called. $SOURCE_DIR: the repository.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/bin"
export MISSING="" CALLS=$folder/calls USER_ID=0

stand_in() { # name; its lines on standard input
    { echo '#!/bin/sh'; cat; } > "$folder/bin/$1"
    chmod +x "$folder/bin/$1"
}
stand_in dpkg-query <<'EOS'
for package; do :; done
case " $MISSING " in *" $package "*) exit 1 ;; esac
printf installed
EOS
stand_in apt-get <<< 'echo "apt-get $*" >> "$CALLS"'
stand_in id <<< 'echo "$USER_ID"'
stand_in sudo <<< 'echo sudo >> "$CALLS"; exec "$@"'

setup() { # what is missing, then arguments of scripts/setup
    : > "$CALLS"
    MISSING=$1
    shift
    PATH=$folder/bin:$PATH "$SOURCE_DIR/scripts/setup" "$@" > "$folder/stdout" 2> "$folder/stderr"
}
fail() {
    echo "$1"
    cat "$CALLS" "$folder/stdout" "$folder/stderr"
    exit 1
}

setup "" test
[ ! -s "$CALLS" ] && [ ! -s "$folder/stdout" ] && [ ! -s "$folder/stderr" ] || fail "nothing is missing, but it is not silent"

setup "valgrind" run
[ ! -s "$CALLS" ] || fail "a package of the tests was installed for a run"

setup "libgsl-dev valgrind" test
[ ! -s "$folder/stdout" ] || fail "standard output is for results"
grep -qx 'apt-get update.*' "$CALLS" || fail "no apt-get update"
grep -qE '^apt-get install .*--no-install-recommends libgsl-dev valgrind$' "$CALLS" || fail "not just the missing packages"
! grep -q sudo "$CALLS" || fail "root needs no sudo"

export USER_ID=1000
setup "zlib1g-dev" run
[ "$(grep -c sudo "$CALLS")" -eq 2 ] || fail "a user installs through sudo"
