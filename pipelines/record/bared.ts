/** Text as copies and leaks are looked for in it: without case and without any white space, neither of which hides one. */
export const bared = (text: string): string => text.normalize("NFKC").toLowerCase().replace(/\s+/g, "");

/** Shorter texts ("name", "3") stand in others by chance. Counted as bared. */
export const SHORTEST_COPY = 12;
