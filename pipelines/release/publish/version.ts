/** Whether one version comes before another, by the rules of semantic versioning (semver.org, 11). */
export function isOlder(a: string, b: string): boolean {
  const parts = (version: string): { numbers: number[]; pre: string[] } => {
    const [core = "", ...rest] = version.split("+", 1)[0]?.split("-") ?? [];
    const pre = rest.join("-");
    return { numbers: core.split(".").map(Number), pre: pre === "" ? [] : pre.split(".") };
  };
  const [left, right] = [parts(a), parts(b)];
  for (let at = 0; at < 3; at += 1) {
    const [one = 0, other = 0] = [left.numbers[at], right.numbers[at]];
    if (one !== other) return one < other;
  }
  if (left.pre.length === 0 || right.pre.length === 0) return left.pre.length > right.pre.length;
  for (let at = 0; at < Math.max(left.pre.length, right.pre.length); at += 1) {
    const [one, other] = [left.pre[at], right.pre[at]];
    if (one === other) continue;
    if (one === undefined || other === undefined) return one === undefined;
    const [isNumber, otherIs] = [/^\d+$/.test(one), /^\d+$/.test(other)];
    if (isNumber && otherIs) return Number(one) < Number(other);
    return isNumber === otherIs ? one < other : isNumber;
  }
  return false;
}
