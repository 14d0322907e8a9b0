/**
 * What the pages do beyond links and forms: the list follows the filter as it is typed, and the keyboard reaches everything.
 * Every page works without this script. It reads markup that this server made, parsed without running anything.
 */

const FIELDS = "input, textarea, select";

/** The page that an address gives, or undefined when a later wish has taken over or the server is gone. */
async function fetchPage(url: string, signal?: AbortSignal): Promise<Document | undefined> {
  try {
    const response = await fetch(url, { credentials: "omit", ...(signal === undefined ? {} : { signal }) });
    return new DOMParser().parseFromString(await response.text(), "text/html");
  } catch {
    return undefined;
  }
}

let under: AbortController | undefined;

/** Puts the list of another filter in place of the one that is shown; fields that are being typed in stay as they are. */
async function showList(url: string, keep: "push" | "replace" | "none"): Promise<void> {
  under?.abort();
  const own = new AbortController();
  under = own;
  const page = await fetchPage(url, own.signal);
  if (own.signal.aborted) return;
  const [shown, next] = [document.getElementById("results"), page?.getElementById("results")];
  if (page === undefined || shown === null || next === null || next === undefined) {
    location.href = url;
    return;
  }
  shown.replaceWith(next);
  const [form, nextForm] = [document.querySelector("form[data-live]"), page.querySelector("form[data-live]")];
  if (form !== null && nextForm !== null) {
    for (const hidden of form.querySelectorAll("input[type=hidden]")) hidden.remove();
    for (const hidden of nextForm.querySelectorAll("input[type=hidden]")) form.prepend(hidden);
    for (const field of form.querySelectorAll<HTMLInputElement>("input:not([type=hidden])")) {
      const told = nextForm.querySelector<HTMLInputElement>(`input[name="${CSS.escape(field.name)}"]`);
      if (field !== document.activeElement && told !== null) field.value = told.value;
    }
  }
  document.title = page.title;
  if (keep === "push") history.pushState(null, "", url);
  else if (keep === "replace") history.replaceState(null, "", url);
}

function addressOf(form: HTMLFormElement): string {
  const fields = [...new FormData(form)].filter(([, value]) => value !== "");
  const query = new URLSearchParams(fields.map(([name, value]) => [name, String(value)]));
  return query.size === 0 ? form.action : `${form.action}?${query}`;
}

document.addEventListener("input", ({ target }) => {
  const form = target instanceof HTMLInputElement ? target.form : null;
  if (form?.matches("[data-live]")) void showList(addressOf(form), "replace");
});
document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!(form instanceof HTMLFormElement) || !form.matches("[data-live]")) return;
  event.preventDefault();
  void showList(addressOf(form), "replace");
});
addEventListener("popstate", () => {
  if (document.getElementById("results") !== null) void showList(location.href, "none");
});

/** Brings what a link leads to into the page, beneath the link's place. */
async function bringIn(link: HTMLAnchorElement, into: HTMLElement): Promise<void> {
  into.setAttribute("aria-busy", "true");
  const page = await fetchPage(link.href);
  const brought = page?.getElementById("swap") ?? page?.querySelector(".message");
  if (brought === null || brought === undefined) {
    location.href = link.href;
    return;
  }
  brought.removeAttribute("id");
  into.replaceChildren(brought);
  into.removeAttribute("aria-busy");
}

const LAST = "ambitab-last-row";

document.addEventListener("click", (event) => {
  const { target, button, ctrlKey, metaKey, shiftKey, altKey } = event;
  const link = target instanceof Element ? target.closest("a") : null;
  if (!(link instanceof HTMLAnchorElement) || button !== 0 || ctrlKey || metaKey || shiftKey || altKey)
    return;
  const into = document.getElementById(link.dataset.into ?? "");
  if (into !== null) {
    event.preventDefault();
    void bringIn(link, into);
  } else if (link.closest("#results") !== null && link.pathname === location.pathname) {
    event.preventDefault();
    const list = showList(link.href, "push");
    if (link.closest(".pager") !== null) void list.then(() => scrollTo({ top: 0 }));
  } else if (link.parentElement?.classList.contains("row")) {
    sessionStorage.setItem(LAST, JSON.stringify([location.href, link.href]));
  }
});

/** Moves to the next or previous row of the list; from outside of it to the first. */
function move(by: 1 | -1): boolean {
  const rows = [...document.querySelectorAll<HTMLAnchorElement>(".row > a")];
  const at = rows.findIndex((row) => row.matches(":focus"));
  const next = rows[at < 0 ? 0 : Math.min(Math.max(at + by, 0), rows.length - 1)];
  next?.focus();
  next?.scrollIntoView({ block: "nearest" });
  return next !== undefined;
}

const follow = (selector: string): boolean => {
  const link = document.querySelector<HTMLAnchorElement>(selector);
  link?.click();
  return link !== null;
};

/** Whether an earlier page of this tab was one of the view, so that back leads there. */
const cameFromInside = sessionStorage.getItem("ambitab-inside") !== null;
sessionStorage.setItem("ambitab-inside", "1");

const keys = document.getElementById("keys");
const showKeys = (): boolean => {
  if (keys instanceof HTMLDialogElement) keys.showModal();
  return true;
};
document.getElementById("keys-open")?.addEventListener("click", showKeys);

const goBack = (): boolean => {
  if (!cameFromInside) return follow("a[rel=up]");
  history.back();
  return true;
};
const toSearch = (): boolean => {
  const search = document.getElementById("search");
  if (!(search instanceof HTMLInputElement)) return follow('nav a[href="/records"]');
  search.focus();
  search.select();
  return true;
};

const KEYS: Readonly<Record<string, () => boolean>> = {
  "/": toSearch,
  "?": showKeys,
  j: () => move(1),
  k: () => move(-1),
  "[": () => follow("a[rel=prev]"),
  "]": () => follow("a[rel=next]"),
  Escape: goBack,
  "g o": () => follow('nav a[href="/"]'),
  "g r": () => follow('nav a[href="/records"]'),
  "g d": () => follow('nav a[href="/dropped"]'),
  "g e": () => follow('nav a[href="/runs"]'),
};

let before = "";
document.addEventListener("keydown", (event) => {
  const { key, target, ctrlKey, metaKey, altKey, isComposing } = event;
  if (ctrlKey || metaKey || altKey || isComposing || (keys instanceof HTMLDialogElement && keys.open)) return;
  if (target instanceof HTMLElement && target.matches(FIELDS)) {
    if (key === "Escape") target.blur();
    if (key === "ArrowDown" && target.id === "search" && move(1)) event.preventDefault();
    return;
  }
  const inList = document.activeElement?.parentElement?.classList.contains("row") === true;
  const arrows: Record<string, () => boolean> = inList
    ? { ArrowDown: () => move(1), ArrowUp: () => move(-1) }
    : {};
  const act = KEYS[`${before} ${key}`] ?? KEYS[key] ?? arrows[key];
  before = key === "g" ? key : "";
  if (act?.() === true) event.preventDefault();
});

document.documentElement.classList.add("js");

/** Back in a list, the row that was opened has the focus again. */
const [entry] = performance.getEntriesByType("navigation");
if (entry instanceof PerformanceNavigationTiming && entry.type === "back_forward") {
  const [list, row] = JSON.parse(sessionStorage.getItem(LAST) ?? "[]") as string[];
  if (list === location.href)
    [...document.querySelectorAll<HTMLAnchorElement>(".row > a")].find(({ href }) => href === row)?.focus();
}
