// What is typed in the composer is never lost: it is kept in this browser at once, and after a pause
// as a draft of the service, so that another device can go on. Nothing goes out by that. Back after
// sending says that it went, and brings nothing back that could be sent again.
(() => {
  "use strict";

  const PAUSE = 2000;
  const APART = 10000;
  const form = document.getElementById("composer");
  if (!form) return;
  const by = (id) => document.getElementById(id);
  const bar = by("kept");
  const say = (text, besides = "", isEverywhere = false) => {
    const place = by("saved");
    if (!place) return;
    const more = document.createElement("span");
    more.className = "hid";  // on phones
    more.textContent = besides;
    place.replaceChildren(text, more);
    place.classList.toggle("everywhere", isEverywhere);
  };
  const sayNoLine = () => say("No connection. Kept here", ", saved when the connection is back");
  const offer = (text, ...buttons) => {
    bar.hidden = false;
    bar.querySelector("span").textContent = text;
    for (const old of bar.querySelectorAll("button, a")) old.remove();
    for (const [words, act] of buttons) {
      const made = Object.assign(document.createElement(typeof act === "string" ? "a" : "button"), { className: "btn small", textContent: words });
      if (typeof act === "string") made.href = act;
      else { made.type = "button"; made.addEventListener("click", () => { bar.hidden = true; act(); }); }
      bar.append(made);
    }
  };

  const key = () => `draft.${form.dataset.draft}`;
  // What could not be saved for want of a connection: the next page of the app saves it (`offline.js`).
  const unsaved = () => `unsaved.${form.dataset.draft}`;
  const holdBack = () => {
    if (isHeld || isSending || document.body.dataset.leaves || !("keeps" in form.dataset) || !form.querySelector('[name="account"]:checked')) return;
    if (!form.elements.caption.value.trim() && !form.elements.post) return;
    const fields = new URLSearchParams([...new FormData(form)]);
    fields.delete("form_token");
    localStorage.setItem(unsaved(), `${fields}`);
  };
  const skipped = new Set(["form_token", "revision", "once", "post", "another"]);
  const typed = (...also) => JSON.stringify([...new FormData(form)].filter(([field]) => !skipped.has(field) || also.includes(field)));
  // With what a new post is known by, should the service have it without our hearing so.
  const held = () => (form.elements.post ? typed() : typed("once"));
  const written = (fields) => JSON.stringify([...fields].filter(([field]) => !skipped.has(field)).sort());
  let isDirty = form.hasAttribute("data-refused");
  let isSending = false;
  let isRefused = false;
  let isHeld = form.hasAttribute("data-refused");
  let known = typed();
  // Another tab's new post is kept in the same place: what this one did not write is set aside there,
  // by what the post is known by, and offered when nothing newer is.
  const besides = `draft.${document.body.dataset.member}.aside-`;
  const aside = (text) => besides + (JSON.parse(text).find(([field]) => field === "once") || [])[1];
  const isNew = () => form.dataset.draft.endsWith(".new");
  const older = () => isNew() && Object.keys(localStorage).find((name) => name.startsWith(besides));
  const place = localStorage.getItem(key()) ? key() : older() || key();
  const kept = localStorage.getItem(place);
  let mine = null;
  const write = () => {
    const there = localStorage.getItem(key());
    if (isNew() && there && there !== mine) localStorage.setItem(aside(there), there);
    mine = held();
    localStorage.setItem(key(), mine);
    if (isNew()) localStorage.removeItem(aside(mine));
  };
  const drop = () => {
    if (!isNew() || localStorage.getItem(key()) === mine) localStorage.removeItem(key());
    else if (mine) localStorage.removeItem(aside(mine));
  };
  let later = 0;

  // As a draft of the service: after a pause, not too often, and only what can be one.
  let running = null;
  let last = 0;
  let soon = 0;
  const clock = () => new Date().toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" });
  const becomes = (found) => {
    const wasNew = !form.elements.post;
    for (const [name, value] of Object.entries(found)) {
      const field = form.elements[name] || form.appendChild(Object.assign(document.createElement("input"), { type: "hidden", name }));
      field.value = value;
    }
    if (!wasNew) return;
    drop();
    form.dataset.draft = form.dataset.draft.replace(/new$/, found.post);
    form.action = `/app/posts/${found.post}`;
    history.replaceState(null, "", form.action);
    by("delete").action = `${form.action}/delete`;
    by("deletes")?.toggleAttribute("hidden", false);
  };
  const keep = async () => {
    const now = typed();
    if (isHeld || isSending || now === known) return;
    if (!form.elements.caption.value.trim() && !form.elements.post) return;
    if (!form.querySelector('[name="account"]:checked')) { say("Kept in this browser", ". Choose an account to keep it everywhere."); return; }
    last = Date.now();
    try {
      const answer = await fetch("/app/compose/kept", { method: "POST", body: new URLSearchParams([...new FormData(form)]) });
      if (answer.ok && !answer.redirected) {
        localStorage.removeItem(unsaved());
        becomes(await answer.json());
        known = now;
        if (typed() === now) { isDirty = false; localStorage.removeItem(key()); }
        say(`Saved ${clock()}`, ", open on every device", true);
        return;
      }
      if (answer.status === 412) {
        isHeld = true;
        say("Kept in this browser");
        offer("This draft was changed elsewhere meanwhile. What you typed is kept here.", ["Show both", () => form.requestSubmit(form.querySelector('button[value="save"]'))]);
        return;
      }
      const problem = new DOMParser().parseFromString(await answer.text(), "text/html").querySelector(".problem");
      say(`Kept in this browser only${problem ? `: ${problem.textContent.trim()}` : ""}`);
    } catch {
      holdBack();
      sayNoLine();
    }
  };
  // One at a time: two under way would find each other's change, and tell of somebody else's.
  const begin = () => {
    if (running) running.then(plan);
    else running = keep().finally(() => { running = null; });
  };
  const plan = () => {
    clearTimeout(soon);
    if (!("keeps" in form.dataset)) return;
    soon = setTimeout(begin, Math.max(PAUSE, last + APART - Date.now()));
  };
  window.addEventListener("online", () => { by("waits").textContent = ""; say(""); plan(); });

  form.addEventListener("input", () => {
    isDirty = true;
    form.dataset.dirty = "1";
    clearTimeout(later);
    later = setTimeout(() => {
      if (!isDirty || document.body.dataset.leaves) return;
      write();
      if (!("keeps" in form.dataset)) say("Kept in this browser");
      if (!navigator.onLine || localStorage.getItem(unsaved())) holdBack();
    }, 300);
    plan();
  });
  form.addEventListener("change", plan);

  const restore = async (fields) => {
    const wanted = new Set(fields.filter(([field]) => field === "account" || field === "label").map(([, value]) => value));
    for (const box of form.querySelectorAll('[name="account"], [name="label"]')) box.checked = wanted.has(box.value);
    const body = new URLSearchParams([...fields, ["form_token", form.elements.form_token.value]]);
    if (form.elements.post) body.append("post", form.elements.post.value);
    const answer = await fetch("/app/compose?part=panels", { method: "POST", body });
    if (answer.ok) {
      const part = new DOMParser().parseFromString(await answer.text(), "text/html");
      for (const place of ["tabs", "options", "ways", "send"]) {
        const found = part.getElementById(place);
        by(place).replaceChildren(...found.childNodes);
        found.remove();
      }
      by("panels").replaceChildren(...part.body.childNodes);
    }
    for (const [field, value] of fields) {
      const found = form.elements[field];
      if (field === "once" && found && !form.elements.post) found.value = value;  // the same draft
      if (found instanceof RadioNodeList) { for (const one of found) if (one.type === "radio") one.checked = one.value === value; }
      else if (found && !["checkbox", "hidden"].includes(found.type)) found.value = value;
    }
    isDirty = true;
    form.dispatchEvent(new Event("restored"));
    form.dispatchEvent(new Event("change", { bubbles: true }));
  };
  // What was being sent or saved when its page was left may have been taken: then there is nothing to
  // restore, unless more was typed after a draft was saved.
  const taken = async () => {
    const fields = JSON.parse(kept);
    const sent = fields.find(([field]) => field === "once");
    try {
      const post = form.elements.post?.value || (sent && (await (await fetch(`/app/compose/taken?${new URLSearchParams([sent])}`)).json()).post);
      if (!post) return false;
      const answer = await fetch(`/app/posts/${post}`);
      if (!answer.ok || answer.redirected) return false;
      const theirs = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("composer");
      const isDraft = theirs && "keeps" in theirs.dataset;
      if (theirs && written(new FormData(theirs)) === written(fields)) return true;
      return !isDraft && !form.elements.post;
    } catch {
      return false;
    }
  };
  const offerKept = async () => {
    if (!kept || written(JSON.parse(kept)) === written(JSON.parse(known)) || isDirty || (localStorage.getItem(unsaved()) && !form.elements.post)) return;
    const isTaken = await taken();
    if (localStorage.getItem(place) !== kept) return;
    if (isTaken) {
      localStorage.removeItem(place);
      if (form.elements.post && !isDirty) location.reload();  // it arrived after this page was made
    } else offer("You have text here that was not saved.", ["Restore", () => { mine = kept; restore(JSON.parse(kept)); }], ["Discard", () => { for (const name of [place, aside(kept), unsaved()]) localStorage.removeItem(name); }]);
  };
  offerKept();
  document.addEventListener("click", (event) => {
    if (event.target.closest("[data-takes-theirs]")) { isDirty = false; localStorage.removeItem(key()); }
  });

  // Where another post is wanted, it begins on this page. What was refused is sent as any form: the
  // page that then comes says why.
  const goOn = async (submitter) => {
    const body = new URLSearchParams([...new FormData(form), [submitter.name, submitter.value]]);
    const stop = () => { isSending = false; form.classList.remove("htmx-request"); };
    try {
      const { begin } = await import(form.dataset.next);
      const answer = await fetch(form.action, { method: "POST", body });
      const next = answer.ok && new URL(answer.url).pathname === "/app/posts/new" && begin(form, answer.url, await answer.text());
      stop();
      if (!next) { isRefused = true; form.requestSubmit(submitter); return; }
      drop();
      form.dataset.draft = next;
      delete form.dataset.dirty;
      isDirty = false;
      last = 0;
      known = typed();
      say("");
    } catch {
      stop();
      by("waits").textContent = "Not sent: there is no connection. What you typed is kept here; press again when the connection is back.";
    }
  };

  // Sending waits for a draft that is just being kept: then it is that one which goes.
  document.addEventListener("submit", (event) => {
    if (event.target !== form) return;
    if (isSending || form.dataset.uploading || running) event.preventDefault();
    if (isSending) return;
    if (form.dataset.uploading) {
      by("waits").textContent = "Not sent: the file is still uploading. Wait for it, or cancel the upload.";
      return;
    }
    if (!navigator.onLine) {
      event.preventDefault();
      by("waits").textContent = "Not sent: there is no connection. What you typed is kept here; press again when the connection is back.";
      return;
    }
    if (running) {
      // The buttons may come anew meanwhile: it is the one with the same meaning that is pressed.
      const { submitter } = event;
      const same = () => [...form.querySelectorAll('button[name="do"]')].find((one) => one.value === submitter.value);
      running.then(() => form.requestSubmit(!submitter || submitter.isConnected ? submitter : same()));
      return;
    }
    clearTimeout(soon);
    clearTimeout(later);
    localStorage.removeItem(unsaved());
    write();
    isSending = true;
    form.classList.add("htmx-request");
    const { submitter } = event;
    const { another } = form.elements;
    if (isRefused || !("next" in form.dataset) || !submitter || submitter.hasAttribute("formaction")) return;
    if (!(another && another.checked) && submitter.id !== "and-next") return;
    event.preventDefault();
    goOn(submitter);
  });
  window.addEventListener("pageshow", (event) => {
    if (event.persisted && isSending) { sessionStorage.setItem("back", "1"); location.reload(); return; }
    isSending = false;
    form.classList.remove("htmx-request");
  });
  window.addEventListener("beforeunload", (event) => {
    if (!isSending && (form.dataset.uploading || (isDirty && typed() !== known))) event.preventDefault();
  });
  window.addEventListener("offline", sayNoLine);

  // Back to a form that was taken: it says what became of it.
  const [arrival] = performance.getEntriesByType("navigation");
  const went = sessionStorage.getItem("went");
  const isBack = sessionStorage.getItem("back") || (arrival && arrival.type === "back_forward");
  sessionStorage.removeItem("back");
  if (isBack && went && form.dataset.key === "new" && !kept) {
    offer("What you wrote here was sent and is a post now.", ["Open it", went], ["Write another", () => sessionStorage.removeItem("went")]);
  }
})();
