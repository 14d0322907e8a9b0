/**
 * Maps a stream with up to `width` calls under way and yields the results in the stream's own order, so that nothing
 * downstream depends on which call ended first. Reads no further ahead than `width`.
 *
 * The first failure is thrown at its place in the order; calls still under way then are awaited before it is thrown.
 */
export async function* mapOrdered<In, Out>(
  stream: AsyncIterable<In>,
  width: number,
  map: (value: In) => Promise<Out>,
): AsyncGenerator<Out> {
  const waiting: Promise<Out>[] = [];
  try {
    for await (const value of stream) {
      const call = map(value);
      // Without a handler a failure behind the head of the queue would count as unhandled until its turn comes.
      call.catch(() => undefined);
      waiting.push(call);
      if (waiting.length >= width) yield await waiting.shift()!;
    }
    while (waiting.length > 0) yield await waiting.shift()!;
  } finally {
    await Promise.allSettled(waiting);
  }
}
