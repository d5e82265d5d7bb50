#!/usr/bin/env bash
# A sweep whose parent and workers are killed (-9) at random moments: the same command goes on, and the database is
# that of an undisturbed sweep, row for row; what was finished is never run again. $FZ_KILLS: how many kills (the
# full test has 100); $FZ_SEED: of the moments.
. "$SOURCE_DIR/tests/cli/lib.sh"
. "$SOURCE_DIR/tests/cli/sweep_lib.sh"
cat >kill.yaml <<'Y'
name: kill
trace: demo
cluster: sia-64
scheduler: [has, fifo, easy]
load: [0.5, 1]
seed: 0..4
set: {mem_error_sigma: 0.1}
Y
works sweep kill.yaml --workers 2 --out calm.db
export KILLS=${FZ_KILLS:-12} SEED=${FZ_SEED:-$RANDOM}
check 'killed at random moments' timeout 280 "$python" - <<'P'
import os, random, signal, sqlite3, subprocess, time
kills, seed = int(os.environ["KILLS"]), int(os.environ["SEED"])
print("seed", seed, "kills", kills)
dice = random.Random(seed)
command = [os.environ["FRENZY"], "sweep", "kill.yaml", "--workers", "2", "--out", "kill.db"]

def finished():
    """Rows of finished runs: number and when they were stored."""
    try:
        db = sqlite3.connect("file:kill.db?mode=ro", uri=True, timeout=20)
        return dict(db.execute("SELECT id, added || wall_s FROM run"))
    except sqlite3.OperationalError:
        return {}

def children(pid):
    try:
        return [int(p) for p in open(f"/proc/{pid}/task/{pid}/children").read().split()]
    except OSError:
        return []

done, parents, workers = {}, 0, 0
while parents + workers < kills:
    if len(done) == 30:
        for name in ("kill.db", "kill.db-wal", "kill.db-shm", "kill.db-journal"):
            if os.path.exists(name):
                os.remove(name)
        done = {}
    program = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    victim_is_worker = dice.random() < 0.4
    time.sleep(dice.uniform(0, 0.25))
    if victim_is_worker:
        victims = children(program.pid)
        if victims:
            try:
                os.kill(dice.choice(victims), signal.SIGKILL)
                workers += 1
            except ProcessLookupError:
                pass
        program.wait()
        assert program.returncode in (0, 4), program.returncode
    elif program.poll() is None:
        program.kill()
        program.wait()
        parents += 1
    now = finished()
    for run, row in done.items():
        assert now.get(run) == row, f"run {run} was lost or run again"
    done = now
print("parents killed", parents, "workers killed", workers, "runs then", len(done))
P
works sweep kill.yaml --workers 2 --out kill.db
same 'as if nothing had happened' "$(digest calm.db)" "$(digest kill.db)"
same 'no failure is left' 0 "$(query kill.db 'SELECT count(*) FROM v_failure')"
exit $failed
