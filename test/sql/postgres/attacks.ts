/** What untrusted SQL may try on PostgreSQL, and what is to come of it. */
export interface Attack {
  name: string;
  /** Each is one string as a task would send it. */
  statements: readonly string[];
  /** Where it is tried: `both` is a read-only transaction first, and a database of its own. */
  where: "run" | "clone";
  /** How the last statement ends, and what the message says. */
  outcome: "rows" | "error" | "timeout" | "too_large" | "refused";
  says?: RegExp;
  /** For statements that may end in more than one contained way, such as at the time limit or at the disk's. */
  or?: readonly string[];
  /** The first cell of the result, where the point is what it says. */
  gives?: string | null;
  timeoutMs?: number;
}

const DENIED = /permission denied|must be superuser|must be owner|must have privileges/;

export const ATTACKS: readonly Attack[] = [
  // Files and programs.
  {
    name: "COPY … TO PROGRAM",
    statements: ["COPY item TO PROGRAM 'cat > FILE'"],
    where: "clone",
    outcome: "error",
    says: DENIED,
  },
  {
    name: "COPY … FROM PROGRAM",
    statements: ["COPY item FROM PROGRAM 'touch FILE'"],
    where: "clone",
    outcome: "error",
    says: DENIED,
  },
  {
    name: "COPY … TO a file",
    statements: ["COPY item TO 'FILE'"],
    where: "clone",
    outcome: "error",
    says: DENIED,
  },
  {
    name: "COPY … FROM a file",
    statements: ["COPY item FROM '/etc/passwd'"],
    where: "clone",
    outcome: "error",
    says: DENIED,
  },
  {
    name: "COPY … TO STDOUT",
    statements: ["COPY item TO STDOUT"],
    where: "run",
    outcome: "error",
    says: /talks to a client/,
  },
  {
    name: "COPY … FROM STDIN",
    statements: ["COPY item FROM STDIN"],
    where: "clone",
    outcome: "error",
    says: /talks to a client/,
  },
  {
    name: "pg_read_file",
    statements: ["SELECT pg_read_file('/etc/passwd')"],
    where: "run",
    outcome: "error",
    says: DENIED,
  },
  {
    name: "pg_read_binary_file",
    statements: ["SELECT pg_read_binary_file('postgresql.conf')"],
    where: "run",
    outcome: "error",
    says: DENIED,
  },
  { name: "pg_ls_dir", statements: ["SELECT pg_ls_dir('/')"], where: "run", outcome: "error", says: DENIED },
  {
    name: "pg_stat_file",
    statements: ["SELECT pg_stat_file('/etc/passwd')"],
    where: "run",
    outcome: "error",
    says: DENIED,
  },
  {
    name: "lo_export",
    statements: ["SELECT lo_export(lo_from_bytea(0, 'x'), 'FILE')"],
    where: "clone",
    outcome: "error",
    says: DENIED,
  },
  {
    name: "lo_import",
    statements: ["SELECT lo_import('/etc/passwd')"],
    where: "clone",
    outcome: "error",
    says: DENIED,
  },
  {
    name: "a function in C",
    statements: ["CREATE FUNCTION f() RETURNS int LANGUAGE c AS 'libc', 'system'"],
    where: "run",
    outcome: "error",
    says: DENIED,
  },
  {
    name: "LOAD",
    statements: ["LOAD '/tmp/evil.so'"],
    where: "run",
    outcome: "error",
    says: /not allowed|denied/,
  },
  {
    name: "file_fdw",
    statements: ["CREATE EXTENSION file_fdw"],
    where: "run",
    outcome: "error",
    says: DENIED,
  },
  {
    name: "plpython3u",
    statements: ["CREATE EXTENSION plpython3u"],
    where: "run",
    outcome: "error",
    says: /denied|not available|could not/,
  },
  // The network.
  { name: "dblink", statements: ["CREATE EXTENSION dblink"], where: "run", outcome: "error", says: DENIED },
  {
    name: "postgres_fdw",
    statements: ["CREATE EXTENSION postgres_fdw"],
    where: "run",
    outcome: "error",
    says: DENIED,
  },
  {
    name: "a subscription",
    statements: ["CREATE SUBSCRIPTION s CONNECTION 'host=localhost' PUBLICATION p WITH (connect = false)"],
    where: "clone",
    outcome: "error",
    says: /superuser|denied|transaction/,
  },
  // The server and its other databases.
  {
    name: "DROP DATABASE of the template",
    statements: ["DROP DATABASE TEMPLATE"],
    where: "run",
    outcome: "error",
    says: /owner|transaction block/,
  },
  {
    name: "DROP DATABASE postgres",
    statements: ["DROP DATABASE postgres"],
    where: "run",
    outcome: "error",
    says: /owner|transaction block/,
  },
  {
    name: "DROP DATABASE outside a transaction",
    statements: ["COMMIT", "COMMIT; DROP DATABASE postgres"],
    where: "clone",
    outcome: "error",
    says: /owner|transaction block/,
  },
  {
    name: "CREATE DATABASE",
    statements: ["CREATE DATABASE mine"],
    where: "run",
    outcome: "error",
    says: /denied|transaction block/,
  },
  {
    name: "ALTER DATABASE of the template",
    statements: ["ALTER DATABASE TEMPLATE SET work_mem = '1GB'"],
    where: "run",
    outcome: "error",
    says: DENIED,
  },
  {
    name: "ALTER SYSTEM",
    statements: ["ALTER SYSTEM SET fsync = 'on'"],
    where: "run",
    outcome: "error",
    says: /denied|superuser|transaction block/,
  },
  {
    name: "pg_reload_conf",
    statements: ["SELECT pg_reload_conf()"],
    where: "run",
    outcome: "error",
    says: DENIED,
  },
  {
    name: "pg_terminate_backend of all others",
    statements: [
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename LIKE '%\\_work\\_%' AND pid <> pg_backend_pid()",
    ],
    where: "run",
    outcome: "error",
    says: /must be a member/,
  },
  {
    name: "pg_cancel_backend of all others",
    statements: [
      "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE usename LIKE '%\\_work\\_%' AND pid <> pg_backend_pid()",
    ],
    where: "run",
    outcome: "error",
    says: /must be a member/,
  },
  {
    name: "pg_terminate_backend of itself",
    statements: ["SELECT pg_terminate_backend(pg_backend_pid())"],
    where: "run",
    outcome: "error",
    says: /ended the session/,
  },
  {
    name: "an event trigger",
    statements: [
      "CREATE FUNCTION e() RETURNS event_trigger LANGUAGE plpgsql AS 'BEGIN END'; CREATE EVENT TRIGGER e ON ddl_command_start EXECUTE FUNCTION e()",
    ],
    where: "run",
    outcome: "error",
    says: DENIED,
  },
  { name: "a checkpoint", statements: ["CHECKPOINT"], where: "run", outcome: "error", says: DENIED },
  {
    name: "filling the log of changes",
    statements: [
      "SELECT pg_logical_emit_message(false, 'x', repeat('x', 1000)) FROM generate_series(1, 1000)",
    ],
    where: "run",
    outcome: "error",
    says: DENIED,
  },
  // Rights.
  {
    name: "SET ROLE to the administrator",
    statements: ["SET ROLE ADMIN"],
    where: "run",
    outcome: "error",
    says: DENIED,
  },
  {
    name: "SET SESSION AUTHORIZATION",
    statements: ["SET SESSION AUTHORIZATION ADMIN"],
    where: "run",
    outcome: "error",
    says: DENIED,
  },
  {
    name: "CREATE ROLE",
    statements: ["CREATE ROLE mine SUPERUSER"],
    where: "run",
    outcome: "error",
    says: DENIED,
  },
  {
    name: "ALTER ROLE to superuser",
    statements: ["ALTER ROLE CURRENT_USER SUPERUSER"],
    where: "run",
    outcome: "error",
    says: DENIED,
  },
  {
    name: "its own password",
    statements: ["ALTER ROLE CURRENT_USER PASSWORD 'mine'"],
    where: "run",
    outcome: "rows",
  },
  {
    name: "settings for later logins",
    statements: ["ALTER ROLE CURRENT_USER SET search_path = nowhere"],
    where: "run",
    outcome: "rows",
  },
  {
    name: "the owners' role and its settings",
    statements: [
      "SET ROLE OWNER; ALTER ROLE OWNER SET search_path = nowhere; ALTER ROLE OWNER PASSWORD 'mine'",
    ],
    where: "run",
    outcome: "rows",
  },
  {
    name: "passwords of others",
    statements: ["SELECT rolpassword FROM pg_authid"],
    where: "run",
    outcome: "error",
    says: DENIED,
  },
  {
    name: "statements of others",
    statements: [
      "SELECT count(*) FROM pg_stat_activity WHERE query LIKE '%sleeps in sec' || 'ret%' AND pid <> pg_backend_pid()",
    ],
    where: "run",
    outcome: "rows",
    gives: "i0",
  },
  {
    name: "SECURITY DEFINER under a cast",
    statements: [
      "CREATE FUNCTION f(item) RETURNS text LANGUAGE plpgsql AS 'BEGIN ALTER ROLE CURRENT_USER SUPERUSER; RETURN 1; END'; CREATE CAST (item AS text) WITH FUNCTION f(item)",
      "SELECT 1",
    ],
    where: "clone",
    outcome: "rows",
  },
  // Time.
  { name: "pg_sleep", statements: ["SELECT pg_sleep(100)"], where: "run", outcome: "timeout" },
  {
    name: "its own cancellation",
    statements: ["SELECT pg_cancel_backend(pg_backend_pid())"],
    where: "run",
    outcome: "error",
    says: /user request/,
  },
  {
    name: "pg_sleep without a time-out",
    statements: ["SET statement_timeout = 0; SELECT pg_sleep(100)"],
    where: "clone",
    outcome: "timeout",
  },
  {
    name: "a never-ending PL/pgSQL loop",
    statements: ["DO $$ BEGIN LOOP END LOOP; END $$"],
    where: "run",
    outcome: "timeout",
  },
  {
    name: "a loop that catches its cancellation",
    statements: [
      "DO $$ BEGIN LOOP BEGIN PERFORM pg_sleep(100); EXCEPTION WHEN query_canceled THEN NULL; END; END LOOP; END $$",
    ],
    where: "run",
    outcome: "timeout",
  },
  {
    name: "a check at the end of the transaction that never ends",
    statements: [
      `CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN LOOP BEGIN PERFORM pg_sleep(100);
         EXCEPTION WHEN query_canceled THEN NULL; END; END LOOP; END $$;
       CREATE CONSTRAINT TRIGGER late AFTER DELETE ON item DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION f();
       DELETE FROM item; SET statement_timeout = 0`,
    ],
    where: "clone",
    outcome: "timeout",
  },
  {
    name: "an endless recursive CTE",
    statements: ["WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n FROM r) SELECT count(*) FROM r"],
    where: "run",
    outcome: "timeout",
  },
  {
    name: "a cross join of everything",
    statements: ["SELECT count(*) FROM item a, item b, item c, item d, generate_series(1, 1000000) g"],
    where: "run",
    outcome: "timeout",
  },
  {
    name: "a regular expression that backtracks",
    statements: ["SELECT repeat('a', 3000) ~ '^(a?){1,200}(a+)+(b|c)\\1$'"],
    where: "run",
    outcome: "timeout",
    or: ["error", "rows"],
  },
  {
    name: "a lock held for the next task",
    statements: ["BEGIN; LOCK TABLE item IN ACCESS EXCLUSIVE MODE"],
    where: "run",
    outcome: "rows",
  },
  // Memory and disk.
  {
    name: "generate_series(1, 1e10)",
    statements: ["SELECT generate_series(1, 1e10)"],
    where: "run",
    outcome: "too_large",
    or: ["timeout"],
  },
  {
    name: "generate_series in FROM",
    statements: ["SELECT count(*) FROM generate_series(1, 10000000000)"],
    where: "run",
    outcome: "too_large",
    or: ["timeout"],
    timeoutMs: 20_000,
  },
  {
    name: "a string of 1 GB",
    statements: ["SELECT repeat('x', 1000000000)"],
    where: "run",
    outcome: "too_large",
  },
  {
    name: "a string of 200 MB that fits the server",
    statements: ["SELECT repeat('x', 200000000)"],
    where: "run",
    outcome: "too_large",
    timeoutMs: 40_000,
  },
  {
    name: "many middling strings",
    statements: ["SELECT repeat('x', 10000000) FROM generate_series(1, 100)"],
    where: "run",
    outcome: "too_large",
    timeoutMs: 40_000,
  },
  {
    name: "an array without end",
    statements: ["SELECT array_agg(g) FROM generate_series(1, 1000000000) g"],
    where: "run",
    outcome: "too_large",
    or: ["timeout"],
    timeoutMs: 20_000,
  },
  {
    name: "a sort in memory without end",
    statements: [
      "SET work_mem = '100GB'; SELECT g FROM generate_series(1, 1000000000) g ORDER BY md5(g::text)",
    ],
    where: "clone",
    outcome: "too_large",
    or: ["timeout"],
    timeoutMs: 40_000,
  },
  {
    name: "a flood of temporary files",
    statements: ["SELECT g, repeat('x', 1000) FROM generate_series(1, 10000000) g ORDER BY md5(g::text)"],
    where: "run",
    outcome: "too_large",
    or: ["timeout"],
    timeoutMs: 20_000,
  },
  {
    name: "a table without end",
    statements: ["CREATE TABLE flood AS SELECT repeat('x', 1000) FROM generate_series(1, 1000000000)"],
    where: "run",
    outcome: "too_large",
    or: ["timeout"],
    timeoutMs: 20_000,
  },
  {
    name: "a temporary table without end",
    statements: ["CREATE TEMP TABLE flood AS SELECT repeat('x', 1000) FROM generate_series(1, 1000000000)"],
    where: "run",
    outcome: "too_large",
    or: ["timeout"],
    timeoutMs: 20_000,
  },
  {
    name: "large objects without end",
    statements: ["SELECT lo_from_bytea(0, decode(md5(g::text), 'hex')) FROM generate_series(1, 100000000) g"],
    where: "clone",
    outcome: "too_large",
    or: ["timeout"],
    timeoutMs: 20_000,
  },
  {
    name: "a NOTIFY storm",
    statements: ["SELECT pg_notify('c', g::text) FROM generate_series(1, 100000000) g"],
    where: "run",
    outcome: "too_large",
    or: ["timeout"],
    timeoutMs: 3_000,
  },
  {
    name: "a storm of notices",
    statements: [
      "SET client_min_messages = notice; DO $$ BEGIN LOOP RAISE NOTICE '%', repeat('x', 10000); END LOOP; END $$",
    ],
    where: "clone",
    outcome: "timeout",
    or: ["too_large"],
  },
  {
    name: "a stack without end",
    statements: [
      "CREATE FUNCTION f(n int) RETURNS int LANGUAGE plpgsql AS 'BEGIN RETURN f(n + 1); END'; SELECT f(1)",
    ],
    where: "run",
    outcome: "error",
    says: /stack depth/,
  },
  {
    name: "nested parentheses",
    statements: [`SELECT ${"(".repeat(50_000)}1${")".repeat(50_000)}`],
    where: "run",
    outcome: "error",
    says: /stack depth|memory/,
    or: ["too_large"],
  },
  // What might stay behind for the next task.
  {
    name: "advisory locks",
    statements: ["SELECT pg_advisory_lock(g) FROM generate_series(1, 5) g"],
    where: "run",
    outcome: "rows",
  },
  {
    name: "advisory locks without end",
    statements: ["SELECT pg_advisory_lock(g) FROM generate_series(1, 10000000) g"],
    where: "run",
    outcome: "too_large",
    or: ["error", "timeout"],
    timeoutMs: 5_000,
  },
  { name: "a prepared statement", statements: ["PREPARE mine AS SELECT 1"], where: "run", outcome: "rows" },
  {
    name: "the random numbers of the next",
    statements: ["SELECT setseed(0.5)"],
    where: "run",
    outcome: "rows",
  },
  {
    name: "the settings of the next",
    statements: [
      "SELECT set_config('search_path', 'nowhere', false), set_config('TimeZone', 'Asia/Tokyo', false)",
    ],
    where: "run",
    outcome: "rows",
  },
  {
    name: "a change after COMMIT",
    statements: ["COMMIT; DELETE FROM item; COMMIT"],
    where: "run",
    outcome: "rows",
  },
  {
    name: "a writable transaction",
    statements: ["SET TRANSACTION READ WRITE"],
    where: "run",
    outcome: "error",
    says: /before any query|read-write/,
  },
  {
    name: "a write in a function",
    statements: ["SELECT nextval('item_seq')"],
    where: "run",
    outcome: "rows",
    gives: "i1",
  },
  {
    name: "a transaction prepared for later",
    statements: ["PREPARE TRANSACTION 'mine'"],
    where: "run",
    outcome: "error",
    says: /prepared transactions are disabled|denied/,
  },
  { name: "listening", statements: ["LISTEN c"], where: "run", outcome: "rows" },
  {
    name: "shadows of the catalogue",
    statements: [
      "CREATE FUNCTION public.count(item) RETURNS int LANGUAGE sql AS 'SELECT 0'; CREATE TABLE pg_temp.item (n int)",
    ],
    where: "run",
    outcome: "rows",
  },
];
