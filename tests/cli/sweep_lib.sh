# Shared by the tests of sweeps: what two databases must have in common. Sourced after lib.sh.

# digest DATABASE: all that a sweep leaves, in order, but wall times, dates and the program's build
cat >digest.py <<'P'
import hashlib, sqlite3, sys
db = sqlite3.connect(sys.argv[1])
db.text_factory = bytes
def columns(view, leave):
    return ", ".join(c[1].decode() for c in db.execute(f"PRAGMA table_info({view})") if c[1].decode() not in leave)
wall = {"wall_s", "engine_s", "jobs_per_s", "decide_ms_p50", "decide_ms_p99", "decide_ms_mean", "decide_ms_max",
        "peak_rss_bytes", "added"}
for view, order in (("v_run", "run_id"), ("v_summary", "run_id"), ("v_job", "run_id, row"),
                    ("v_timeline", "run_id, start_s"), ("v_failure", "key")):
    sha, n = hashlib.sha256(), 0
    for row in db.execute(f"SELECT {columns(view, wall)} FROM {view} ORDER BY {order}"):
        sha.update(repr(row).encode())
        n += 1
    print(view, n, sha.hexdigest()[:16])
for check in ("PRAGMA integrity_check", "SELECT count(*) FROM job WHERE key >> 32 NOT IN (SELECT id FROM run)",
              "SELECT count(*) FROM node_list WHERE id NOT IN (SELECT node_list FROM job WHERE node_list IS NOT NULL)",
              "SELECT count(*) FROM timeline WHERE key >> 32 NOT IN (SELECT id FROM run)",
              "SELECT count(*) - count(DISTINCT cell) FROM run"):
    print(check, db.execute(check).fetchone()[0])
P
digest() { python3 digest.py "$1"; }
