// The lists: rows by key, several rows at once, and counts that never move a row. Every control is a link or a
// form that also works without this file; keys press the controls (keys.js).
const { one, all, on } = dom;

// --- the row that keys speak of ----------------------------------------------------------------------
const rows = () => all("tr[data-review-id]");
const rowOf = (element) => element?.closest?.("tr[data-review-id]");
let current = null; // the id of the row that had the focus last

const here = () => rows().find((row) => row.dataset.reviewId === current);
const linkOf = (row) => one("[data-testid=open-review]", row);
on("focusin", (event) => {
  current = rowOf(event.target)?.dataset.reviewId ?? current;
});

function step(by) {
  const list = rows(),
    place = list.indexOf(here());
  const next = list[place < 0 ? 0 : Math.max(0, Math.min(list.length - 1, place + by))];
  if (next) linkOf(next).focus();
}

// --- several rows ------------------------------------------------------------------------------------
const PICK = "tr input[name=pick]:not(:disabled)";
const boxes = () => all(PICK);
let from = null; // the box where a range begins
let shift = false;

function count() {
  const some = boxes().filter((box) => box.checked).length,
    told = one("#picked"),
    every = one("#pick-all");
  if (!told) return;
  told.textContent = some ? `${told.dataset.some} ${some}` : told.dataset.none;
  one("#unpick").hidden = !some;
  every.checked = some > 0 && some === boxes().length;
  every.indeterminate = some > 0 && !every.checked;
  boxes().forEach((box) => rowOf(box).toggleAttribute("data-picked", box.checked));
}

function picked(box) {
  const list = boxes(),
    [first, last] = [list.indexOf(from), list.indexOf(box)].sort((a, b) => a - b);
  if (shift && from?.isConnected)
    list.slice(first, last + 1).forEach((other) => {
      other.checked = box.checked;
    });
  from = box;
  count();
}

function setAll(checked) {
  boxes().forEach((box) => {
    box.checked = checked;
  });
  count();
}

// With no row selected an action means the row that had the focus.
let lent = null;
function lend() {
  const box = here() && one(PICK, here());
  if (!box || boxes().some((other) => other.checked)) return;
  lent = box;
  box.checked = true;
  count();
}

on("click", (event) => {
  const by = (query) => event.target.closest(query);
  shift = event.shiftKey || (shift && !event.isTrusted);
  if (by("[data-row-step]")) step(Number(by("[data-row-step]").dataset.rowStep));
  else if (by("[data-row-open]")) linkOf(here() ?? rows()[0])?.click();
  else if (by("[data-row-pick]")) one(PICK, here() ?? rows()[0])?.click();
  else if (by(PICK)) picked(by(PICK));
  else if (by("#pick-all")) setAll(by("#pick-all").checked);
  else if (by("#unpick")) setAll(false);
  else if (by("[data-many]")) lend();
  else if (by("dialog [data-close]")) {
    event.preventDefault();
    by("dialog").close();
  }
});

// --- the dialog of an action, and I I: to me ---------------------------------------------------------
let asking = false,
  twice = false;
const assigns = (code) => one("[data-testid=assign]")?.dataset.key?.split(" ").includes(code);

on(
  "keydown",
  (event) => {
    shift = event.shiftKey;
    const sheet = one("#sheet[open]");
    if (!assigns(event.code) || event.target.matches("input:not([type=checkbox]), select") || !(asking || sheet))
      return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (sheet) one("[data-me]", sheet)?.click();
    else twice = true;
  },
  true,
);
on("keyup", (event) => {
  shift = event.shiftKey;
});

on("htmx:beforeRequest", (event) => {
  if (event.target.id === "bulk") {
    asking = true;
    twice = false;
  }
  if (event.target.id === "news" && document.hidden) event.preventDefault();
});
on("htmx:afterRequest", (event) => {
  if (event.target.id === "bulk") asking = false;
  const lost = event.target.id === "news" && one("#news [data-lost]");
  if (lost) lost.hidden = (event.detail.xhr?.status ?? 0) !== 0;
});
on("htmx:afterSwap", (event) => {
  if (event.detail.target.id !== "sheet") return;
  const sheet = event.detail.target;
  if (!sheet.open) sheet.showModal();
  (one("button.go", sheet) ?? one("[data-close]", sheet)).focus();
  if (twice) one("[data-me]", sheet)?.click();
});
on(
  "close",
  (event) => {
    if (event.target.id !== "sheet") return;
    event.target.replaceChildren();
    if (lent) {
      lent.checked = false;
      lent = null;
      count();
    }
    if (here()) linkOf(here()).focus();
  },
  true,
);

// --- a list that takes its time ----------------------------------------------------------------------
const SLOW = 300,
  STILL = 5_000;
let timers = [];
function wait(yes) {
  timers.forEach(clearTimeout);
  const still = one("#slow");
  timers = yes
    ? [
        setTimeout(() => one("#rows").setAttribute("aria-busy", "true"), SLOW),
        setTimeout(() => {
          still.hidden = false;
        }, STILL),
      ]
    : [];
  if (yes) return;
  one("#rows")?.removeAttribute("aria-busy");
  if (still) still.hidden = true;
}
on("htmx:beforeRequest", (event) => {
  if (event.detail.target?.id === "rows") wait(true);
});
on("htmx:afterRequest", (event) => {
  if (event.detail.target?.id === "rows") wait(false);
});
on("click", (event) => {
  if (event.target.closest("[data-abort]")) htmx.trigger(event.target.closest("form"), "htmx:abort");
});

// --- what changed meanwhile --------------------------------------------------------------------------
on("visibilitychange", () => {
  if (!document.hidden) one("#news")?.dispatchEvent(new Event("look"));
});
on("htmx:oobAfterSwap", (event) => {
  const waiting = event.detail.target.id === "counters" && one("[data-testid=view-waiting] b"),
    told = one("header nav .count");
  if (waiting && told) told.textContent = waiting.textContent;
});
on("htmx:afterSettle", (event) => {
  if (event.detail.target?.id !== "rows") return;
  from = null;
  count();
  if (document.activeElement === document.body) one("#rows").focus({ preventScroll: true });
});
count();
