#!/usr/bin/env bash
# Installs libfrenzy into a folder, static and shared, and builds a C and a C++ program against it, through
# pkg-config and through find_package. Needs nothing but libc and libm at run time.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
user=$SOURCE_DIR/tests/install

none() { # fails if there is any input
    local lines
    lines=$(cat)
    [ -z "$lines" ] || { echo "$1: $lines"; exit 1; }
}

check() { # static or shared
    local prefix=$folder/$1 flags
    cmake -S "$SOURCE_DIR" -B "$prefix-build" -G Ninja -DFZ_TESTS=OFF -DBUILD_SHARED_LIBS="$2" \
        -DCMAKE_INSTALL_PREFIX="$folder/not-there" -DCMAKE_INSTALL_LIBDIR=lib >/dev/null
    cmake --build "$prefix-build" --target frenzy_core >/dev/null
    cmake --install "$prefix-build/core" --prefix "$prefix" >/dev/null # moved after configuring
    export PKG_CONFIG_PATH=$prefix/lib/pkgconfig LD_LIBRARY_PATH=$prefix/lib
    flags=$(pkg-config --cflags --libs frenzy)
    # shellcheck disable=SC2086
    cc -std=c17 -Wall -Wextra -Werror "$user/user.c" -o "$prefix-c" $flags
    # shellcheck disable=SC2086
    c++ -std=c++17 -Wall -Wextra -Werror -x c++ "$user/user.c" -x none -o "$prefix-cxx" $flags
    "$prefix-c"
    "$prefix-cxx"
    cmake -S "$user" -B "$prefix-user" -G Ninja -DCMAKE_PREFIX_PATH="$prefix" >/dev/null
    cmake --build "$prefix-user" >/dev/null
    "$prefix-user/user"
}

check static OFF
check shared ON

# The shared library needs libc and libm only, exports fz_ names only, and carries its soname.
library=$folder/shared/lib/libfrenzy.so
none "other libraries" < <(objdump -p "$library" | grep NEEDED | grep -vE 'libc\.so|libm\.so')
objdump -p "$library" | grep -q 'SONAME.*libfrenzy\.so\.0'
none "other names" < <(nm -D --defined-only "$library" | grep -vE ' (fz_|FRENZY_)')

# The installed program finds the shared library by itself, wherever the two were put.
cmake --build "$folder/shared-build" >/dev/null
cmake --install "$folder/shared-build" --prefix "$folder/whole" >/dev/null
env -u LD_LIBRARY_PATH "$folder/whole/bin/frenzy" --version

# A plug-in built against it, through find_package, calls libfrenzy in the program that loads it.
frenzy=$folder/whole/bin/frenzy
(cd "$folder" && "$frenzy" schedulers --new fresh >/dev/null 2>&1)
cmake -S "$folder/fresh" -B "$folder/fresh/build" -G Ninja -DCMAKE_PREFIX_PATH="$folder/whole" >/dev/null
cmake --build "$folder/fresh/build" >/dev/null
none "libraries of a plug-in" < <(objdump -p "$folder/fresh/build/fresh.so" | grep NEEDED | grep -v 'libc\.so')
env -u LD_LIBRARY_PATH "$frenzy" replay demo --cluster sia-64 --plugin "$folder/fresh/build/fresh.so" --scheduler fresh \
    --jobs-csv "$folder/fresh.csv" >/dev/null 2>&1
env -u LD_LIBRARY_PATH "$frenzy" replay demo --cluster sia-64 --scheduler fifo --jobs-csv "$folder/fifo.csv" >/dev/null 2>&1
cmp "$folder/fresh.csv" "$folder/fifo.csv"

# Where the library alone is installed, its package says so.
if cmake -S "$folder/fresh" -B "$folder/without" -G Ninja -DCMAKE_PREFIX_PATH="$folder/shared" >"$folder/log" 2>&1; then
    echo "found frenzy::sched where it is not"
    exit 1
fi
grep -q 'sched comes with the program' "$folder/log"

# Each public header compiles alone, as C and as C++.
for header in "$folder"/whole/include/frenzy/*.h; do
    cc -std=c17 -Wall -Wextra -Werror -fsyntax-only -I "$folder/whole/include" -x c "$header"
    c++ -std=c++17 -Wall -Wextra -Werror -fsyntax-only -I "$folder/whole/include" -x c++ "$header"
done
