import { UserError } from "../../errors.js";

/** Where a release is to be put: a dataset repository of a hub, or a folder. */
export type Destination = { kind: "hub"; repository: string } | { kind: "folder"; path: string };

const PART = /^[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?$/;

/** What the hub's own clients accept as a name (huggingface_hub, `validate_repo_id`). */
function isRepositoryName(name: string): boolean {
  const parts = name.split("/");
  return (
    parts.length === 2 &&
    parts.every((part) => part.length <= 96 && PART.test(part)) &&
    !name.includes("--") &&
    !name.includes("..") &&
    !name.endsWith(".git")
  );
}

/**
 * Reads `hf:OWNER/NAME` or `dir:PATH`.
 *
 * @throws UserError for anything else, and for names that the hub does not take
 */
export function parseDestination(text: string): Destination {
  const at = text.indexOf(":");
  const [kind, rest] = [text.slice(0, at), text.slice(at + 1)];
  if (kind === "dir" && rest !== "") return { kind: "folder", path: rest };
  if (kind !== "hf") {
    throw new UserError(`"${text}" is no place to publish to`, {
      remedy: "use --to hf:OWNER/NAME for a dataset repository, or --to dir:PATH for a folder",
    });
  }
  const repository = rest.replace(/^datasets\//, "");
  if (!isRepositoryName(repository)) {
    throw new UserError(`"${rest}" is no name of a dataset repository`, {
      remedy: "use OWNER/NAME of letters, digits, '-', '_' and '.', such as hf:my-lab/ambitab",
    });
  }
  return { kind: "hub", repository };
}
