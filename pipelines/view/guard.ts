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
 *
 * @param say hears the first refusal of each kind
 */
export function guard(say: (text: string) => void): MiddlewareHandler {
  const told = new Set<string>();
  return async (c, next) => {
    const refuse = (text: string, status: 403 | 405, by: string): void => {
      c.res = c.text(text, status, status === 405 ? { allow: "GET, HEAD" } : {});
      if (!told.has(text)) say(`refused a request (${JSON.stringify(by.slice(0, 100))}): ${text}`);
      told.add(text);
    };
    const host = c.req.header("host") ?? "";
    const { method } = c.req;
    const [site, mode] = [c.req.header("sec-fetch-site"), c.req.header("sec-fetch-mode")];
    if (!LOOPBACK.test(host)) refuse("this view answers to 127.0.0.1 and localhost only", 403, host);
    else if (method !== "GET" && method !== "HEAD") refuse("this view can only be read", 405, method);
    else if (isEmbedded(site, mode)) refuse("this view cannot be part of another page", 403, site ?? "");
    else await next();
    for (const [name, value] of Object.entries(HEADERS)) c.res.headers.set(name, value);
  };
}
