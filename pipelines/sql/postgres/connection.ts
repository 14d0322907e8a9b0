import { Socket } from "node:net";
import type { Duplex } from "node:stream";
import pg from "pg";
import { UserError } from "../../errors.js";

/** How to reach a server: what the driver needs, and nothing that may stand in a message. */
export interface Address {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string | undefined;
  readonly database: string;
  readonly ssl?: boolean | { rejectUnauthorized: boolean };
}

/**
 * What every session is started with, so that a result depends on the data and the SQL alone: not on the machine's time
 * zone, nor on its number of processors (a parallel sum adds doubles in another order), nor on who scans beside it. A
 * session's SQL may change them; the next session has them again.
 */
export const SESSION_SETTINGS: Readonly<Record<string, string>> = {
  TimeZone: "UTC",
  DateStyle: "ISO,MDY",
  IntervalStyle: "postgres",
  extra_float_digits: "1",
  bytea_output: "hex",
  client_min_messages: "error",
  max_parallel_workers_per_gather: "0",
  max_parallel_maintenance_workers: "0",
  jit: "off",
  synchronize_seqscans: "off",
  standard_conforming_strings: "on",
};

/** Settings as the text of the `options` start-up parameter. */
function optionsText(settings: Readonly<Record<string, string>>): string {
  return Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value.replace(/[\\ ]/g, "\\$&")}`)
    .join(" ");
}

/** Reads a DATABASE_URL: `postgres://user:password@host:port/database`, `?host=/folder` for a Unix socket. */
export function addressOf(url: string): Address {
  let parsed: URL;
  try {
    parsed = new URL(url);
  } catch (cause) {
    throw new UserError("DATABASE_URL is not a URL", {
      remedy: "write it as postgres://user:password@host:5432/postgres",
      cause,
    });
  }
  if (!/^postgres(?:ql)?:$/.test(parsed.protocol)) {
    throw new UserError(`DATABASE_URL is for ${parsed.protocol.slice(0, -1)}, not for PostgreSQL`, {
      remedy: "write it as postgres://user:password@host:5432/postgres",
    });
  }
  const of = (text: string) => decodeURIComponent(text);
  const mode = parsed.searchParams.get("sslmode");
  const ssl = mode === null || mode === "disable" || mode === "prefer" || mode === "allow" ? undefined : mode;
  return {
    host: parsed.searchParams.get("host") ?? (of(parsed.hostname) || "localhost"),
    port: Number(parsed.port || parsed.searchParams.get("port") || 5432),
    user: of(parsed.username) || "postgres",
    password: parsed.password === "" ? undefined : of(parsed.password),
    database: of(parsed.pathname.slice(1)) || "postgres",
    ...(ssl !== undefined && { ssl: { rejectUnauthorized: ssl.startsWith("verify") } }),
  };
}

/** The address as it may be shown. */
export const shownAddress = ({ host, port, database }: Address): string => `${host}:${port}/${database}`;

/** The largest single message of the server that the driver is let to gather; see `boundMessages`. */
interface MessageBound {
  bytes: number;
  passed(): void;
}

/**
 * Watches the lengths of the server's messages as they arrive. The driver holds a message until it is whole: a row with a
 * text of a gigabyte would fill our memory before anybody could look at it. Such a message is seen by its header.
 */
function boundMessages(socket: Duplex, bound: MessageBound): void {
  const header = Buffer.alloc(5);
  let have = 0;
  let skip = 0;
  socket.on("data", (chunk: Buffer) => {
    let at = 0;
    while (at < chunk.length) {
      if (skip > 0) {
        const step = Math.min(skip, chunk.length - at);
        skip -= step;
        at += step;
        continue;
      }
      const step = Math.min(5 - have, chunk.length - at);
      chunk.copy(header, have, at, at + step);
      have += step;
      at += step;
      if (have < 5) continue;
      have = 0;
      skip = Math.max(header.readUInt32BE(1) - 4, 0);
      if (skip > bound.bytes) {
        bound.passed();
        return;
      }
    }
  });
}

export interface OpenOptions {
  /** The name the server shows of it. */
  name: string;
  settings?: Readonly<Record<string, string>>;
  bound?: MessageBound;
}

/** Connects. The client's `error` events are swallowed: whoever waits for a statement is told by that. */
export async function openClient(address: Address, options: OpenOptions): Promise<pg.Client> {
  const { bound } = options;
  const client = new pg.Client({
    host: address.host,
    port: address.port,
    user: address.user,
    password: address.password ?? "",
    database: address.database,
    application_name: options.name,
    connectionTimeoutMillis: 30_000,
    options: optionsText({ ...SESSION_SETTINGS, ...options.settings }),
    ...(address.ssl !== undefined && { ssl: address.ssl }),
  });
  client.on("error", () => undefined);
  await client.connect();
  // From here on the server speaks in whole messages, inside TLS too.
  if (bound !== undefined) boundMessages(client.connection.stream, bound);
  return client;
}

/**
 * Whether a connection keeps our program from ending. One that waits for its next use must not: a program that forgets to
 * close its server still ends. One that is asked something must.
 */
export function keepAwake(client: pg.Client, awake: boolean): void {
  const { stream } = client.connection;
  if (!(stream instanceof Socket)) return;
  if (awake) stream.ref();
  else stream.unref();
}
