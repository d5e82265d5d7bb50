#!/usr/bin/env bash
# README.md tells the truth: every command of its console blocks ends with 0 and prints the lines shown below it
# (wall times apart), and its Python runs on the results. $FRENZY: the program, $SOURCE_DIR: the repository.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/bin" "$folder/work"
ln -s "$FRENZY" "$folder/bin/frenzy"
export PATH=$folder/bin:$PATH
cd "$folder/work"

block() { # language: the lines of its blocks
    awk -v start="\`\`\`$1" '$0 == "```" { inside = 0 } inside; $0 == start { inside = 1 }' "$SOURCE_DIR/README.md"
}

without_wall_times() {
    sed -E 's/[0-9.]+ ms\/decision/- ms\/decision/; s/[0-9]+ jobs\/s/- jobs\/s/; s/ +[0-9]+\.[0-9]{4}$//'
}

failed=0
commands=0
while IFS= read -r line; do
    case $line in
    '$ '*)
        command=${line#'$ '}
        [ "$command" = scripts/run ] && command="frenzy demo"
        commands=$((commands + 1))
        if ! bash -c "$command" > output 2>&1 < /dev/null; then
            echo "failed: $command"
            cat output
            failed=1
        fi
        without_wall_times < output > shown
        ;;
    '' | ...) ;;
    *)
        wanted=$(without_wall_times <<< "$line")
        if ! grep -qxF -e "$wanted" shown; then
            echo "README.md shows below '$command': $line"
            echo "it prints:"
            cat output
            failed=1
        fi
        ;;
    esac
done < <(block console)
[ "$commands" -ge 8 ] || { echo "only $commands commands found in README.md"; exit 1; }

if command -v python3 > /dev/null; then
    block python > example.py
    [ -s example.py ]
    python3 example.py > output || failed=1
    [ "$(wc -l < output)" -ge 8 ] || { echo "the Python example prints too little"; failed=1; }
fi
exit "$failed"
