import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { UserError } from "../../../pipelines/errors.js";
import { parseDestination } from "../../../pipelines/release/publish/destination.js";
import { hubAccess, tokenFile } from "../../../pipelines/release/publish/hub/environment.js";
import { temporaryFolder } from "../sample.js";

describe("the token", () => {
  const home = temporaryFolder();
  const file = (path: string, text: string): string => {
    mkdirSync(join(home, path, ".."), { recursive: true });
    writeFileSync(join(home, path), text);
    return join(home, path);
  };
  const env = { HOME: home };

  it("is looked for where huggingface_hub looks, in its order", () => {
    expect(hubAccess(env).token).toBeUndefined();
    file(".cache/huggingface/token", "hf_default\n");
    expect(hubAccess(env).token).toBe("hf_default");
    file("xdg/huggingface/token", "hf_xdg");
    const xdg = { ...env, XDG_CACHE_HOME: join(home, "xdg") };
    expect(hubAccess(xdg).token).toBe("hf_xdg");
    file("hf home/token", " hf_home \r\n");
    const own = { ...xdg, HF_HOME: "~/hf home" };
    expect(hubAccess(own).token).toBe("hf_home");
    file("elsewhere", "hf_path");
    const path = { ...own, HF_TOKEN_PATH: `$HOME/elsewhere` };
    expect(hubAccess(path).token).toBe("hf_path");
    const legacy = { ...path, HUGGING_FACE_HUB_TOKEN: "hf_old" };
    expect(hubAccess(legacy).token).toBe("hf_old");
    expect(hubAccess({ ...legacy, HF_TOKEN: "hf_new\n" }).token).toBe("hf_new");
    // Set to nothing is not set.
    expect(hubAccess({ ...legacy, HF_TOKEN: "" }).token).toBe("hf_old");
  });

  it("of nothing but blanks is none; one that no header can carry is refused, and not told", () => {
    expect(hubAccess({ HF_TOKEN: "  ", HOME: "/nowhere" }).token).toBeUndefined();
    for (const bad of ["hf_a b", "hf_ü", "hf_\u0000x"]) {
      const ask = () => hubAccess({ HF_TOKEN: bad });
      expect(ask).toThrow("HF_TOKEN holds is no token");
      expect(ask).not.toThrow(bad);
    }
    expect(() => hubAccess({ HF_TOKEN_PATH: file("bad", "a b c") })).toThrow("bad holds is no token");
    expect(() => hubAccess({ HF_TOKEN_PATH: home })).toThrow("cannot be read (EISDIR)");
  });

  it("has a file whose name is expanded, and a name that is not set stays", () => {
    expect(tokenFile({ HOME: "/h", HF_HOME: ["$", "{X}/$Y"].join(""), X: "/x" })).toBe("/x/$Y/token");
    expect(tokenFile({ HOME: "/h", HF_TOKEN_PATH: "~other/t" })).toBe("~other/t");
  });
});

describe("the hub's address", () => {
  it.each([
    [{}, "https://huggingface.co"],
    [{ HF_ENDPOINT: "" }, "https://huggingface.co"],
    [{ HF_ENDPOINT: "https://hub.example.org/" }, "https://hub.example.org"],
    [{ HF_ENDPOINT: " http://127.0.0.1:8000/hf// " }, "http://127.0.0.1:8000/hf"],
  ])("of %j is %s", (env, endpoint) => {
    expect(hubAccess({ ...env, HF_TOKEN: "hf_x" }).endpoint).toBe(endpoint);
  });

  it.each(["hub.example.org", "ftp://x", "https://me:pass@x.org", "https://x.org?a=b", "nonsense"])(
    "is not %j",
    (text) => {
      expect(() => hubAccess({ HF_ENDPOINT: text })).toThrow("HF_ENDPOINT is no web address");
      expect(() => hubAccess({ HF_ENDPOINT: text })).not.toThrow("pass");
    },
  );

  it("is not asked where HF_HUB_OFFLINE forbids it", () => {
    expect(() => hubAccess({ HF_HUB_OFFLINE: "1" })).toThrow("HF_HUB_OFFLINE");
    expect(() => hubAccess({ HF_HUB_OFFLINE: "0", HF_TOKEN: "hf_x" })).not.toThrow();
  });
});

describe("--to", () => {
  it.each([
    ["hf:my-lab/ambitab", { kind: "hub", repository: "my-lab/ambitab" }],
    ["hf:datasets/my_lab/ambi.tab-2", { kind: "hub", repository: "my_lab/ambi.tab-2" }],
    ["dir:/a b/c", { kind: "folder", path: "/a b/c" }],
    ["dir:C:\\x", { kind: "folder", path: "C:\\x" }],
  ])("%j is a place", (text, place) => {
    expect(parseDestination(text)).toEqual(place);
  });
  it.each([
    "",
    "dir:",
    "hf:",
    "hf:x",
    "hf:a/b/c",
    "hf:../x",
    "hf:a/..",
    "hf:a/b--c",
    "hf:a/.b",
    "hf:a/b.git",
    "hf:a/b c",
    "hf:a/b?x",
    "s3:x/y",
    "out",
    "https://huggingface.co/a/b",
    `hf:a/${"x".repeat(97)}`,
  ])("%j is none", (text) => {
    expect(() => parseDestination(text)).toThrow(UserError);
  });
});
