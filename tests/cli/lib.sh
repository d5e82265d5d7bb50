# Shared by the tests of the command line: a folder of one's own, and ways to expect something.
# Sourced; ends with `exit $failed`.
set -u
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
failed=0

# The interpreter itself: where python3 is a shell script that looks for one, each call would pay for that.
python=$(python3 -c 'import sys; print(sys.executable)')
python3() { "$python" "$@"; }

# fails CODE WORDS ARGUMENTS...: the program ends with CODE, says WORDS on stderr, and prints nothing.
fails() {
  local want=$1 words=$2 code=0
  shift 2
  "$FRENZY" "$@" >out 2>err </dev/null || code=$?
  if [ "$code" != "$want" ] || ! grep -qF -- "$words" err || [ -s out ]; then
    echo "frenzy $*: exit code $code, expected $want and '$words'; it said:"
    cat out err
    failed=1
  fi
}

# works ARGUMENTS...: the program ends with 0; its output is in `out`, its messages in `err`.
works() {
  local code=0
  "$FRENZY" "$@" >out 2>err </dev/null || code=$?
  [ "$code" = 0 ] || { echo "frenzy $*: exit code $code, expected 0; it said:"; cat out err; failed=1; }
}

check() { # check WHAT COMMAND...
  local what=$1
  shift
  "$@" || { echo "failed: $what"; failed=1; }
}

says() { check "stderr says '$1'" grep -qF -- "$1" err; }   # after works
prints() { check "stdout has '$1'" grep -qF -- "$1" out; }

# json EXPRESSION: true of the object `o` in `out`
json() { check "JSON: $1" python3 -c 'import json,sys; o = json.load(open("out")); sys.exit(0 if eval(sys.argv[1]) else 1)' "$1"; }

# query DATABASE SQL: rows as text, columns joined by |
query() {
  python3 -c 'import sqlite3,sys
for row in sqlite3.connect(sys.argv[1]).execute(sys.argv[2]): print("|".join("" if v is None else str(v) for v in row))' "$1" "$2"
}
same() { # same WHAT EXPECTED ACTUAL
  [ "$2" = "$3" ] || { echo "$1: expected"; echo "$2"; echo "but it is"; echo "$3"; failed=1; }
}
