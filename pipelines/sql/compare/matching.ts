/** A kind of row, and how many of it are on one side. */
export interface Supply {
  count: number;
}

/** Places of a kind on the left and of one on the right that equal each other. */
export type Pair = readonly [number, number];

interface Edge {
  to: number;
  /** What may still flow along it. */
  room: number;
  /** Index of the opposite edge in the list of `to`. */
  back: number;
}

/**
 * Whether all rows of two sides can be paired, each with one that it equals, when equality is not transitive: a maximum
 * flow (Dinic) from the kinds on the left through `pairs` to those on the right must use all of both.
 */
export function pairsAll(left: readonly Supply[], right: readonly Supply[], pairs: readonly Pair[]): boolean {
  const rows = left.reduce((sum, { count }) => sum + count, 0);
  if (rows !== right.reduce((sum, { count }) => sum + count, 0)) return false;
  const open = withoutLonePairs(left, right, pairs);
  if (open === undefined) return false;
  return flowsFully(left, right, open.pairs, open.total);
}

/**
 * Takes out the pairs whose two kinds equal nobody else, nearly all in practice: they need no search. Undefined when one
 * of them shows already that not all rows can be paired.
 */
function withoutLonePairs(
  left: readonly Supply[],
  right: readonly Supply[],
  pairs: readonly Pair[],
): { pairs: Pair[]; total: number } | undefined {
  const leftDegree = new Int32Array(left.length);
  const rightDegree = new Int32Array(right.length);
  for (const [a, b] of pairs) {
    leftDegree[a] = (leftDegree[a] as number) + 1;
    rightDegree[b] = (rightDegree[b] as number) + 1;
  }
  if (leftDegree.includes(0) || rightDegree.includes(0)) return undefined;
  const open: Pair[] = [];
  let total = left.reduce((sum, { count }) => sum + count, 0);
  for (const pair of pairs) {
    const [a, b] = pair;
    if (leftDegree[a] !== 1 || rightDegree[b] !== 1) {
      open.push(pair);
      continue;
    }
    if (left[a]?.count !== right[b]?.count) return undefined;
    total -= left[a]?.count ?? 0;
  }
  return { pairs: open, total };
}

/** Whether the open pairs can carry the `total` rows of the kinds in them. */
function flowsFully(
  left: readonly Supply[],
  right: readonly Supply[],
  pairs: readonly Pair[],
  total: number,
): boolean {
  if (pairs.length === 0) return total === 0;
  const source = left.length + right.length;
  const sink = source + 1;
  const graph: Edge[][] = Array.from({ length: sink + 1 }, () => []);
  const connect = (from: number, to: number, room: number) => {
    const out = graph[from] as Edge[];
    const back = graph[to] as Edge[];
    out.push({ to, room, back: back.length });
    back.push({ to: from, room: 0, back: out.length - 1 });
  };
  for (const at of new Set(pairs.map(([a]) => a))) connect(source, at, (left[at] as Supply).count);
  for (const at of new Set(pairs.map(([, b]) => b))) {
    connect(left.length + at, sink, (right[at] as Supply).count);
  }
  for (const [a, b] of pairs) connect(a, left.length + b, Number.MAX_SAFE_INTEGER);

  let flow = 0;
  for (;;) {
    const levels = levelsFrom(graph, source);
    if (levels[sink] === -1) return flow === total;
    const next = new Array<number>(graph.length).fill(0);
    for (let pushed = pushOne(graph, levels, next, source, sink); pushed > 0; ) {
      flow += pushed;
      pushed = pushOne(graph, levels, next, source, sink);
    }
  }
}

/** Distance of every node from the source along edges with room; -1 where there is no way. */
function levelsFrom(graph: readonly Edge[][], source: number): number[] {
  const levels = new Array<number>(graph.length).fill(-1);
  levels[source] = 0;
  const queue = [source];
  for (const node of queue) {
    for (const { to, room } of graph[node] as Edge[]) {
      if (room === 0 || levels[to] !== -1) continue;
      levels[to] = (levels[node] as number) + 1;
      queue.push(to);
    }
  }
  return levels;
}

/** Sends what fits along one shortest way, without recursion: a way may be as long as there are rows. */
function pushOne(
  graph: readonly Edge[][],
  levels: readonly number[],
  next: number[],
  source: number,
  sink: number,
): number {
  const way: Edge[] = [];
  let node = source;
  while (node !== sink) {
    const edges = graph[node] as Edge[];
    const edge = edges[next[node] as number];
    if (edge === undefined) {
      // A dead end: go back, and never come here again in this phase.
      const came = way.pop();
      if (came === undefined) return 0;
      node = (graph[came.to] as Edge[])[came.back]?.to as number;
      next[node] = (next[node] as number) + 1;
    } else if (edge.room > 0 && levels[edge.to] === (levels[node] as number) + 1) {
      way.push(edge);
      node = edge.to;
    } else {
      next[node] = (next[node] as number) + 1;
    }
  }
  const pushed = Math.min(...way.map(({ room }) => room));
  for (const edge of way) {
    edge.room -= pushed;
    ((graph[edge.to] as Edge[])[edge.back] as Edge).room += pushed;
  }
  return pushed;
}
