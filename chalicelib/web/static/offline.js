// What somebody writes without a connection: kept in this browser under who wrote it, and saved as a
// draft by the next page of the app that this person opens with one. Only drafts are saved: nothing
// is scheduled or published by it. `offline.html` shows what is kept, and lets one write.
(() => {
  "use strict";

  const { body } = document;
  const member = body.dataset.member || localStorage.getItem("here");
  const waits = `unsaved.${member}.`;
  const found = () => Object.keys(localStorage).filter((name) => name.startsWith(waits));
  const tell = (said, address) => {
    const place = document.createElement("div");
    place.className = "notices";
    const notice = Object.assign(document.createElement("p"), { className: "notice", textContent: `${said} ` });
    notice.setAttribute("role", "status");
    if (address) notice.append(Object.assign(document.createElement("a"), { href: address, textContent: "Open it" }));
    place.append(notice);
    document.getElementById("main").prepend(place);
  };

  // With a line: each is saved as the draft it was to be. What cannot be one stays in this browser.
  const own = ["form_token", "revision", "once", "post", "another", "accounts_shown"];
  const keepHere = (name, fields) => {
    const key = `draft.${member}.${fields.get("post") || "new"}`;
    if (!localStorage.getItem(key)) localStorage.setItem(key, JSON.stringify([...fields].filter(([field]) => !own.includes(field))));
    localStorage.removeItem(name);
  };
  // But for what is being written on this very page, which keeps itself (`drafts.js`).
  const save = async () => {
    const token = document.querySelector('input[name="form_token"]');
    const form = document.getElementById("composer");
    for (const name of token ? found() : []) {
      const fields = new URLSearchParams(localStorage.getItem(name) || "");
      const post = fields.get("post");
      const { post: here, once } = form ? form.elements : {};
      if (post ? here && here.value === post : once && once.value === fields.get("once")) continue;
      fields.set("form_token", token.value);
      const answer = await fetch("/app/compose/kept", { method: "POST", body: fields }).catch(() => null);
      if (!answer || answer.redirected || answer.status === 401 || answer.status >= 500) return;
      if (body.dataset.leaves) return;
      if (answer.ok) {
        const kept = await answer.json();
        localStorage.removeItem(name);
        localStorage.removeItem(`draft.${member}.${post || "new"}`);
        tell("Saved as a draft: what you wrote without a connection.", `/app/posts/${kept.post}`);
        continue;
      }
      keepHere(name, fields);
      tell("What you wrote without a connection could not be saved yet. It is kept in this browser.", post ? `/app/posts/${post}` : "/app/posts/new");
    }
  };
  if (body.dataset.member) {
    const once = () => (navigator.locks ? navigator.locks.request("unsaved", { ifAvailable: true }, (lock) => lock && save()) : save());
    window.addEventListener("online", once);
    once();
    return;
  }

  // Without one: the page that the worker shows instead of any other.
  const by = (id) => document.getElementById(id);
  by("again").href = location.href;
  window.addEventListener("online", () => { by("line").textContent = "The connection is back."; });
  if (!member) return;
  const note = by("note");
  const key = `${waits}${Date.now().toString(36)}`;
  const once = crypto.randomUUID();
  for (const [id, name] of JSON.parse(localStorage.getItem(`offline.${member}`) || "[]")) {
    const label = Object.assign(document.createElement("label"), { className: "pick" });
    label.append(Object.assign(document.createElement("input"), { type: "checkbox", name: "account", value: id }), ` ${name}`);
    by("whom").append(label);
  }
  note.hidden = !localStorage.getItem(`offline.${member}`);
  note.addEventListener("submit", (event) => event.preventDefault());
  const keep = () => {
    if (localStorage.getItem("here") !== member) return;
    const fields = new FormData(note);
    if (!fields.get("caption").trim()) { localStorage.removeItem(key); return; }
    fields.append("accounts_shown", "1");
    fields.append("once", once);
    localStorage.setItem(key, `${new URLSearchParams(fields)}`);
    by("told").textContent = fields.has("account") ? "Kept in this browser. It becomes a draft when the connection is back; it is not published." : "Kept in this browser. Choose an account to have it saved as a draft when the connection is back.";
  };
  note.addEventListener("input", keep);
  const list = by("waiting").querySelector("ul");
  for (const name of found()) list.append(Object.assign(document.createElement("li"), { className: "clip", dir: "auto", textContent: new URLSearchParams(localStorage.getItem(name)).get("caption").slice(0, 200) }));
  by("waiting").hidden = !list.children.length;
})();
