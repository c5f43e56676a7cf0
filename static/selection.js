// The texts of a review: what is selected in the answer becomes a missed claim (F26), a text's direction can be
// switched and is remembered (F09), evidence can be stepped through and given more room (F01). Offsets never
// leave the browser: it counts in UTF-16, the server in code points.
const { one, all, on, say } = dom;
const AROUND = 60,
  REMEMBERED = 300;

// --- a missed claim --------------------------------------------------------------------------------
function chosen() {
  const selection = getSelection(),
    answer = one("#answer");
  if (!answer || selection.isCollapsed || !selection.rangeCount) return null;
  const range = selection.getRangeAt(0);
  if (!answer.contains(range.commonAncestorContainer)) return null;
  const text = range.toString(),
    quote = text.trim();
  if (!quote) return null;
  const lead = text.slice(0, text.indexOf(quote)),
    rest = text.slice(lead.length + quote.length);
  return { quote, prefix: near(answer, range, true) + lead, suffix: rest + near(answer, range, false), range };
}

// The text of the answer on one side of a range, whole characters only.
function near(answer, range, before) {
  const beside = document.createRange();
  beside.selectNodeContents(answer);
  if (before) beside.setEnd(range.startContainer, range.startOffset);
  else beside.setStart(range.endContainer, range.endOffset);
  const characters = [...beside.toString()];
  return (before ? characters.slice(-AROUND) : characters.slice(0, AROUND)).join("");
}

function kindOf(quote) {
  if (/[%％]/.test(quote)) return "percentage";
  if (/[$€£¥₪₹元]|\b[A-Z]{3}\s?\d/.test(quote)) return "currency";
  if (/\d\s?[x×]/.test(quote)) return "ratio";
  if (/\bQ[1-4]\b|\d{4}[-/.]\d{1,2}/.test(quote)) return "date";
  return /\d/.test(quote) && quote.length < 30 ? "number" : "statement";
}

function openMissed() {
  const dialog = one("#missed"),
    taken = chosen();
  if (!dialog) return;
  const form = one("form", dialog).elements;
  if (taken) {
    for (const name of ["quote", "prefix", "suffix"]) form[name].value = taken[name];
    form.kind.value = kindOf(taken.quote);
  }
  if (!dialog.matches(":modal")) {
    dialog.close?.();
    dialog.showModal();
  }
  (taken ? form.verdict : form.quote).focus();
  offer();
}

// The button beside a selection; its place is set by script, which the content policy permits.
function offer() {
  const button = one("#from-selection"),
    taken = one("dialog[open]") ? null : chosen();
  if (!button) return;
  button.hidden = !taken;
  if (!taken) return;
  const box = taken.range.getBoundingClientRect(),
    most = document.documentElement.clientWidth - button.offsetWidth - 8;
  button.style.insetBlockStart = `${box.bottom + scrollY + 8}px`;
  button.style.left = `${Math.max(8, Math.min(box.left + scrollX, most))}px`;
}

on("selectionchange", () => {
  clearTimeout(offer.later);
  offer.later = setTimeout(offer, 120);
});
on("input", (event) => {
  if (event.target.name !== "quote" || !event.target.closest("#missed")) return;
  for (const name of ["prefix", "suffix"]) event.target.form.elements[name].value = "";
});

// --- the direction of a text -----------------------------------------------------------------------
function directions() {
  try {
    return new Map(JSON.parse(localStorage.getItem("hallu.directions") ?? "[]"));
  } catch {
    return new Map();
  }
}

function turn(text, towards) {
  for (const part of [text, ...all("p[dir]", text)]) part.dir = towards;
}

function focusedText() {
  const active = document.activeElement,
    evidence = one("#evidence"),
    anchor = getSelection().anchorNode;
  const within = active?.closest("[data-text]") ?? anchor?.parentElement?.closest("#answer [data-text]");
  if (within) return within;
  if (evidence?.contains(active) && !active.closest(".stepper"))
    return (
      one("[data-item].now [data-text]", evidence) ?? one("article[data-panel]:not([hidden]) [data-text]", evidence)
    );
  return one("#answer mark:is(.sel, .within)")?.closest("[data-text]") ?? one("#answer [data-text]");
}

function switchDirection(button) {
  const text = focusedText();
  if (!text) return;
  const towards = text.dir === "rtl" ? "ltr" : "rtl",
    kept = directions();
  turn(text, towards);
  kept.delete(text.dataset.text);
  kept.set(text.dataset.text, towards);
  localStorage.setItem("hallu.directions", JSON.stringify([...kept].slice(-REMEMBERED)));
  say(button.dataset[towards]);
}

for (const [name, towards] of directions())
  all(`[data-text="${CSS.escape(name)}"]`).forEach((text) => turn(text, towards));

// --- one piece of evidence after the other ---------------------------------------------------------
function stepItem(by) {
  const items = all("article[data-panel]:not([hidden]) [data-item]"),
    now = items.findIndex((item) => item.matches(".now"));
  if (!items.length) return;
  const next = items[now < 0 ? (by > 0 ? 0 : items.length - 1) : (now + by + items.length) % items.length];
  all("[data-item].now").forEach((item) => item.classList.remove("now"));
  next.classList.add("now");
  if (next.matches("details")) next.open = true;
  (one("summary", next.matches("details") ? next : document.createElement("i")) ?? next).focus({ preventScroll: true });
  next.scrollIntoView({ block: "nearest" });
}

// --- room for the answer or the evidence -----------------------------------------------------------
const WIDTHS = ["wide-answer", "", "wide-evidence"];
const width = () => Math.max(0, WIDTHS.indexOf(localStorage.getItem("hallu.width") ?? ""));

function widen(place) {
  const main = one("main.workspace");
  if (!main) return;
  main.classList.remove("wide-answer", "wide-evidence");
  if (WIDTHS[place]) main.classList.add(WIDTHS[place]);
  localStorage.setItem("hallu.width", WIDTHS[place]);
}

widen(width());

on("click", (event) => {
  const control = event.target.closest("[data-missed], [data-turn], [data-item-step], [data-widen]");
  if (!control || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  if (control.hasAttribute("data-missed")) openMissed();
  else if (control.hasAttribute("data-turn")) switchDirection(control);
  else if (control.dataset.itemStep) stepItem(Number(control.dataset.itemStep));
  else widen(Math.min(2, Math.max(0, width() + Number(control.dataset.widen))));
});
