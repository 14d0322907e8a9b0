import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { memoryDisk } from "../../../pipelines/sql/postgres/memory-disk.js";

const mount = (options: string, type = "tmpfs") =>
  `disk / ext4 rw 0 0\n${type} /dev/shm ${type} ${options} 0 0\n`;

describe("a place in memory for servers' databases", () => {
  const { TMPDIR } = process.env;
  beforeEach(() => {
    delete process.env.TMPDIR;
  });
  afterEach(() => {
    if (TMPDIR !== undefined) process.env.TMPDIR = TMPDIR;
  });

  it("is none that cannot be written in, that runs no programs, that is a disk or is not there", () => {
    expect(memoryDisk(mount("ro,relatime"))).toBeUndefined();
    expect(memoryDisk(mount("rw,nosuid,noexec"))).toBeUndefined();
    expect(memoryDisk(mount("rw", "ext4"))).toBeUndefined();
    expect(memoryDisk("disk / ext4 rw 0 0\n")).toBeUndefined();
    expect(memoryDisk("")).toBeUndefined();
  });

  it("is judged by what was mounted there last", () => {
    expect(memoryDisk(mount("rw") + mount("rw,noexec"))).toBeUndefined();
  });

  it("is none where a person has named a temporary directory", () => {
    process.env.TMPDIR = "/somewhere";
    expect(memoryDisk()).toBeUndefined();
  });
});
