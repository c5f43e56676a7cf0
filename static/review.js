// Keys, claim ↔ evidence, focus, confidence and lease of the screens. Every action behind a key is a link
// or a form that also works without this file; keys are read from the controls (data-key), by place, not letter.
const one = (query, within = document) => within.querySelector(query);
const all = (query, within = document) => [...within.querySelectorAll(query)];
const shown = (element) => element.getClientRects().length > 0 && !element.disabled;
const on = document.addEventListener.bind(document);
const TYPING = "input:not([type=checkbox]), textarea, select, [contenteditable]";
const LEASE_PULSE = 60_000, INPUT_WITHIN = 300_000, WARN_AT = 120;

// --- claims and their evidence ---------------------------------------------------------------------
const rows = () => all("#claims li[data-claim-id]");
const selected = () => one("#claims li.sel");

const here = (id) => one(`#panel-${CSS.escape(id)}`) && !one(`#claim-${CSS.escape(id)}[data-away]:not(.sel)`);

function select(id, { focus = true, still = false } = {}) {
  const row = one(`#claim-${CSS.escape(id)}`);
  if (!row) return false;
  if (!here(id)) { one("a", row).click(); return true; }
  rows().forEach((other) => {
    other.classList.toggle("sel", other === row);
    const link = one("a", other);
    if (other === row) link.setAttribute("aria-current", "true"); else link.removeAttribute("aria-current");
  });
  all("[data-panel]").forEach((panel) => { panel.hidden = panel.dataset.panel !== id; });
  all("mark[data-claims]").forEach((mark) => {
    mark.classList.toggle("sel", mark.dataset.claim === id);
    mark.classList.toggle("within", mark.dataset.claim !== id && mark.dataset.claims.split(" ").includes(id));
  });
  all(".row[open]").forEach((open) => { open.open = open.closest("[data-panel]").dataset.panel === id && open.open; });
  history.replaceState(history.state, "", `?claim=${row.dataset.n}`);
  reveal(id, row, focus, still);
  if (focus) one("a", row).focus({ preventScroll: true });
  return true;
}

function reveal(id, row, focus, still) {
  const panel = one(`#panel-${CSS.escape(id)}`);
  const match = one("mark.match", panel) ?? one("h2", panel);
  all(".chunk .text", panel).forEach((text) => {
    const hit = one("mark.match", text);
    if (hit) text.scrollTop = hit.offsetTop - text.offsetTop - text.clientHeight / 3;
  });
  if (matchMedia("(max-width: 699px)").matches) {
    if (focus) panel.scrollIntoView({ block: "start" });
  } else if (!still) {
    match.scrollIntoView({ block: "nearest" });
    one(`mark[data-claims~="${CSS.escape(id)}"]`)?.scrollIntoView({ block: "nearest" });
    row.scrollIntoView({ block: "nearest" });
  }
}

function step(by, undecidedOnly) {
  const list = rows(), from = list.indexOf(selected()), beyond = one(`#claims a[rel=${by > 0 ? "next" : "prev"}]`);
  for (let i = 1; i <= list.length; i++) {
    const place = from + by * i;
    if (beyond && (place < 0 || place >= list.length)) return beyond.click();
    const row = list[(place + list.length * i) % list.length];
    if (!undecidedOnly || (row.dataset.flagged === "true" && row.dataset.state === "undecided")) return select(row.dataset.claimId);
  }
}

on("click", (event) => {
  const control = event.target.closest("[data-select], [data-step], [data-open], [data-add]");
  if (!control || event.ctrlKey || event.metaKey) return;
  const { select: id, step: by, open, add } = control.dataset;
  if (open) one(`#${open}`).showModal();
  else if (add) change(Number(add));
  else if (by ? selected() : here(id)) {
    event.preventDefault();
    if (by) step(Number(by), event.shiftKey); else select(id, { focus: !getSelection().toString() });
  }
});

function change(by) {
  const field = one("#final");
  field.value = Math.min(1, Math.max(0, Math.round((Number(field.value) + by) * 100) / 100)).toFixed(2);
}

// --- keys ------------------------------------------------------------------------------------------
const codeOf = (event) => (event.ctrlKey || event.metaKey ? "Ctrl+" : "")
  + (event.shiftKey && event.code === "Slash" ? "Shift+" : "") + event.code.replace("NumpadEnter", "Enter");
const enabled = () => localStorage.getItem("hallu.shortcuts") !== "off";

function press(code, event) {
  const control = all("[data-key]").find((c) => c.dataset.key.split(" ").includes(code) && (shown(c) || c.id === "evidence"));
  if (!control) return false;
  if (control.dataset.step) step(Number(control.dataset.step), event.shiftKey);
  else if (control.id === "evidence") (document.activeElement === control ? one("a", selected()) : control).focus();
  else if (control.matches("input")) control.focus();
  else control.click();
  return true;
}

function inRow(row, event) {
  if (event.code === "Escape") { row.open = false; one("summary", row).focus(); return true; }
  if (event.target.closest(TYPING) || event.target.closest("button")) return false;
  const letter = event.code.replace("Key", ""), choice = one(`option[data-letter="${CSS.escape(letter)}"]`, row);
  if (event.code === "Enter") one("form", row).requestSubmit();
  else if (choice) choice.selected = true;
  return event.code === "Enter" || Boolean(choice);
}

on("keydown", (event) => {
  const code = codeOf(event), open = one(".row[open]"), dialog = one("dialog[open]");
  if (event.isComposing || event.altKey || event.getModifierState("AltGraph") || dialog) return;
  const typing = event.target.closest?.(TYPING);
  if (open && shown(open) && !code.startsWith("Ctrl") && inRow(open, event)) return event.preventDefault();
  if (code !== "Ctrl+Enter" && (typing || open || !enabled() || code.startsWith("Ctrl"))) {
    if (typing && event.code === "Escape") typing.blur();
    return;
  }
  const digit = /^(?:Digit|Numpad)([1-9])$/.exec(code);
  if (digit ? goTo(digit[1]) : press(code, event) || alongRows(code)) event.preventDefault();
});

const goTo = (n) => { const row = one(`#claims li[data-n="${n}"]`); return row && select(row.dataset.claimId); };

function alongRows(code) {
  const by = { KeyJ: 1, ArrowDown: 1, KeyK: -1, ArrowUp: -1 }[code], links = all("[data-testid=open-review]");
  if (!by || !links.length) return false;
  const here = links.indexOf(document.activeElement);
  links[Math.max(0, Math.min(links.length - 1, here < 0 ? 0 : here + by))].focus();
  return true;
}

on("toggle", (event) => { if (event.target.matches(".row[open]")) one("form", event.target).focus(); }, true);
on("change", (event) => { if (event.target.id === "shortcuts") localStorage.setItem("hallu.shortcuts", event.target.checked ? "on" : "off"); });

// --- after the server answered ---------------------------------------------------------------------
const mark = (state, text) => { const saved = one("#saved"); if (saved) { saved.dataset.state = state; saved.textContent = text; } };
const say = (text) => { one("#live").textContent = text; };
const saving = (event) => event.target.closest?.(".decide, .resolve");

on("htmx:beforeRequest", (event) => { if (saving(event)) mark("saving", "saving…"); });
for (const failed of ["htmx:sendError", "htmx:timeout", "htmx:responseError"])
  on(failed, (event) => {
    if (event.target.id === "heartbeat") return;
    mark("failed", "not saved – retry");
    one("#conflict:not(:empty), #problem:not(:empty)")?.focus({ preventScroll: true });
  });
on("htmx:afterSettle", (event) => {
  if (event.detail.target?.id !== "bar") return;
  all("#conflict, #problem").forEach((box) => box.replaceChildren());
  const row = selected(), refused = one("#bar .alert a[data-select]");
  if (row) select(row.dataset.claimId);
  if (refused) refused.focus();
});
on("review:decided", (event) => say(event.detail.text));

// --- the lease -------------------------------------------------------------------------------------
let lastInput = Date.now();
for (const input of ["pointerdown", "keydown"]) on(input, () => { lastInput = Date.now(); }, { capture: true, passive: true });
setInterval(() => {
  const lease = one("#lease[data-until]");
  if (!lease) return;
  const left = Math.max(0, Math.round((new Date(lease.dataset.until) - Date.now()) / 1000));
  one("[data-clock]", lease).textContent = `· ${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
  if (left === WARN_AT) say("Two minutes left on this review. Press Keep to go on.");
}, 1000);
setInterval(() => {
  const pulse = one("#heartbeat");
  if (pulse && !document.hidden && Date.now() - lastInput < INPUT_WITHIN) pulse.dispatchEvent(new Event("heartbeat"));
}, LEASE_PULSE);

one("[data-take]")?.requestSubmit();
const box = one("#shortcuts");
if (box) box.checked = enabled();
const first = selected();
const asked = new URLSearchParams(location.search).has("claim");
if (first) select(first.dataset.claimId, { focus: matchMedia("(min-width: 700px)").matches, still: !asked });
