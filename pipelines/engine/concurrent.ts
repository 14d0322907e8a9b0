/**
 * Works through a stream with up to `width` pieces of work under way, in whatever order they end: a piece that takes long
 * (a model that hangs) holds up nothing but itself. Reads no further ahead than `width`. For work whose order matters see
 * `mapOrdered`.
 *
 * The first failure ends the reading; what is under way then is awaited before it is thrown.
 */
export async function forEachConcurrently<In>(
  stream: AsyncIterable<In>,
  width: number,
  work: (value: In) => Promise<void>,
): Promise<void> {
  const iterator = stream[Symbol.asyncIterator]();
  let failure: { error: unknown } | undefined;
  const worker = async (): Promise<void> => {
    try {
      while (failure === undefined) {
        const next = await iterator.next();
        // What was read while another piece failed is not begun.
        if (next.done === true || failure !== undefined) return;
        await work(next.value);
      }
    } catch (error) {
      failure ??= { error };
    }
  };
  await Promise.all(Array.from({ length: width }, worker));
  await iterator.return?.(undefined);
  if (failure !== undefined) throw (failure as { error: unknown }).error;
}
