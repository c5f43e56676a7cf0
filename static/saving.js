// What happens to what was typed: saved, slow, not saved, refused, signed out. Nothing typed is ever lost: the
// form stays as it is until the server has it, and the same form is sent again with the same key (F05, F06).
const { one, all, on, say } = dom;
const SLOW = 300,
  STILL = 5_000;

let pending = null; // the form being saved, or that could not be saved, and the button pressed in it
let timers = [];

// The form of a request, also when the answer has taken it off the page.
const saving = (event) => event.detail.requestConfig?.elt?.closest("form[data-saves]");

function mark(state) {
  const saved = one("#saved");
  if (!saved) return;
  saved.dataset.state = state;
  one("[data-words]", saved).textContent = saved.dataset[state] ?? "";
  one("[data-retry]", saved).hidden = state !== "failed";
  one("[data-cancel]", saved).hidden = state !== "slow";
}

function busy(yes) {
  timers.forEach(clearTimeout);
  timers = yes
    ? [setTimeout(() => one("#bar")?.setAttribute("aria-busy", "true"), SLOW), setTimeout(() => mark("slow"), STILL)]
    : [];
  if (!yes) one("#bar")?.removeAttribute("aria-busy");
}

on("htmx:beforeRequest", (event) => {
  const form = saving(event);
  if (!form) return;
  pending = { form, button: event.detail.requestConfig?.triggeringEvent?.submitter ?? null };
  mark("saving");
  busy(true);
});

on("htmx:afterRequest", (event) => {
  if (!saving(event)) return;
  busy(false);
  const status = event.detail.xhr?.status ?? 0;
  if (status === 401) return mark("failed");
  if (status >= 500 || status === 0) return notSaved();
  if (status >= 400) mark("refused");
  pending = null;
});

function notSaved() {
  mark("failed");
  say(one("#saved")?.dataset.failed);
  const told = one("dialog[open] [data-error]");
  if (told) told.textContent = one("#saved").dataset.failed;
  if (!document.activeElement?.closest("input, textarea, select")) one("#saved [data-retry]")?.focus();
}

function again() {
  if (!pending?.form.isConnected) return;
  pending.form.requestSubmit(pending.button?.isConnected ? pending.button : undefined);
}

on("click", (event) => {
  if (event.target.closest("#saved [data-retry]")) again();
  else if (event.target.closest("#saved [data-cancel]") && pending) htmx.trigger(pending.form, "htmx:abort");
});

// Leaving while something is not saved is asked about once; a page that the server sends on is not.
addEventListener("beforeunload", (event) => {
  if (pending) event.preventDefault();
});
on("htmx:beforeOnLoad", (event) => {
  if (event.detail.xhr.getResponseHeader("HX-Redirect")) pending = null;
});

on("htmx:afterSwap", (event) => {
  const into = event.detail.target?.id;
  if (into === "conflict" || into === "problem") one("dialog[open]:not(#signin)")?.close();
  if (into === "conflict" || into === "problem") one(`#${into}:not(:empty)`)?.focus({ preventScroll: true });
  if (into === "bar") all("#conflict, #problem").forEach((box) => box.replaceChildren());
});

on("review:said", (event) => say(event.detail.text));

// --- undo ------------------------------------------------------------------------------------------
// The toast counts down and goes, but never from under the focus or the pointer.
function count() {
  const toast = one("#toast [data-until]");
  if (!toast) return;
  const left = Math.ceil((new Date(toast.dataset.until) - Date.now()) / 1000);
  const clock = one("[data-countdown]", toast);
  if (clock) clock.textContent = left > 0 ? `${left} s` : "";
  if (left <= 0 && !toast.contains(document.activeElement) && !toast.matches(":hover")) toast.remove();
}
setInterval(count, 1000);
const told = () => say(one("#toast [data-told]")?.textContent.trim());
on("htmx:oobAfterSwap", (event) => {
  if (event.detail.target?.id === "toast") told();
});
told();
count();
