// What scripts add on every page: menus that close, messages that leave, counts in the side, dialogs,
// a button that copies, a word when the line is down, and copies of drafts that a form has accepted
// are forgotten. Every page works without this file.
(() => {
  "use strict";

  const body = document.body;
  const { member } = body.dataset;
  const forget = (fits) => {
    for (const name of Object.keys(localStorage)) if (/^(draft|unsaved|offline)\.|^(here|seen)$/.test(name) && fits(name)) localStorage.removeItem(name);
  };
  // What was typed is kept no longer than its author's turn at this browser, and for as long as a
  // session without use: 14 days from when a page first saw it as it is.
  const age = () => {
    const authors = (body.dataset.members || "").split(" ");
    if (member) forget((name) => name.includes(".") && !authors.includes(name.split(".")[1]));
    const before = JSON.parse(localStorage.getItem("seen") || "{}");
    const seen = {};
    for (const name of Object.keys(localStorage).filter((one) => /^(draft|unsaved)\./.test(one))) {
      const mark = [...localStorage.getItem(name)].reduce((sum, sign) => (31 * sum + sign.codePointAt(0)) | 0, 0);
      const { at } = before[name] && before[name].mark === mark ? before[name] : { at: Date.now() };
      if (Date.now() - at > 14 * 86400000) localStorage.removeItem(name);
      else seen[name] = { mark, at };
    }
    if (Object.keys(seen).length) localStorage.setItem("seen", JSON.stringify(seen));
    else localStorage.removeItem("seen");
  };
  age();
  for (const notice of document.querySelectorAll("[data-accepted]")) {
    forget((name) => name.endsWith(`.${notice.dataset.accepted}`));
    if (notice.dataset.accepted === "new" && /^\/app\/posts\/[0-9a-f]{32}$/.test(location.pathname)) sessionStorage.setItem("went", location.pathname);
  }

  // A row of pages that is wider than the screen shows the one that is open.
  const bring = () => {
    for (const one of document.querySelectorAll(":is(.tabs, .setnav) > [aria-current]")) {
      const row = one.parentElement;
      row.scrollLeft = one.offsetLeft + one.offsetWidth + 16 - row.clientWidth;
    }
  };
  bring();

  // Who sends a form by a key goes on from there when it leads back to its own page.
  const [page, action, place] = (sessionStorage.getItem("sent") || "").split(" ");
  sessionStorage.removeItem("sent");
  const again = page === location.pathname && !location.hash && [...document.forms].find((one) => one.getAttribute("action") === action);
  if (again) {
    const fold = again.closest("details:not([open])");
    (fold ? fold.querySelector("summary") : again.elements[place] || body).focus();
  }
  document.addEventListener("submit", ({ target }) => {
    const at = document.activeElement;
    if (at.form === target && at.matches(":focus-visible")) sessionStorage.setItem("sent", `${location.pathname} ${target.getAttribute("action")} ${[...target.elements].indexOf(at)}`);
  });

  // Whoever presses twice sends once: the second answer would hide the first, and make another copy.
  // On a slow line the answer takes its time: the button shows that it is awaited, up to half a minute.
  // At the window, after those who send a form by themselves.
  const sent = new Set();
  const free = (one) => { sent.delete(one); one.removeAttribute("aria-busy"); };
  window.addEventListener("submit", (event) => {
    const { target: form, submitter } = event;
    if (event.defaultPrevented || form.getAttribute("method") !== "post") return;
    if (sent.has(form) || sent.has(submitter)) { event.preventDefault(); return; }
    for (const [one, time] of [[form, 2000], [submitter || form, 30000]]) {
      sent.add(one);
      setTimeout(free, time, one);
    }
    setTimeout(() => { if (sent.has(submitter)) submitter.setAttribute("aria-busy", "true"); }, 400);
  });
  window.addEventListener("pageshow", ({ persisted }) => { if (persisted) [...sent].forEach(free); });

  // Whoever signs out leaves nothing behind for the next person at this browser: what comes late,
  // such as counts that were asked for or a copy of what was typed, is not kept any more.
  document.addEventListener("submit", (event) => {
    if (!event.target.action.endsWith("/sign-out")) return;
    body.dataset.leaves = "1";
    forget(() => true);
    sessionStorage.clear();
  });

  // A page that Back brings from memory comes anew once nobody is signed in, or another member.
  window.addEventListener("pageshow", ({ persisted }) => {
    if (!persisted || !member || localStorage.getItem("here") === member) return;
    body.hidden = true;
    location.reload();
  });
  // In WebKit a field that an address names has the focus without a cursor: no key writes.
  const write = () => {
    const at = document.activeElement;
    if (at.matches("input, textarea") && location.hash === `#${at.id}`) { at.blur(); at.focus(); }
  };
  for (const kind of ["load", "hashchange"]) window.addEventListener(kind, () => setTimeout(write));

  // Without a connection a page of ours stands in for others (`worker.js`): it is told who was here
  // last, and on which accounts they write. What they wrote meanwhile is saved by the next page.
  if (!member) localStorage.removeItem("here");
  else {
    localStorage.setItem("here", member);
    if (document.querySelector('a[href="/app/posts/new"]')) {
      const accounts = [...document.querySelectorAll('.channels a[href*="account="]')].map((link) => [new URL(link.href).searchParams.get("account"), link.title]);
      localStorage.setItem(`offline.${member}`, JSON.stringify(accounts));
    }
    if (navigator.serviceWorker) window.addEventListener("load", () => navigator.serviceWorker.register(body.dataset.worker, { scope: "/app" }).catch(() => {}));
    if (Object.keys(localStorage).some((name) => name.startsWith(`unsaved.${member}.`))) {
      document.head.append(Object.assign(document.createElement("script"), { src: body.dataset.unsaved }));
    }
  }

  for (const button of document.querySelectorAll("[data-copy]")) {
    button.hidden = false;
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(button.dataset.copy);
      button.textContent = "Copied";
    });
  }

  // One menu is open at a time; Escape and a press beside it close it, and the focus goes back.
  const menus = () => document.querySelectorAll("details:is(.pop, .me)[open]");
  document.addEventListener("click", (event) => {
    for (const menu of menus()) if (!menu.contains(event.target)) menu.open = false;
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    for (const menu of menus()) {
      menu.open = false;
      menu.querySelector("summary").focus();
      event.stopPropagation();
    }
  }, true);
  // A menu that would leave the screen opens to the other side.
  document.addEventListener("toggle", (event) => {
    const menu = event.target.matches && event.target.matches("details.pop[open]") && event.target.querySelector(".menu");
    if (!menu || getComputedStyle(menu).position === "fixed") return;
    menu.classList.remove("above");
    const box = menu.getBoundingClientRect();
    event.target.classList.toggle("start", box.left < 0 || (event.target.classList.contains("start") && box.right <= innerWidth));
    menu.classList.toggle("above", box.bottom > innerHeight && event.target.getBoundingClientRect().top > box.height);
  }, true);

  // A box that selects all of a page, and is only there where a script can do it.
  for (const all of document.querySelectorAll("[data-all]")) {
    all.hidden = false;
    all.addEventListener("change", () => {
      for (const box of document.querySelectorAll(`input[name="${all.dataset.all}"]`)) box.checked = all.checked;
    });
  }

  // What an input method takes to write a word is none of our keys; WebKit ends the word before its key.
  window.addEventListener("keydown", (event) => { if (event.isComposing || event.keyCode === 229) event.stopPropagation(); }, true);
  // A key of a layout without Latin letters is the letter that is printed beside its own. On a Mac,
  // Option writes signs such as #, and Control with K cuts a line: ours are Control and Command there.
  const isMac = /^(Mac|iP)/.test(navigator.platform);
  window.keyOf = ({ key = "", code, ctrlKey, metaKey }) => {
    const letter = key.length === 1 && key > "\u024f" && /^Key[A-Z]$/.test(code) ? code[3].toLowerCase() : key;
    return { letter, isMac, leads: (isMac ? metaKey : ctrlKey) && letter.toLowerCase() === "k" };
  };

  // Keys are loaded at the first press that may be one; it and those that follow until the script is
  // there are then pressed again for it.
  const early = [];
  const first = (event) => {
    const { letter, leads } = keyOf(event);
    const isCommand = event.ctrlKey || event.metaKey;
    const isKey = isCommand || event.altKey || /^[n/jkes?]$/.test(letter);
    if (!isKey || !body.dataset.keys || /^(Control|Meta|Alt|Shift)$/.test(event.key)) return;
    if (leads || (isCommand && event.key === "Enter")) event.preventDefault();
    const { key, code, ctrlKey, metaKey, altKey, shiftKey, target } = event;
    early.push([target, { key, code, ctrlKey, metaKey, altKey, shiftKey, bubbles: true, cancelable: true }]);
    if (early.length > 1) return;
    const script = Object.assign(document.createElement("script"), { src: body.dataset.keys });
    script.addEventListener("load", () => {
      document.removeEventListener("keydown", first);
      for (const [place, values] of early) if (place.isConnected) place.dispatchEvent(new KeyboardEvent("keydown", values));
    });
    document.head.append(script);
  };
  document.addEventListener("keydown", first);

  // Dialogs: a button names what it opens; a press on the ground beside it closes it.
  for (const button of document.querySelectorAll("[data-opens]")) button.hidden = false;
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-opens]");
    const dialog = button && document.getElementById(button.dataset.opens);
    if (dialog) dialog.showModal();
    if (event.target.matches("dialog") || event.target.closest("dialog [data-closes]")) event.target.closest("dialog").close();
  });

  // A message leaves after ten seconds, and waits while somebody looks at it.
  document.addEventListener("animationend", (event) => {
    if (event.animationName === "run") event.target.closest(".notices").remove();
  });

  // How many posts wait, for each account and for review, and whose picture we have; kept for a minute,
  // the pictures for as long as the window is open, so that nothing jumps.
  const key = `counts.${member}`;
  let faces = [];
  const paint = (part) => {
    for (const face of part.querySelectorAll("[data-face]")) {
      if (!faces.includes(face.dataset.face)) continue;
      face.replaceWith(Object.assign(new Image(), { alt: "", className: "face", decoding: "sync", src: `/app/accounts/${face.dataset.face}/picture` }));
    }
  };
  document.addEventListener("htmx:afterSwap", (event) => paint(event.detail.target));
  const shown = (counts) => {
    faces = counts.faces || [];
    paint(document);
    for (const place of document.querySelectorAll("[data-count]")) {
      const found = counts[place.dataset.count];
      place.replaceChildren();
      if (!found) continue;
      const unit = Object.assign(document.createElement("span"), { className: "unseen", textContent: ["Review", "Waiting"].includes(place.dataset.count) ? " waiting" : place.dataset.count.startsWith("tab") ? " posts" : " scheduled" });
      place.append(found, unit);
    }
    bring();  // the counts take room, too
  };
  const count = async () => {
    const kept = JSON.parse(sessionStorage.getItem(key) || "{}");
    if (kept.counts) shown(kept.counts);
    const { faces, "tab All": all } = kept.counts || {};
    const tabs = document.querySelector('[data-count^="tab"]');
    if (Date.now() - (kept.at || 0) < 60000 && (all || !tabs) && !document.querySelector(".notice")) return;
    const answer = await fetch(`/app/counts?${faces ? "" : "faces&"}${tabs ? "tabs" : ""}`).catch(() => null);
    if (!answer || !answer.ok || answer.redirected) return;
    const counts = { faces, ...(await answer.json()) };
    if (body.dataset.leaves) return;
    sessionStorage.setItem(key, JSON.stringify({ at: Date.now(), counts }));
    shown(counts);
  };
  if (member) count();
  document.addEventListener("taken", count);

  // A post that waits for its time is looked at from half a minute before it.
  const waiting = document.querySelector("[data-due]");
  if (waiting) {
    const seconds = Number(waiting.dataset.due) - 30 - Number(waiting.dataset.now);
    const look = () => htmx.ajax("GET", waiting.dataset.poll, { target: "#progress", swap: "outerHTML" });
    if (seconds < 86400) setTimeout(look, Math.max(1, seconds) * 1000);
  }

  // Times stand in the workspace's zone: whoever sits in another is told so, and each time as it is there.
  const { zone } = body.dataset;
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const clockIn = (timeZone, at) => new Intl.DateTimeFormat("en-GB", { timeZone, weekday: "short", hour: "2-digit", minute: "2-digit" }).format(at);
  const now = new Date();
  if (zone && clockIn(zone, now) !== clockIn(own, now)) {
    for (const place of document.querySelectorAll("[data-own-zone]")) {
      place.textContent = ` For you it is ${clockIn(own, now)} now (${own}).`;
      place.hidden = false;
    }
    document.addEventListener("pointerover", ({ target }) => {
      const time = target.closest && target.closest("time[datetime]");
      if (time && !time.title) time.title = `${clockIn(own, new Date(time.dateTime))} on your own clock (${own})`;
    });
  }

  // A browser that counts twelve hours gets fields that count 24, as the pages do.
  const twelve = Intl.DateTimeFormat(undefined, { hour: "numeric" }).resolvedOptions().hour12;
  const split = () => {
    if (!twelve || !body.dataset.clock || !document.querySelector("input[type=datetime-local]")) return;
    document.head.append(Object.assign(document.createElement("script"), { src: body.dataset.clock }));
    document.removeEventListener("htmx:afterSwap", split);
    delete body.dataset.clock;
  };
  document.addEventListener("htmx:afterSwap", split);
  split();

  // What has gone out is no longer offered for changes, unless something was typed there.
  document.addEventListener("htmx:afterSwap", () => {
    const composer = document.getElementById("composer");
    if (composer && !composer.dataset.dirty && document.querySelector("#progress[data-fixed]")) composer.hidden = true;
  });

  document.addEventListener("htmx:responseError", (event) => {
    const ended = document.getElementById("ended");
    if (ended && event.detail.xhr.status === 401) ended.hidden = false;
  });
})();
