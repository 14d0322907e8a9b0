import { crc32, deflateRawSync } from "node:zlib";

/** An entry as it goes into the archive: everything that a liar might want to say can be said. */
export interface ZipEntry {
  name: string;
  content?: string | Buffer;
  /** What the headers claim, where it is not the truth. */
  claims?: { crc32?: number; uncompressedSize?: number };
  /** Upper 16 bits of the external attributes: a Unix mode. */
  mode?: number;
  flags?: number;
  method?: 0 | 8 | 99;
  /** Points this entry at the bytes of the entry with that index. */
  sharesBytesOf?: number;
}

/** A zip archive, written by hand from the format's published description. */
export function zip(entries: readonly ZipEntry[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  const offsets: number[] = [];
  let offset = 0;
  for (const entry of entries) {
    const name = Buffer.from(entry.name, "utf8");
    const content = Buffer.from(entry.content ?? "");
    const method = entry.method ?? 8;
    const packed = method === 8 ? deflateRawSync(content) : content;
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE((entry.flags ?? 0) | 0x800, 2);
    fields.writeUInt16LE(method, 4);
    fields.writeUInt32LE((entry.claims?.crc32 ?? crc32(content)) >>> 0, 10);
    fields.writeUInt32LE(packed.length, 14);
    fields.writeUInt32LE(entry.claims?.uncompressedSize ?? content.length, 18);
    fields.writeUInt16LE(name.length, 22);
    const shared = entry.sharesBytesOf === undefined ? undefined : offsets[entry.sharesBytesOf];
    const at = shared ?? offset;
    offsets.push(at);
    if (shared === undefined) {
      const local = Buffer.concat([Buffer.from("PK\x03\x04", "latin1"), fields, name, packed]);
      parts.push(local);
      offset += local.length;
    }
    const central = Buffer.alloc(14);
    central.writeUInt32LE(((entry.mode ?? 0) << 16) >>> 0, 6);
    central.writeUInt32LE(at, 10);
    const made = Buffer.from([20, 3]);
    directory.push(Buffer.concat([Buffer.from("PK\x01\x02", "latin1"), made, fields, central, name]));
  }
  const list = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(entries.length, 4);
  end.writeUInt16LE(entries.length, 6);
  end.writeUInt32LE(list.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...parts, list, Buffer.from("PK\x05\x06", "latin1"), end]);
}
