/**
 * The Python that runs a task's own tests (spec 13, 5), given to the interpreter as text. It reads one job from standard
 * input and writes one answer to standard output. Before any test's code runs, it limits itself (memory, files, processes,
 * time on the processor) and sets an audit hook, which cannot be taken off again: from then on no file is written or read
 * but the interpreter's own modules, and no process, socket or foreign library is opened from Python. The connection to
 * the database was made before and stays.
 */
export const HARNESS = `
import json, os, sys
job = json.load(sys.stdin)
answer = os.fdopen(os.dup(1), "w")
quiet = open(os.devnull, "w")
sys.stdout = sys.stderr = quiet
import datetime, decimal, math, re, sysconfig
import psycopg2, psycopg2.errors
from datetime import date
from decimal import Decimal

try:
    import resource
    def limit(what, most):
        soft, hard = resource.getrlimit(what)
        if hard == resource.RLIM_INFINITY or hard > most:
            resource.setrlimit(what, (most, most))
    limit(resource.RLIMIT_AS, job["memory"])
    limit(resource.RLIMIT_CPU, job["seconds"])
    limit(resource.RLIMIT_FSIZE, 0)
    limit(resource.RLIMIT_CORE, 0)
    limit(resource.RLIMIT_NPROC, 0)
except (ImportError, ValueError, OSError):
    pass

conn = psycopg2.connect(host=job["host"], port=job["port"], user=job["user"], password=job["password"],
                        dbname=job["database"], options=job["options"])

def run(sql):
    """One string: its rows where it gives any, committed; rolled back and told as an error or a time-out otherwise."""
    cursor = conn.cursor()
    try:
        cursor.execute(sql)
        rows = None
        if cursor.description is not None:
            head = sql.strip().lower()
            capped = head.startswith("select") or head.startswith("with")
            rows = cursor.fetchmany(job["rows"]) if capped else cursor.fetchall()
        conn.commit()
        return rows, False, False
    except psycopg2.errors.QueryCanceled:
        conn.rollback()
        return None, False, True
    except psycopg2.Error:
        conn.rollback()
        return None, True, False
    finally:
        cursor.close()

def execute_queries(queries, db_name=None, conn=None, *rest, **named):
    result = (None, False, False)
    for sql in ([queries] if isinstance(queries, str) else queries):
        result = run(sql)
        if result[1] or result[2]:
            break
    return result

modules = tuple(os.path.realpath(path) + os.sep for path in
                {sysconfig.get_path("stdlib"), sysconfig.get_path("platstdlib"), sysconfig.get_path("purelib"),
                 sysconfig.get_path("platlib"), os.path.dirname(os.path.dirname(psycopg2.__file__))} if path)
FORBIDDEN = ("os.", "socket.", "subprocess.", "ctypes.", "shutil.", "pty.", "signal.", "tempfile.", "glob.",
             "webbrowser.", "ftplib.", "http.", "urllib.", "smtplib.", "sys.settrace", "fcntl.", "mmap.", "resource.")
HARMLESS = ("os.listdir", "os.scandir")

def guard(event, args):
    if event == "open":
        path, mode = str(args[0]), str(args[1] or "r")
        if "r" in mode and not any(c in mode for c in "wax+") and os.path.realpath(path).startswith(modules):
            return
        raise PermissionError("a test may not open files")
    if event in HARMLESS:
        if os.path.realpath(str(args[0])).startswith(tuple(m.rstrip(os.sep) for m in modules)):
            return
        raise PermissionError("a test may not look into folders")
    if event.startswith(FORBIDDEN):
        raise PermissionError("a test may not use " + event)

sys.addaudithook(guard)

for sql in job["setup"]:
    run(sql)
pred_query_result, error, timeout = execute_queries(job["prediction"])
said = {"prediction": "error" if error else "timeout" if timeout else "rows", "tests": []}
if said["prediction"] == "rows":
    for source in job["tests"]:
        space = {"execute_queries": execute_queries, "pred_query_result": pred_query_result, "datetime": datetime,
                 "date": date, "decimal": decimal, "Decimal": Decimal, "math": math, "re": re, "json": json,
                 "psycopg2": psycopg2, "conn": conn, "__name__": "task_test"}
        try:
            exec(compile(source, "<test>", "exec"), space)
            space["test_case"](job["prediction"], job["reference"], job["database"], conn)
            said["tests"].append({"passed": True})
        except BaseException as failure:
            conn.rollback()
            said["tests"].append({"passed": False, "why": (type(failure).__name__ + ": " + str(failure))[:500]})
            if isinstance(failure, (KeyboardInterrupt, MemoryError)):
                break
    for sql in job["cleanup"]:
        run(sql)
answer.write(json.dumps(said))
answer.flush()
`;
