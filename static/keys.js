// The keys of every screen (F03). A control says which keys press it (data-key, drawn from reviews/display/keys.py), by
// place and not by letter. Nothing happens while somebody types, composes or has a dialog open, but for
// Escape and Ctrl+Enter.
const { one, all } = dom;
const TYPING = "input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]";
const NATIVE = "a, button, summary, input, select, textarea";
const PRESSED_BY_SPACE = "button, summary, input, select";
const PLACE = /^(?:Digit|Numpad)([1-9])$/;
const SHEET = "details[data-sheet][open]";

const codeOf = (event) =>
  (event.ctrlKey || event.metaKey ? "Ctrl+" : "") +
  (event.shiftKey ? "Shift+" : "") +
  event.code.replace("NumpadEnter", "Enter");
const seen = (control) => control.checkVisibility();

// The control nearest the end of the page wins: what the verdict bar asks for comes before what the page offers.
const controlFor = (code) =>
  all("[data-key]").findLast(
    (control) =>
      control.dataset.key.split(" ").includes(code) &&
      !control.disabled &&
      !control.closest("[hidden]") &&
      seen(control),
  );

function press(code) {
  const control = controlFor(code);
  if (!control) return false;
  if (control.matches("input")) {
    control.focus();
    control.select();
  } else if (control.matches("[data-focus]")) visit(control);
  else control.click();
  return true;
}

// Go to a region, and back to where one was with the same key.
let left = null;
function visit(region) {
  if (region.contains(document.activeElement)) {
    (left?.isConnected ? left : one("#claims li.sel a"))?.focus();
    return;
  }
  left = document.activeElement;
  region.focus();
}

function goTo(n) {
  const link = one("[data-key~=Digit]") && one(`#claims li[data-n="${n}"] a`);
  link?.click();
  return Boolean(link);
}

// The selected claim's link has the focus until an opened sheet takes it: Enter there is not meant for the link.
const pressesItself = (target, kinds) => target.closest?.(kinds) && !target.closest("#claims .sel");

function close(sheet) {
  sheet.open = false;
  one("summary", sheet).focus();
  return true;
}

// While a sheet is open its letters pick reasons and its buttons (review-queue §3.3).
function inSheet(sheet, target, code) {
  if (code === "Escape") return close(sheet);
  const main = one("button.go", sheet);
  if (code === "Ctrl+Enter") {
    main?.click();
    return true;
  }
  if (code === "Enter" && target.matches("select")) {
    main?.click();
    return true;
  }
  if (target.closest(TYPING) || (code === "Enter" && pressesItself(target, "button, a"))) return false;
  if (code === "Enter") {
    main?.click();
    return Boolean(main);
  }
  const choice = one(`[data-letter="${CSS.escape(code.replace("Key", ""))}"]`, sheet);
  if (choice?.matches("option")) choice.selected = true;
  else if (choice?.matches("button, [type=checkbox]")) choice.click();
  else choice?.focus();
  return Boolean(choice);
}

function inDialog(dialog, code) {
  if (code !== "Ctrl+Enter") return false;
  (one("button.go", dialog) ?? one("button", dialog))?.click();
  return true;
}

function freely(target, code) {
  const typing = target.closest?.(TYPING);
  if (typing && code === "Escape") {
    typing.blur();
    return false;
  }
  if (typing && !code.endsWith("+Enter")) return false;
  const place = PLACE.exec(code);
  if (place) return goTo(place[1]);
  if (code === "Enter" && pressesItself(target, NATIVE)) return false;
  if (code.endsWith("Space") && target.closest?.(PRESSED_BY_SPACE)) return false;
  return press(code);
}

function answer(target, code) {
  const dialog = one("dialog[open]"),
    sheet = all(SHEET).find(seen);
  if (dialog) return inDialog(dialog, code);
  return sheet ? inSheet(sheet, target, code) : freely(target, code);
}

// Keys pressed while a verdict is on its way are kept and pressed when it has arrived, so that a quick hand loses
// none; when it did not arrive they are dropped. After the first, a key may be meant for the sheet it will open.
const kept = [],
  MOST_KEPT = 20;
let arriving = false; // drawn, and the next claim is not chosen yet
const onItsWay = () => arriving || ["saving", "slow"].includes(one("#saved")?.dataset.state);
document.addEventListener("htmx:beforeSwap", (event) => {
  arriving ||= event.detail.shouldSwap && event.detail.target?.id === "bar";
});

const FOR_A_SHEET = /^(Key[A-Z]|Digit\d|Enter|Escape)$/;

function keep(event, code) {
  const typing = event.target.closest?.(TYPING) && !code.endsWith("+Enter");
  const meant = controlFor(code) || PLACE.test(code) || (kept.length && FOR_A_SHEET.test(code));
  if (typing || event.repeat || !meant || kept.length >= MOST_KEPT) return false;
  kept.push(code);
  return true;
}

function pressKept() {
  arriving = false;
  if (onItsWay()) return;
  if (["failed", "refused"].includes(one("#saved")?.dataset.state) || one(SHEET)) kept.length = 0;
  while (kept.length && !onItsWay()) answer(document.body, kept.shift());
}
document.addEventListener("htmx:afterSettle", () => setTimeout(pressKept));

document.addEventListener("keydown", (event) => {
  if (event.isComposing || event.altKey || event.getModifierState("AltGraph")) return;
  const code = codeOf(event),
    waiting = onItsWay() && !one("dialog[open]");
  if (waiting ? keep(event, code) : answer(event.target, code)) event.preventDefault();
});

// An opened sheet takes the focus, so that its letters work at once; one sheet at a time.
document.addEventListener(
  "toggle",
  (event) => {
    if (!event.target.matches?.(SHEET)) return;
    all(SHEET).forEach((other) => {
      if (other !== event.target) other.open = false;
    });
    one("form, [tabindex]", event.target)?.focus();
  },
  true,
);

document.addEventListener("click", (event) => {
  const opener = event.target.closest("[data-open]");
  if (opener) one(`#${CSS.escape(opener.dataset.open)}`)?.showModal();
});
