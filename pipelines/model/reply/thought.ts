interface Span {
  readonly start: number;
  readonly end: number;
}

/** A reply without what the model thought aloud. */
export interface Answer {
  /** The reply with blanks in the place of thoughts: offsets stay what they were. */
  readonly text: string;
  /** Where a thought begins that never ends: what follows may be draft or answer. */
  readonly openThought: number | undefined;
  isThought(offset: number): boolean;
}

const TAG = /<(\/?)(?:think|thinking|thought|reasoning)>/gi;

/**
 * Takes the thoughts out of a reply. Chat templates often write the opening tag into the prompt, so an end without a
 * beginning ends a thought that the reply began with. Tags inside of `strings` (objects of the answer) are text.
 */
export function withoutThoughts(reply: string, strings: readonly Span[] = []): Answer {
  const thoughts: Span[] = [];
  let open: number | undefined;
  for (const { index, 0: tag, 1: slash } of reply.matchAll(TAG)) {
    if (strings.some(({ start, end }) => index > start && index < end)) continue;
    if (slash === "") open ??= index;
    else {
      thoughts.push({ start: open ?? 0, end: index + tag.length });
      open = undefined;
    }
  }
  let text = reply;
  for (const { start, end } of thoughts)
    text = text.slice(0, start) + " ".repeat(end - start) + text.slice(end);
  return {
    text,
    openThought: open,
    isThought: (offset) => thoughts.some(({ start, end }) => offset >= start && offset < end),
  };
}
