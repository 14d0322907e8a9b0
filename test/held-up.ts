/**
 * How long this process was kept from running: what a busy machine adds to anything that is measured in it. Limits on a
 * duration leave it out, so that they say something about our code and not about the neighbours.
 */
const EVERY_MS = 5;

/** Starts to measure; the function that it gives says how many milliseconds were lost since. */
export function heldUp(): () => number {
  let lost = 0;
  let last = performance.now();
  const look = (): void => {
    const now = performance.now();
    lost += Math.max(0, now - last - 2 * EVERY_MS);
    last = now;
  };
  const timer = setInterval(look, EVERY_MS);
  return () => {
    clearInterval(timer);
    look();
    return lost;
  };
}

/** Milliseconds of processor time that this process has spent on its own code: no matter how often it had to wait. */
export const spentMs = (): number => process.cpuUsage().user / 1000;
