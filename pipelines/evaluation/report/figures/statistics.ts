/** Correlation and lines of the paper's Figure 6 (section C.3). */

export interface Point {
  readonly group: string;
  readonly x: number;
  readonly y: number;
}

const average = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

const groupsOf = (points: readonly Point[]): Map<string, Point[]> => {
  const groups = new Map<string, Point[]>();
  for (const point of points) groups.set(point.group, [...(groups.get(point.group) ?? []), point]);
  return groups;
};

/** Each group's own means taken from both variables, so that differences between groups say nothing. */
export function centred(points: readonly Point[]): Point[] {
  return [...groupsOf(points).values()].flatMap((group) => {
    const [x, y] = [average(group.map((one) => one.x)), average(group.map((one) => one.y))];
    return group.map((one) => ({ group: one.group, x: one.x - x, y: one.y - y }));
  });
}

/** Pearson's r; null where a variable does not vary. */
export function pearson(points: readonly Point[]): number | null {
  if (points.length < 2) return null;
  const [meanX, meanY] = [average(points.map(({ x }) => x)), average(points.map(({ y }) => y))];
  let [xx, yy, xy] = [0, 0, 0];
  for (const { x, y } of points) {
    xx += (x - meanX) ** 2;
    yy += (y - meanY) ** 2;
    xy += (x - meanX) * (y - meanY);
  }
  return xx === 0 || yy === 0 ? null : xy / Math.sqrt(xx * yy);
}

/** Pearson over the points after subtracting each group's mean from both variables. */
export const centredCorrelation = (points: readonly Point[]): number | null => pearson(centred(points));

/** The ordinary least-squares line of each group, from its smallest to its largest x; groups without spread have none. */
export function leastSquaresLines(points: readonly Point[]): Point[] {
  return [...groupsOf(points)].flatMap(([group, own]) => {
    const [meanX, meanY] = [average(own.map(({ x }) => x)), average(own.map(({ y }) => y))];
    const xx = own.reduce((sum, { x }) => sum + (x - meanX) ** 2, 0);
    if (own.length < 2 || xx === 0) return [];
    const slope = own.reduce((sum, { x, y }) => sum + (x - meanX) * (y - meanY), 0) / xx;
    const ends = [Math.min(...own.map(({ x }) => x)), Math.max(...own.map(({ x }) => x))];
    return ends.map((x) => ({ group, x, y: meanY + slope * (x - meanX) }));
  });
}
