// What every script of the screens says again and again. Loaded before them: a name, because the names of the
// files carry their hashes and an import could not tell them.
globalThis.dom = {
  one: (query, within = document) => within.querySelector(query),
  all: (query, within = document) => [...within.querySelectorAll(query)],
  on: document.addEventListener.bind(document),
  // Reads a text to those who listen instead of looking.
  say: (text) => {
    const live = document.querySelector("#live");
    if (live && text) live.textContent = text;
  },
};
