/** Why an entry of an archive may not be unpacked; names are judged as they stand in the archive, before anything else. */
export function entryNameProblem(name: string): string | undefined {
  if (name === "") return "has an empty name";
  if (name.includes("\0")) return "has a NUL in its name";
  if (/[\u0001-\u001f\u007f]/.test(name)) return "has a control character in its name";
  if (name.includes("\\")) return "has a backslash in its name";
  if (name.startsWith("/")) return "has an absolute path";
  if (/^[A-Za-z]:/.test(name)) return "has a drive letter";
  const parts = name.replace(/\/$/, "").split("/");
  if (parts.some((part) => part === "..")) return "leaves its folder";
  if (parts.some((part) => part === "" || part === ".")) return "has an empty path part";
  return undefined;
}

/** What Finder and Explorer put into archives; not part of any source. */
export function isJunk(name: string): boolean {
  return name.startsWith("__MACOSX/") || /(^|\/)(\.DS_Store|Thumbs\.db|desktop\.ini)$/.test(name);
}

/**
 * The paths that an archive has claimed so far. Two entries clash when they would be one file on some file system (case
 * and Unicode form apart), or when one is a file and the other needs it as a folder.
 */
export class ClaimedPaths {
  private readonly files = new Set<string>();
  private readonly folders = new Set<string>();

  /** Claims a file's path; says what it clashes with. */
  claim(path: string): string | undefined {
    const key = path.normalize("NFC").toLowerCase();
    if (this.files.has(key)) return "is there twice";
    if (this.folders.has(key)) return "is a file and a folder";
    const parts = key.split("/");
    for (let depth = 1; depth < parts.length; depth += 1) {
      const folder = parts.slice(0, depth).join("/");
      if (this.files.has(folder)) return "lies in a file";
      this.folders.add(folder);
    }
    this.files.add(key);
    return undefined;
  }
}
