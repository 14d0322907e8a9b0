import type { MiddlewareHandler } from "hono";

/** Nothing but what this server sends itself; no inline script, no frame, no form to elsewhere. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ");

const HEADERS: Readonly<Record<string, string>> = {
  "content-security-policy": POLICY,
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  // Private zones do not belong in a browser's cache.
  "cache-control": "no-store",
};

/** The names under which this machine reaches itself; with or without a port. */
const LOOPBACK = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?$/i;

/** Whether another site had the browser load this as a part of its own page; following a link is no such thing. */
const isEmbedded = (site: string | undefined, mode: string | undefined): boolean =>
  (site === "cross-site" || site === "same-site") && mode !== "navigate";

/**
 * Refuses what a page of another site could do through the person's browser: a name that was made to point here (DNS
 * rebinding), a request from within that page, anything but reading. Sets the headers of every answer.
 */
export const guard: MiddlewareHandler = async (c, next) => {
  const host = c.req.header("host");
  if (host === undefined || !LOOPBACK.test(host)) {
    c.res = c.text("this view answers to 127.0.0.1 and localhost only", 403);
  } else if (c.req.method !== "GET" && c.req.method !== "HEAD") {
    c.res = c.text("this view can only be read", 405, { allow: "GET, HEAD" });
  } else if (isEmbedded(c.req.header("sec-fetch-site"), c.req.header("sec-fetch-mode"))) {
    c.res = c.text("this view cannot be part of another page", 403);
  } else {
    await next();
  }
  for (const [name, value] of Object.entries(HEADERS)) c.res.headers.set(name, value);
};
