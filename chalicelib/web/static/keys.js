// Keys for whoever does not reach for the mouse. app.js loads this at the first key that may be one.
// A letter acts only outside of fields: nothing happens while somebody types.
(() => {
  "use strict";

  const { isMac } = keyOf({});
  const KEYS = [
    ["n", "Write a new post"],
    ["/", "Search posts"],
    ["j", "Next row of a list, older post"],
    ["k", "Row before, newer post"],
    ["e", "Open the row, or write in the post"],
    ["s", "Choose when it goes out"],
    ["Ctrl Enter", "Send: what the main button says"],
    ["Ctrl Shift Enter", "Send it, and write another"],
    [`${isMac ? "Ctrl" : "Alt"} 1 … 9`, "Text of the first … ninth tab"],
    [`${isMac ? "⌘" : "Ctrl"} K`, "Go to a page or an account"],
    ...(document.querySelector(".calbar") ? [
      ["← ↑ → ↓", "Go from entry to entry"],
      ["m", "Hold an entry: arrows move it, Enter puts it there; give a draft a time"],
      ["x", "Select the entry"],
      ["t", "Today"],
      ["1 … 4", "Month, week, day, list"],
    ] : []),
    ["?", "These keys"],
    ["Esc", "Close"],
  ];
  const make = (name, values, ...inside) => {
    const made = Object.assign(document.createElement(name), values);
    made.append(...inside);
    return made;
  };
  const opened = (id, title, ...inside) => {
    let dialog = document.getElementById(id);
    if (!dialog) {
      const close = make("button", { type: "button", className: "btn quiet small", textContent: "Close" });
      close.dataset.closes = "";
      dialog = make("dialog", { id, className: "sheet" }, make("h2", { id: `${id}-title`, textContent: title }, close), ...inside);
      dialog.setAttribute("aria-labelledby", `${id}-title`);
      document.body.append(dialog);
    }
    if (!dialog.open) dialog.showModal();
    return dialog;
  };
  const help = () => {
    const list = make("dl", { className: "keys" });
    for (const [keys, what] of KEYS) {
      const named = make("dt", {});
      for (const key of keys.split(" ")) named.append(make("kbd", { textContent: key }));
      list.append(named, make("dd", { textContent: what }));
    }
    opened("keys-help", "Keys", list);
  };

  // Where one can go: what the page's own menus lead to, and a search for anything else.
  const palette = () => {
    const field = make("input", { type: "search", className: "in", autocomplete: "off" });
    const found = make("div", { className: "found" });
    field.setAttribute("aria-label", "Go to");
    const dialog = opened("palette", "Go to", make("div", { className: "field" }, field), found);
    const typed = dialog.querySelector("input");
    const list = dialog.querySelector(".found");
    const places = [...document.querySelectorAll(".side a[href]:not(.brand)")]
      .map((link) => [link.title || link.textContent.trim() || link.getAttribute("aria-label"), link.href])
      .filter(([name], at, all) => name && all.findIndex((one) => one[0] === name) === at);
    const draw = () => {
      const wanted = typed.value.trim().toLowerCase();
      const fits = places.filter(([name]) => name.toLowerCase().includes(wanted));
      if (wanted) fits.push([`Search posts for “${typed.value.trim()}”`, `/app/posts?q=${encodeURIComponent(typed.value.trim())}`]);
      list.replaceChildren(...fits.map(([name, href]) => make("a", { href, textContent: name })));
    };
    typed.value = "";
    typed.oninput = draw;
    dialog.onkeydown = (event) => {
      const links = [...list.children];
      const at = links.indexOf(document.activeElement);
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (step) { event.preventDefault(); (links[at + step] || typed).focus(); }
      if (event.key === "Enter" && at < 0 && links[0]) { event.preventDefault(); location.assign(links[0].href); }
    };
    draw();
    typed.focus();
  };

  const rows = () => [...document.querySelectorAll("main :is(.rows > li, .tbl tbody tr)")].filter((row) => row.querySelector("a[href]"));
  const step = (by) => {
    const all = rows();
    const at = all.findIndex((row) => row.contains(document.activeElement));
    const next = all[at < 0 ? (by > 0 ? 0 : all.length - 1) : at + by];
    if (next) next.querySelector("a[href]").focus();
    return Boolean(next);
  };
  const first = (fits) => {
    const found = [...document.querySelectorAll(fits)].find((one) => one.getClientRects().length);
    if (found) found.focus();
    return Boolean(found);
  };
  const follow = (key) => {
    const link = document.querySelector(`main a[data-key="${key}"]`);
    if (link) location.assign(link.href);
    return Boolean(link);
  };
  const letters = {
    n: () => { const link = document.querySelector('a[href="/app/posts/new"]'); if (link) location.assign(link.href); return Boolean(link); },
    "/": () => { if (!first('main input[name="q"]')) location.assign("/app/posts#q"); return true; },
    j: () => step(1) || follow("j"),
    k: () => step(-1) || follow("k"),
    e: () => {
      const row = rows().find((one) => one.contains(document.activeElement));
      if (row) { row.querySelector("a[href]").click(); return true; }
      return first("#composer textarea.text");
    },
    s: () => first("#ways input:checked, .pick-time [type=date], #at, #main-verb"),
    "?": () => { help(); return true; },
  };
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || document.querySelector("dialog[open]")) return;
    const form = document.getElementById("composer");
    const isCommand = event.ctrlKey || event.metaKey;
    const { letter, leads } = keyOf(event);
    if (leads) { event.preventDefault(); palette(); return; }
    if (isCommand && event.key === "Enter" && form && form.contains(event.target)) {
      event.preventDefault();
      form.requestSubmit((event.shiftKey && document.getElementById("and-next")) || document.getElementById("main-verb"));
      return;
    }
    const opens = isMac ? event.ctrlKey && !event.altKey : event.altKey && !event.ctrlKey;  // both are AltGr
    const digit = opens && /^Digit([1-9])$/.exec(event.code);
    if (digit && form) {
      event.preventDefault();
      form.dispatchEvent(new CustomEvent("tab", { detail: digit[1] - 1 }));
      return;
    }
    if (isCommand || event.altKey) return;
    if (event.target.closest("textarea, select, [contenteditable], input:not([type=checkbox], [type=radio])")) return;
    const act = letters[letter];
    if (act && act()) event.preventDefault();
  });
})();
