#!/usr/bin/env bash
# frenzy report: the same numbers in every format as in the database; files that others can read.
. "$SOURCE_DIR/tests/cli/lib.sh"
cat >load.yaml <<'Y'
name: load
trace: demo
cluster: sia-64
scheduler: [has, easy, {name: fifo, label: 'FIFO | <b>'}]
load: [0.5, 1.0]
seed: 0..4
set: {mem_error_sigma: 0.1}
baseline: easy
out: load.db
Y
works sweep load.yaml --workers 2

# Tables: the mean over seeds, the paired interval worked out by hand in Python, unfinished jobs beside.
works report load.db
prints '## demo on sia-64, load 0.5, mem_error_sigma=0.1'
prints '95 % intervals of the paired difference over seeds'
prints '| FIFO \| <b> |'
works report load.db --json
cp out report.json
check 'figures and intervals' python3 - <<'P'
import json, math, sqlite3
db = sqlite3.connect("load.db")
report = json.load(open("report.json"))
assert report["schema"] == "frenzy-report-1" and len(report["scenarios"]) == 2
for s in report["scenarios"]:
    assert s["baseline"] == "easy" and s["schedulers"][0]["label"] == "easy"
    values = {}
    for c in s["schedulers"]:
        rows = db.execute("SELECT jct_avg_s, jct_p99_s, jobs - finished FROM v_summary WHERE scenario = ? AND label = ? ORDER BY seed", (s["scenario"], c["label"])).fetchall()
        values[c["label"]] = rows
        assert len(rows) == 5 == c["runs"]
        assert abs(c["figures"]["jct_avg_s"]["mean"] - sum(r[0] for r in rows) / 5) < 1e-6
        assert abs(c["figures"]["not_finished"]["mean"] - sum(r[2] for r in rows) / 5) < 1e-9
        if c["label"] == "easy":
            continue
        d = [r[0] / b[0] - 1 for r, b in zip(rows, values["easy"])]
        m = sum(d) / 5
        h = 2.7764451051977987 * math.sqrt(sum((x - m) ** 2 for x in d) / 4) / math.sqrt(5)
        v = c["versus"]["jct_avg_s"]
        assert v["kind"] == "95%" and abs(v["mean"] - m) < 1e-9 and abs(v["low"] - (m - h)) < 1e-7 and abs(v["high"] - (m + h)) < 1e-7
        d = sorted(r[1] / b[1] - 1 for r, b in zip(rows, values["easy"]))
        v = c["versus"]["jct_p99_s"]  # bootstrap: inside the range of the seeds, around their mean
        assert d[0] - 1e-12 <= v["low"] <= sum(d) / 5 <= v["high"] <= d[-1] + 1e-12
P
works report load.db --baseline has --json
json 'o["scenarios"][0]["baseline"] == "has"'
fails 2 "no scheduler is labelled 'x'" report load.db --baseline x
fails 1 'gone.db' report gone.db
fails 2 "no run '12'" report load.db --trace 12 --out t.json
works sweep load.yaml --dry-run --out empty.db

# CSV: a row a scheduler and scenario, a row a run.
works report load.db --csv csv
check 'CSV' python3 - <<'P'
import csv
summary, runs = (list(csv.DictReader(open(f"csv/{name}.csv"))) for name in ("summary", "runs"))
assert len(summary) == 6 and len(runs) == 30
assert {row["label"] for row in summary} == {"has", "easy", "FIFO | <b>"}
assert all(float(r["jct_avg_s_low"]) <= float(r["jct_avg_s"]) <= float(r["jct_avg_s_high"]) for r in summary)
P

# LaTeX: booktabs, nothing unescaped; compiles where there is a TeX.
works report load.db --latex tex
check 'LaTeX' python3 - <<'P'
import re
text = open("tex/table-1.tex").read()
assert text.count("\\toprule") == text.count("\\bottomrule") == 1 and "easy" in text
for line in text.splitlines():
    if not line.startswith("%"):
        assert not re.search(r"(?<!\\)[%#_]", line), line
assert "FIFO | $<$b$>$" in text
P
if command -v pdflatex >/dev/null; then (cd tex && check 'pdflatex' pdflatex -interaction=batchmode preview.tex >/dev/null); fi

works report load.db --gnuplot plots
check 'gnuplot files' test -s plots/load.dat -a -s plots/cdf.gp -a -s plots/timeline.dat
if command -v gnuplot >/dev/null; then
  for name in load cdf timeline; do (cd plots && check "gnuplot $name" gnuplot $name.gp && check "$name.pdf" grep -qa PDF $name.pdf); done
fi

# Perfetto: well formed, sorted, no two jobs on a GPU at once, GPU time as in the database.
run=$(query load.db "SELECT run_id FROM v_run WHERE label = 'easy' AND load = 1 AND seed = 0")
works report load.db --trace "$run" --out run.json.gz
check 'trace events' python3 - "$run" <<'P'
import gzip, json, sqlite3, sys
events = json.load(gzip.open("run.json.gz"))["traceEvents"]
assert {e["ph"] for e in events} == {"M", "X", "C"}
times = [e["ts"] for e in events]
assert times == sorted(times)
tracks, total = {}, 0
for e in events:
    if e["ph"] == "X":
        track = (e["pid"], e["tid"])
        assert e["dur"] >= 0 and e["ts"] >= tracks.get(track, 0), e
        tracks[track] = e["ts"] + e["dur"]
        total += e["dur"]
assert len(tracks) <= 64
db = sqlite3.connect("load.db")
once = db.execute("SELECT sum(gpu_s), max(attempts) FROM v_job WHERE run_id = ? AND attempts = 1", (int(sys.argv[1]),)).fetchone()
again = db.execute("SELECT count(*) FROM v_job WHERE run_id = ? AND attempts > 1", (int(sys.argv[1]),)).fetchone()[0]
slices = sum(e["dur"] for e in events if e["ph"] == "X" and e["args"]["attempt"] == 1) / 1e6
assert again > 0 and abs(slices - once[0]) < 1e-3, (slices, once)
names = {e["args"]["name"] for e in events if e["ph"] == "M" and e["name"] == "process_name"}
assert "cluster" in names and len(names) == 12  # 11 nodes
assert max(e["args"]["percent"] for e in events if e["ph"] == "C" and e["name"] == "allocation") <= 100
P
works report load.db --batsim-csv "$run" --out jobs.csv
check 'out_jobs.csv' python3 - <<'P'
import csv
rows = list(csv.DictReader(open("jobs.csv")))
assert len(rows) == 500
for row in rows:
    if row["final_state"] == "COMPLETED_SUCCESSFULLY":
        assert row["success"] == "1"
        assert abs(float(row["finish_time"]) - float(row["submission_time"]) - float(row["turnaround_time"])) < 1e-4
        n = 0
        for part in row["allocated_resources"].split():
            a, _, b = part.partition("-")
            n += int(b or a) - int(a) + 1
            assert 0 <= int(a) and int(b or a) < 64
        assert n >= 1
P

# The page: one file, nothing from a network, the numbers of the tables; opened in a browser where there is one.
works report load.db --html page.html
check 'no address but that of the name space' python3 - <<'P'
import json, re
text = open("page.html").read()
assert len(text) < 2_000_000
assert not re.search(r'(src|href)="(?!data:,)', text) and "@import" not in text and "url(" not in text
data = json.loads(text.split('id="data">')[1].split("</script>")[0])
report = json.load(open("report.json"))
for page, other in zip(data["scenarios"], report["scenarios"]):
    assert page["sentence"] == other["sentence"] and page["text"] == other["scenario"]
    for row, c in zip(page["rows"], other["schedulers"]):
        assert row[0] == c["label"] and row[2] == f'{c["figures"]["jct_avg_s"]["mean"] / 3600:.2f}'
    for c in page["contenders"]:
        assert max(c["time"]["a"]) <= 1 and len(c["cdf"][0]) > 50 and c["cdf"][0] == sorted(c["cdf"][0])
        assert c["cdf"][1] == sorted(c["cdf"][1]) and c["cdf"][1][-1] <= 1
assert any("gantt" in c for c in data["scenarios"][0]["contenders"])
P
if command -v chromium >/dev/null; then
  timeout 120 chromium --headless --no-sandbox --disable-gpu --proxy-server=127.0.0.1:9 --enable-logging=stderr --virtual-time-budget=4000 \
    --dump-dom "file://$PWD/page.html" >dom 2>console
  check 'the browser says nothing' test -z "$(grep -E 'CONSOLE|Uncaught' console)"
  check 'charts and table were drawn' python3 - <<'P'
dom = open("dom").read()
assert dom.count("<canvas") >= 5 and 'id="results"' in dom and "FIFO | &lt;b&gt;" in dom
import json
sentence = json.load(open("report.json"))["scenarios"][0]["sentence"]
assert sentence.replace("<", "&lt;").replace(">", "&gt;") in dom
P
fi
exit $failed
