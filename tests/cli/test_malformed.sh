#!/usr/bin/env bash
# Every malformed trace or description of a cluster ends in file:line:column: reason and exit 3: the samples of all formats,
# cut, with lines swapped, fields emptied or of the wrong kind, garbage, packed and cut, through the whole program.
. "$SOURCE_DIR/tests/cli/lib.sh"

# tried NAME COMMAND...: it works, or is refused in that form; counts the refusals
tried() {
  local name=$1 code
  shift
  "$FRENZY" "$@" >out 2>err
  code=$?
  [ $code -eq 0 ] && return 0
  refused=$((refused + 1))
  if [ $code -ne 3 ] || [ "$(grep -c '^error: ' err)" -ne 1 ] || ! grep -qE "^error: [^ ]+:[1-9][0-9]*:[1-9][0-9]*: ." err; then
    echo "FAILED: $name: exit $code, $(cat err)"
    failed=1
  fi
}

# mutants FILE SEPARATOR: m.NAME beside it, one for each kind of damage
mutants() {
  local bytes n
  bytes=$(wc -c <"$1")
  n=$(wc -l <"$1")
  rm -f m.*
  head -c $((bytes / 2)) "$1" >m.cut
  head -c $((bytes - 3)) "$1" >m.cut-late
  tac "$1" >m.swapped
  printf '\001\002\377\376\n' | cat "$1" - >m.garbage-behind
  printf '\000\001\002' | cat - "$1" >m.garbage-before
  tr '0-9' 'x' <"$1" >m.letters
  sed "1!s/[^$2]*\$//" "$1" >m.last-empty
  sed "1!s/^[^$2]*$2//" "$1" >m.one-less
  sed 's/[1-9]/-9e99/g' "$1" >m.absurd
  gzip -nc "$1" | head -c $((bytes / 3 + 12)) >m.packed-cut
  printf 'PK\003\004' | cat - "$1" >m.zip
  : >m.empty
}

samples() { # the first file of each format
  local folder
  for folder in "$SOURCE_DIR/tests/fuzz/corpus/$1"/*/; do
    find "$folder" -type f | sort | head -n 1
  done
}

refused=0
kinds=0
for sample in $(samples formats) $(samples cluster_formats); do
  format=$(head -n 1 "$sample")
  tail -n +2 "$sample" >plain
  case $format in gavel | shockwave) separator=$'\t' ;; swf) separator=' ' ;; *) separator=, ;; esac
  mutants plain "$separator"
  before=$refused
  for mutant in m.*; do
    case $sample in
    */cluster_formats/*) tried "$format $mutant" cluster import "$format" "$mutant" --out o.json ;;
    *)
      tried "$format $mutant" import "$format" "$mutant" --bad-rows fail
      case $mutant in m.cut | m.garbage-before | m.empty | m.zip) tried "auto $format $mutant" import auto "$mutant" ;; esac
      ;;
    esac
  done
  check "$format: some are refused" [ $refused -gt $((before + 3)) ]
  kinds=$((kinds + 1))
done
same 'every format has a sample' "$(find "$SOURCE_DIR"/workloads/{,cluster_}formats/ -name "*.c" -exec grep -l "^const fz_\(trace\|cluster\)_format fz_" {} + | wc -l)" "$kinds"
exit $failed
