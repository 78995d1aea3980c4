// A dialog in which one emoji is chosen, by pointer or keys. composer.js loads it at the first press.
// The list is Unicode's, in the browser's own drawings; what browsers of 2021 cannot draw is left out.
const GROUPS = [[0, "Smileys"], [1, "People"], [3, "Animals and nature"], [4, "Food and drink"], [5, "Travel and places"], [6, "Activities"], [7, "Objects"], [8, "Symbols"], [9, "Flags"]];
const NEWEST = 14;

const make = (name, values, ...inside) => {
  const made = Object.assign(document.createElement(name), values);
  made.append(...inside);
  return made;
};

const close = make("button", { type: "button", className: "btn quiet small", textContent: "Close" });
close.dataset.closes = "";
const field = make("input", { type: "search", autocomplete: "off", maxLength: 40 });
field.setAttribute("aria-label", "Search emoji");
const tabs = make("div", { className: "egroups" });
tabs.setAttribute("role", "group");
tabs.setAttribute("aria-label", "Groups");
const grid = make("div", { className: "egrid" });
grid.setAttribute("role", "group");
const count = make("p", { className: "unseen" });
count.setAttribute("role", "status");
const dialog = make("dialog", { id: "emoji", className: "sheet" }, make("h2", { id: "emoji-title", textContent: "Emoji" }, close), field, tabs, grid, count);
dialog.setAttribute("aria-labelledby", "emoji-title");
let all = [];
let chosen = "";

const buttons = () => [...grid.children];
const reach = (button) => {
  for (const one of buttons()) one.tabIndex = one === button ? 0 : -1;
};
const show = (found, title) => {
  grid.setAttribute("aria-label", title);
  grid.replaceChildren(...found.map((one) => {
    const button = make("button", { type: "button", textContent: one.emoji, title: one.annotation, tabIndex: -1 });
    button.setAttribute("aria-label", one.annotation);
    return button;
  }));
  if (grid.firstChild) grid.firstChild.tabIndex = 0;
  grid.scrollTop = 0;
};
const showGroup = (number) => {
  for (const one of tabs.children) one.setAttribute("aria-pressed", String(one.dataset.group === String(number)));
  show(all.filter((one) => one.group === number), GROUPS.find(([group]) => group === number)[1]);
};
const search = () => {
  const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
  count.textContent = "";
  if (!words.length) return showGroup(0);
  for (const one of tabs.children) one.setAttribute("aria-pressed", "false");
  const found = all.filter((one) => words.every((word) => one.said.includes(word))).slice(0, 200);
  show(found, "Found");
  count.textContent = found.length ? `${found.length} found` : "No emoji has this name.";
};
const step = (event) => {
  const at = buttons().indexOf(document.activeElement);
  if (at < 0) return;
  const row = buttons().filter((one) => one.offsetTop === grid.firstChild.offsetTop).length;
  const by = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: row, ArrowUp: -row }[event.key];
  const next = by && buttons()[at + by];
  if (!by) return;
  event.preventDefault();
  if (!next) return;
  reach(next);
  next.focus();
};

const first = async (list) => {
  const answer = await fetch(list);
  if (!answer.ok) throw new Error("The list of emoji did not come.");
  all = (await answer.json()).filter((one) => one.version <= NEWEST && GROUPS.some(([group]) => group === one.group));
  for (const one of all) one.said = [one.annotation, ...one.tags].join(" ").toLowerCase();
  for (const [group, title] of GROUPS) {
    const button = make("button", { type: "button", textContent: all.find((one) => one.group === group).emoji, title });
    button.setAttribute("aria-label", title);
    button.dataset.group = group;
    tabs.append(button);
  }
  tabs.addEventListener("click", ({ target }) => {
    if (!target.dataset.group) return;
    field.value = "";
    showGroup(Number(target.dataset.group));
  });
  field.addEventListener("input", search);
  field.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== "ArrowDown") return;
    event.preventDefault();
    if (!grid.firstChild) return;
    if (event.key === "Enter") grid.firstChild.click();
    else grid.firstChild.focus();
  });
  grid.addEventListener("keydown", step);
  grid.addEventListener("click", ({ target }) => {
    if (target === grid) return;
    chosen = target.textContent;
    dialog.close();
  });
  document.body.append(dialog);
};

// Opens the dialog; the answer is the emoji, empty if none was chosen.
export const choose = async (list) => {
  if (!dialog.isConnected) await first(list);
  chosen = "";
  field.value = "";
  search();
  dialog.showModal();
  field.focus();
  await new Promise((closed) => dialog.addEventListener("close", closed, { once: true }));
  return chosen;
};
