// The claims of an answer and the evidence beside them: which one is selected, the final confidence, finding a
// word. Every control is a link or a form that also works without this file.
const { one, all, on } = dom;

// --- claims and their evidence ---------------------------------------------------------------------
const rows = () => all("#claims li[data-claim-id]");
const selected = () => one("#claims li.sel");
const here = (id) => one(`#panel-${CSS.escape(id)}`) && !one(`#claim-${CSS.escape(id)}[data-away]:not(.sel)`);

function select(id, { focus = true, still = false } = {}) {
  const row = one(`#claim-${CSS.escape(id)}`);
  if (!row) return;
  if (!here(id)) {
    one("a", row).click();
    return;
  }
  rows().forEach((other) => {
    other.classList.toggle("sel", other === row);
    const link = one("a", other);
    if (other === row) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  });
  all("[data-panel]").forEach((panel) => {
    panel.hidden = panel.dataset.panel !== id;
  });
  all("mark[data-claims]").forEach((mark) => {
    mark.classList.toggle("sel", mark.dataset.claim === id);
    mark.classList.toggle("within", mark.dataset.claim !== id && mark.dataset.claims.split(" ").includes(id));
  });
  all("[data-names-of]").forEach((words) => {
    words.classList.toggle("now", words.dataset.namesOf.split(" ").includes(id));
  });
  all(".row[open]").forEach((open) => {
    open.open = open.closest("[data-panel]").dataset.panel === id;
  });
  history.replaceState(history.state, "", `?claim=${row.dataset.n}`);
  reveal(id, row, focus, still);
  if (focus) one("a", row).focus({ preventScroll: true });
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

const waits = (row) => row.dataset.flagged === "true" && row.dataset.state === "undecided";

function step(by, undecidedOnly) {
  const list = rows(),
    from = list.indexOf(selected()),
    beyond = one(`#claims a[rel=${by > 0 ? "next" : "prev"}]`);
  for (let i = 1; i <= list.length; i++) {
    const place = from + by * i;
    if (beyond && (place < 0 || place >= list.length)) return beyond.click();
    const row = list[(place + list.length * i) % list.length];
    if (!undecidedOnly || waits(row)) return select(row.dataset.claimId);
  }
}

on("click", (event) => {
  const control = event.target.closest("[data-select], [data-step], [data-add], [data-full]");
  if (!control || event.ctrlKey || event.metaKey) return;
  const { select: id, step: by, add } = control.dataset;
  if (add) change(Number(add));
  else if (control.hasAttribute("data-full")) inFull();
  else if (by ? selected() : here(id)) {
    event.preventDefault();
    if (by) step(Number(by), control.hasAttribute("data-undecided"));
    else select(id, { focus: !getSelection().toString() });
  }
});

function change(by) {
  const field = one("#final");
  field.value = Math.min(1, Math.max(0, Math.round((Number(field.value) + by) * 100) / 100)).toFixed(2);
}

// All of the selected claim's evidence, nothing folded or cut; the same again folds it.
function inFull() {
  const pane = one("#evidence"),
    full = pane.classList.toggle("full");
  all("[data-panel]:not([hidden]) details", pane).forEach((part) => {
    part.open = full;
  });
  pane.focus();
}

// --- finding a word in the answer ------------------------------------------------------------------
let found = [],
  at = -1;

// Where a text stands in a paragraph, across the marks in it.
function places(text) {
  const wanted = text.toLowerCase(),
    ranges = [];
  for (const line of all("#answer p")) {
    const walker = document.createTreeWalker(line, NodeFilter.SHOW_TEXT),
      nodes = [];
    let within = "";
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      nodes.push([node, within.length]);
      within += node.length === node.data.toLowerCase().length ? node.data.toLowerCase() : node.data;
    }
    const edge = (place) => {
      const [node, begins] = nodes.findLast(([, begins]) => begins <= place);
      return [node, place - begins];
    };
    for (let i = within.indexOf(wanted); wanted && i >= 0; i = within.indexOf(wanted, i + wanted.length)) {
      const range = new Range(),
        [last, before] = edge(i + wanted.length - 1);
      range.setStart(...edge(i));
      range.setEnd(last, before + 1);
      ranges.push(range);
    }
  }
  return ranges;
}

function find(field) {
  found = places(field.value.trim());
  at = -1;
  globalThis.CSS.highlights?.set("found", new Highlight(...found));
  one("#found").textContent = field.value.trim() ? `${found.length}` : "";
}

on("input", (event) => {
  if (event.target.id === "find") find(event.target);
});
on("keydown", (event) => {
  if (event.target.id !== "find" || event.key !== "Enter" || event.isComposing) return;
  event.preventDefault();
  if (!found.length) return;
  at = (at + (event.shiftKey ? found.length - 1 : 1)) % found.length;
  found[at].startContainer.parentElement.scrollIntoView({ block: "center" });
  one("#found").textContent = `${at + 1} / ${found.length}`;
});

// --- when the page or its bar is new ---------------------------------------------------------------
on("htmx:afterSettle", (event) => {
  if (event.detail.target?.id !== "bar") return;
  const row = selected(),
    refused = one("#bar .alert a[data-select]");
  if (row) select(row.dataset.claimId);
  if (refused) refused.focus();
});

one("[data-take]")?.requestSubmit();
const first = selected(),
  asked = new URLSearchParams(location.search).has("claim");
if (first) select(first.dataset.claimId, { focus: matchMedia("(min-width: 700px)").matches, still: !asked });
