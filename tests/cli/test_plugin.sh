#!/usr/bin/env bash
# --plugin: policies in shared objects, and each way in which one can be wrong.
. "$SOURCE_DIR/tests/cli/lib.sh"

cmake --install "$BUILD_DIR" --prefix "$folder/prefix" >/dev/null || exit 1
compile() { # NAME, source on standard input: NAME.so
  cc -std=c17 -shared -fPIC -I "$folder/prefix/include" -x c - -o "$1.so" || { echo "cannot compile $1"; exit 1; }
}

# policy NAME MORE: a plug-in with one policy that starts nothing, and MORE fields.
policy() {
  cat <<END
#include <frenzy/sched.h>
static fz_status decide(void *state, const fz_view *view, fz_decision *decision, fz_error *err)
{ (void)state; (void)view; (void)decision; (void)err; return FZ_OK; }
static const fz_sched_ops ops = {.name = "$1", .summary = "starts nothing", .manual = "for a test", .decide = decide, ${2:-}};
static const fz_sched_ops *const policies[] = {&ops};
END
}
plugin() { # NAME MORE
  { policy "$1" "$2"; echo 'const fz_sched_plugin frenzy_plugin = {FZ_SCHED_ABI_HERE, policies, 1};'; } | compile "$3"
}

# The template, as the build made it, is FIFO; strict=0 is fifo_skip: the same rows for every job.
mine=$BUILD_DIR/tests/mine.so
cp "$mine" mine.so
works schedulers --plugin mine.so
check 'the built-in ones come first' test "$(head -n 1 out | cut -d ' ' -f 1)" = has
check 'the list has it' grep -q '^mine  ' out
works schedulers mine --plugin mine.so
prints 'from: mine.so '
prints 'strict'
works schedulers mine --plugin mine.so --json
json 'o["schedulers"][0]["name"] == "mine"'
for pair in fifo:1 fifo_skip:0; do
  works replay demo --cluster sia-64 --scheduler "${pair%:*}" --jobs-csv built-in.csv
  works replay demo --cluster sia-64 --plugin mine.so --scheduler mine --set strict="${pair#*:}" --jobs-csv mine.csv
  check "job by job as ${pair%:*}" cmp built-in.csv mine.csv
done
works compare demo --cluster sia-64 --plugin ./mine.so --schedulers fifo,mine --json
json '[s["name"] for s in o["schedulers"]] == ["fifo", "mine"]'
json 'o["schedulers"][0]["jct_avg_s"] == o["schedulers"][1]["jct_avg_s"]'
works replay demo --cluster sia-64 --plugin mine.so --scheduler mine --out one.db
check 'the database says where it comes from' test "$(query one.db "select instr(config, 'origin=mine.so ') > 0 from run")" = 1

# Experiment files name plug-ins; another plug-in of that name makes its runs anew.
mkdir experiments
cp mine.so experiments/own.so
cat >experiments/e.yaml <<'END'
trace: demo
cluster: sia-64
plugin: own.so
scheduler: [fifo, mine]
END
works sweep experiments/e.yaml --out e.db
prints '2 run now'
works sweep experiments/e.yaml --out e.db
prints '2 done before, 0 run now'
{ sed 's/a template/changed/' "$SOURCE_DIR/sim/plugin/template/mine.c"; } | compile experiments/own
works sweep experiments/e.yaml --out e.db
prints '1 done before, 1 run now'
same 'one row a run' 2 "$(query e.db 'select count(*) from v_run')"
sed -i 's/own.so/absent.so/' experiments/e.yaml
fails 3 'experiments/e.yaml:3:9: absent.so: cannot read the plug-in: No such file' sweep experiments/e.yaml --out e.db
sed -i 's/^plugin:.*/scheduler: mine/; /^scheduler: \[/d' experiments/e.yaml
works sweep experiments/e.yaml --plugin mine.so --out f.db

# Each kind of fault.
fails 3 'absent.so: cannot read the plug-in: No such file' schedulers --plugin absent.so
echo 'no object' >text.so
fails 3 'text.so: this is no shared object that can be loaded' schedulers --plugin text.so
echo 'void nothing(void); void nothing(void) {}' | compile empty
fails 3 'empty.so: there is no `frenzy_plugin` in this shared object' schedulers --plugin empty.so
{ policy other; echo 'const fz_sched_plugin frenzy_plugin = {{FZ_SCHED_ABI + 1}, policies, 1};'; } | compile abi
fails 3 'abi.so: the plug-in was built for policy interface' schedulers --plugin abi.so
{ policy other; echo 'const fz_sched_plugin frenzy_plugin = {{FZ_SCHED_ABI, sizeof(fz_sched_ops) - 8}, policies, 1};'; } | compile layout
fails 3 'layout.so: the plug-in was built with another sched.h' schedulers --plugin layout.so
{ policy other; echo 'const fz_sched_plugin frenzy_plugin = {FZ_SCHED_ABI_HERE, policies, 0};'; } | compile none
fails 3 'none.so: `frenzy_plugin` lists no policy' schedulers --plugin none.so
{ policy other; echo 'static const fz_sched_ops *const gap[] = {&ops, 0};
const fz_sched_plugin frenzy_plugin = {FZ_SCHED_ABI_HERE, gap, 2};'; } | compile gap
fails 3 'gap.so: policy 2 of `frenzy_plugin` is NULL' schedulers --plugin gap.so
{ policy other; echo 'extern int not_there(void); int use(void); int use(void) { return not_there(); }
const fz_sched_plugin frenzy_plugin = {FZ_SCHED_ABI_HERE, policies, 1};'; } | compile unresolved
fails 3 'undefined symbol: not_there' schedulers --plugin unresolved.so
plugin fifo '' taken
fails 3 "taken.so: there is a scheduler 'fifo' already (built in)" schedulers --plugin taken.so
fails 3 "mine.so: there is a scheduler 'mine' already (mine.so " schedulers --plugin mine.so --plugin ./mine.so
plugin 'No Name' '' name
fails 3 "name.so: the name of a policy is a lower-case letter" schedulers --plugin name.so
plugin other '.summary = ""' summary
fails 3 "summary.so: policy 'other' has no summary" schedulers --plugin summary.so
plugin other '.manual = 0' manual
fails 3 "manual.so: policy 'other' has no manual" schedulers --plugin manual.so
plugin other '.decide = 0' decide
fails 3 "decide.so: policy 'other' has no decide()" schedulers --plugin decide.so
params() { # PARAMETERS WORDS
  plugin other ".params = (const fz_param[]){$1}, .n_params = sizeof((const fz_param[]){$1}) / sizeof(fz_param)" params
  fails 3 "params.so: policy 'other'$2" schedulers --plugin params.so
}
params '{.name = "A"}' ": parameter 1 ('A') has no name of lower-case letters"
params '{.name = "a"}' ": parameter 1 ('a') has no help text"
params '{.name = "a", .help = "a", .fallback = 2}' ": parameter 1 ('a') is a flag, but its default is neither"
params '{.name = "a", .help = "a", .kind = FZ_PARAM_NUMBER, .fallback = 2, .max = 1}' ": parameter 1 ('a') has a default outside"
params '{.name = "a", .help = "a", .kind = FZ_PARAM_CHOICE}' ": parameter 1 ('a') is a choice without choices"
params '{.name = "a", .help = "a", .kind = FZ_PARAM_CHOICE, .choices = "x|y", .fallback = 2}' ": parameter 1 ('a') has a default that is none"
params '{.name = "a", .help = "a", .kind = (fz_param_kind)9}' ": parameter 1 ('a') is of an unknown kind"
params '{.name = "a", .help = "a"}, {.name = "a", .help = "a"}' " has two parameters 'a'"
plugin other '.n_params = 3' params
fails 3 "params.so: policy 'other' has 3 parameters; there may be 0" schedulers --plugin params.so
fails 3 'text.so: this is no shared object' replay demo --cluster sia-64 --scheduler fifo --plugin text.so
fails 3 'text.so: this is no shared object' compare demo --cluster sia-64 --schedulers fifo --plugin text.so
fails 2 "unknown scheduler 'mine'" replay demo --cluster sia-64 --scheduler mine
fails 2 "did you mean 'mine'?" replay demo --cluster sia-64 --scheduler mien --plugin mine.so

# --new: a folder that builds, and never one in place of another.
works schedulers --new fresh
check 'the source is there' test -f fresh/fresh.c
check 'no word of the template is left' sh -c '! grep -rn mine fresh'
works schedulers --new again --json
json 'o["folder"] == "again"'
fails 2 "'fresh' is there already; nothing is overwritten" schedulers --new fresh
touch file
fails 2 "'file' is there already; nothing is overwritten" schedulers --new file
check 'the file is as it was' test ! -s file
fails 2 "there is a scheduler 'fifo' already" schedulers --new fifo
fails 2 "a name is a lower-case letter" schedulers --new ../escape
fails 2 "a name is a lower-case letter" schedulers --new Mine
fails 2 "leave out 'fifo'" schedulers fifo --new other
if [ "$(id -u)" != 0 ]; then
  mkdir closed
  chmod 500 closed
  (cd closed && "$FRENZY" schedulers --new other >../out 2>../err; test $? = 1) || { echo "a closed folder"; failed=1; }
fi
cmake -S fresh -B fresh/build -DCMAKE_PREFIX_PATH="$folder/prefix" >out 2>&1 && cmake --build fresh/build >out 2>&1 ||
  { cat out; failed=1; }
works replay demo --cluster sia-64 --scheduler fifo --jobs-csv built-in.csv
code=0
"$folder/prefix/bin/frenzy" replay demo --cluster sia-64 --plugin fresh/build/fresh.so --scheduler fresh \
  --jobs-csv fresh.csv >out 2>err || { cat err; failed=1; }
check 'the template, built against the installed headers' cmp built-in.csv fresh.csv
exit $failed
