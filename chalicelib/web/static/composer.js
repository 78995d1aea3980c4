// What scripts add to the composer: one text that tabs edit for one account, times as chips whose
// words stand on the button, one preview at a time. What is typed is kept by drafts.js, files go up
// in upload.js. The page works without all three.
(() => {
  "use strict";

  const form = document.getElementById("composer");
  if (!form) return;
  const by = (id) => document.getElementById(id);
  const every = (fits, root = form) => [...root.querySelectorAll(fits)];
  const shared = form.elements.caption;
  const panels = by("panels");
  form.classList.add("scripted");
  for (const one of every("[hidden].seg, [data-insert], [data-emoji]")) one.hidden = false;

  // Tabs: "all" or an account. An account without a text of its own shows the shared one in its
  // place; that is sent as none, and goes again when its tab closes.
  let open = "all";
  let look = "";
  const areaOf = (id) => by(`a.${id}.text`);
  const isOwn = (area) => Boolean(area.value) && !area.dataset.shared;
  const tell = (id) => {
    const area = areaOf(id);
    const own = area && isOwn(area);
    const said = area && area.closest(".panel").querySelector(".own");
    if (said) {
      said.hidden = false;
      said.querySelector(".is-own").hidden = !own;
      said.querySelector(".is-shared").hidden = own;
      said.querySelector("[data-reset]").hidden = !own;
    }
    const tag = document.querySelector(`[data-tab="${id}"] .tagc`);
    if (tag) tag.hidden = !own;
  };
  const fill = (area, isOpen) => {
    if (isOpen && (!area.value || area.dataset.shared)) {
      area.value = shared.value;
      area.dataset.shared = "1";
    } else if (!isOpen && area.dataset.shared) {
      area.value = "";
      delete area.dataset.shared;
    }
  };
  const meter = () => {
    const counts = every("[data-tab] .n").filter((one) => open === "all" || one.closest(`[data-tab="${open}"]`));
    const place = by("meter");
    if (!place) return;
    const least = counts.sort((one, other) => one.dataset.left - other.dataset.left)[0];
    place.hidden = !least;
    if (!least) return;
    const { left, limit } = least.dataset;
    place.classList.toggle("bad", left < 0);
    place.querySelector(".num").textContent = left < 0 ? `${-left} too many` : `${left} left`;
    place.querySelector(".m").setAttribute("stroke-dasharray", `${Math.min(100, Math.round((100 * (limit - left)) / limit))} 100`);
  };
  const showLook = (id) => {
    const sections = every("#beside [data-of]");
    const chosen = id === "all" || sections.some((one) => one.dataset.of === id) ? id : sections[0] && sections[0].dataset.of;
    form.classList.toggle("all-looks", id === "all");
    for (const one of sections) one.hidden = id !== "all" && one.dataset.of !== chosen;
    for (const one of every("#beside .seg [data-look]")) one.setAttribute("aria-pressed", String(one.dataset.look === (id === "all" ? "all" : chosen)));
    for (const one of every("#beside [data-also]")) one.hidden = one.dataset.also === chosen;
    for (const one of every("#beside .seg, #beside .alsoto")) one.hidden = false;
    const also = form.querySelector(".alsoto");
    if (also && id === "all") also.hidden = true;
  };
  // What is open or chosen in a row that is wider than the screen is not out of sight.
  const bring = (row, one) => {
    if (!row || !one) return;
    const most = one.offsetLeft - 16;
    row.scrollLeft = Math.min(most, Math.max(row.scrollLeft, most + one.offsetWidth + 32 - row.clientWidth));
  };
  const show = (id) => {
    const tabs = every("[data-tab]");
    open = tabs.some((tab) => tab.dataset.tab === id) ? id : "all";
    for (const tab of tabs) {
      const isOpen = tab.dataset.tab === open;
      tab.setAttribute("role", "tab");
      tab.setAttribute("aria-selected", isOpen);
      tab.tabIndex = isOpen ? 0 : -1;
    }
    const list = form.querySelector(".tabs");
    if (list) list.setAttribute("role", "tablist");
    bring(list, tabs.find((tab) => tab.dataset.tab === open));
    for (const part of every(".desk [data-of]")) {
      part.hidden = part.dataset.of !== open;
      const area = part.classList.contains("panel") && areaOf(part.dataset.of);
      if (area) { fill(area, !part.hidden); tell(part.dataset.of); }
    }
    meter();
    if (look !== "all") showLook(open === "all" ? look : open);
  };
  const reveal = (id) => {
    const field = by(id);
    const part = field && field.closest(".desk [data-of]");
    if (part) show(part.dataset.of);
    for (let fold = field && field.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
    if (id === "at") choose("pick");
    if (field) field.focus();
    return Boolean(field) && !field.matches("section");
  };
  form.addEventListener("reveal", (event) => reveal(event.detail));
  // A tab by its number. That of an account whose tab has not come yet opens when it comes.
  form.addEventListener("tab", (event) => {
    const tab = every("[data-tab]")[event.detail];
    const box = every('[name="account"]:checked')[event.detail - 1];
    if (!tab && box) ticked = box.value;
    if (tab) tab.click();
    if (tab || !event.detail) (areaOf(open) || shared).focus();  // one text needs no tab
  });
  // At the cursor of the text that is open.
  const written = () => (open === "all" ? shared : areaOf(open)) || shared;
  const insert = (text) => {
    const area = written();
    area.focus();
    area.setRangeText(text, area.selectionStart, area.selectionEnd, "end");
    area.dispatchEvent(new Event("input", { bubbles: true }));
  };
  // A hashtag that touches another word is none.
  const insertWords = (text) => {
    const { value, selectionStart, selectionEnd } = written();
    const before = /\S$/.test(value.slice(0, selectionStart)) ? " " : "";
    const after = /^\S/.test(value.slice(selectionEnd)) ? " " : "";
    insert(before + text + after);
  };
  const pick = async (button) => {
    button.setAttribute("aria-busy", "true");
    const said = form.querySelector(".said");
    try {
      const { choose } = await import(button.dataset.emoji);
      button.removeAttribute("aria-busy");
      said.textContent = "";
      const chosen = await choose(button.dataset.list);
      if (chosen) insert(chosen);
    } catch {
      button.removeAttribute("aria-busy");
      said.textContent = "The emoji could not be loaded. Try again when the connection is back.";
    }
  };
  const hasKeyboard = matchMedia("(hover: hover) and (pointer: fine)");
  let wasWriting = false;
  form.addEventListener("pointerdown", () => { wasWriting = document.activeElement.matches("textarea.text"); });
  document.addEventListener("click", (event) => {
    const link = event.target.closest('[data-tab], #wrongs a[href^="#"]');
    if (link) {
      event.preventDefault();
      ticked = "";
      const id = decodeURIComponent(link.hash.slice(1));
      if (link.dataset.tab) {
        show(link.dataset.tab);
        // Who presses a tab writes next: at a desk, and on a phone whose keyboard is there already.
        if (event.detail && (hasKeyboard.matches || wasWriting)) written().focus({ preventScroll: true });
      } else if (!reveal(id) && id.startsWith("panel-")) {
        show(id.slice("panel-".length));
        const area = areaOf(open);
        if (area) area.focus();
      }
      return;
    }
    const pressed = event.target.closest("[data-look]");
    if (pressed) {
      look = pressed.dataset.look;
      if (look) showLook(look);
      if (!look || pressed.closest(".also")) show(look || open);
      if (!look) (areaOf(open) || shared).focus();
    }
    const sign = event.target.closest("[data-insert]");
    if (sign) insertWords(sign.dataset.insert);
    const smile = event.target.closest("[data-emoji]");
    if (smile) pick(smile);
    const reset = event.target.closest("[data-reset]");
    if (reset) {
      const area = areaOf(open);
      area.value = "";
      fill(area, true);
      area.dispatchEvent(new Event("input", { bubbles: true }));
      area.focus();
    }
    const side = event.target.closest(".chead .seg a");
    if (side) {
      event.preventDefault();
      form.classList.toggle("previewing", side.hash === "#preview");
      for (const one of side.parentElement.children) one.toggleAttribute("aria-current", one === side);
      scrollTo(0, 0);
    }
  });
  form.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const tabs = every('[role="tab"]');
    const at = tabs.indexOf(document.activeElement);
    if (!step || at < 0) return;
    const next = tabs[(at + step + tabs.length) % tabs.length];
    show(next.dataset.tab);
    next.focus();
  });
  form.addEventListener("formdata", (event) => {
    for (const area of every("[data-shared]")) event.formData.set(area.name, "");
  });

  // Accounts ticked in a row leave the shared text open; one that is ticked after something was
  // written opens its own, where the next text is for it alone.
  let ticked = "";
  let hasWritten = false;
  form.addEventListener("input", (event) => {
    if (!event.target.matches(".text")) return;
    hasWritten = true;
    ticked = "";  // nobody's text goes away from under their fingers
    const panel = event.target.closest(".panel");
    if (!panel) return;
    if (event.target.value === shared.value) event.target.dataset.shared = "1";
    else delete event.target.dataset.shared;
    tell(panel.dataset.of);
  });
  by("accounts").addEventListener("change", (event) => {
    if (event.target.name !== "account") return;
    const isOne = every('[name="account"]:checked').length < 2;
    ticked = event.target.checked && hasWritten && !isOne ? event.target.value : "all";
    hasWritten = false;
  });
  // One press chooses several, or none of them if all are chosen: a group's, or every account there is.
  const toggle = (boxes) => {
    if (!boxes.length) return;
    const wanted = !boxes.every((box) => box.checked);
    for (const box of boxes) box.checked = wanted;
    hasWritten = false;
    boxes[0].dispatchEvent(new Event("input", { bubbles: true }));
    boxes[0].dispatchEvent(new Event("change", { bubbles: true }));
  };
  const groups = every("[data-accounts]");
  const boxesOf = (group) => every('[name="account"]:not(:disabled)').filter((box) => group.dataset.accounts.includes(box.value));
  const tellGroups = () => {
    for (const group of groups) group.setAttribute("aria-pressed", boxesOf(group).every((box) => box.checked));
  };
  for (const group of groups) group.addEventListener("click", (event) => { event.preventDefault(); toggle(boxesOf(group)); });
  by("accounts").addEventListener("change", tellGroups);
  form.addEventListener("restored", tellGroups);
  tellGroups();
  // An account takes more room once its name is shown.
  by("accounts").addEventListener("focusin", ({ target }) => {
    if (target.matches(":focus-visible")) target.closest("label, button").scrollIntoView({ block: "nearest", inline: "nearest" });
  });
  const all = by("all-accounts");
  if (all) all.addEventListener("click", () => toggle(every('[name="account"]:not(:disabled)')));
  const finder = by("find-account");
  if (finder) {
    const find = () => {
      const words = finder.value.trim().toLocaleLowerCase();
      for (const one of every(".acc, [data-accounts]", by("accounts"))) {
        const text = `${one.title} ${one.textContent}`.toLocaleLowerCase();
        one.hidden = !text.includes(words) && !one.querySelector(":checked");
      }
    };
    for (const kind of ["input", "change"]) finder.addEventListener(kind, (event) => { event.stopPropagation(); find(); });
    finder.addEventListener("keydown", (event) => {
      if (event.key !== "Enter") return;
      event.preventDefault();
      const first = every(".acc:not([hidden]) :not(:checked, :disabled)[name=account], [data-accounts]:not([hidden])", by("accounts"))[0];
      if (!finder.value.trim() || !first) return;
      finder.value = "";
      find();
      first.click();
    });
  }
  // Who types on has asked for newer previews already: those that come now would keep the next key
  // press waiting, and be of an older text.
  let typedAt = 0;
  let askedAt = 0;
  form.addEventListener("input", (event) => { if (event.target.matches("textarea")) typedAt = performance.now(); });
  document.addEventListener("htmx:beforeSend", ({ detail }) => { if (detail.target.id === "beside") askedAt = performance.now(); });
  document.addEventListener("htmx:beforeSwap", ({ detail }) => { if (detail.target.id === "beside" && typedAt > askedAt) detail.shouldSwap = false; });

  // What was typed, picked or opened in a part after it was asked for stays, with the focus.
  const held = new Map();
  const keyOf = (one) => one.matches("details")
    ? `${one.closest("[data-of]").dataset.of} ${one.querySelector("summary").textContent.trim()}`
    : `${one.name} ${/^(checkbox|radio)$/.test(one.type) ? one.value : ""}`;
  const isTyped = (part) => part.id === "panels" || part.id === "options";
  const hold = (part) => {
    for (const one of every("[name], details", part)) held.set(keyOf(one), [one, one === document.activeElement]);
  };
  const putBack = (part) => {
    for (const one of every("[name], details", part)) {
      const [old, hadFocus] = held.get(keyOf(one)) || [];
      held.delete(keyOf(one));
      if (!old) continue;
      if (one.matches("details")) { one.open = old.open; continue; }
      if (/^(checkbox|radio)$/.test(one.type)) one.checked = old.checked;
      else if (!one.options || [...one.options].some((choice) => choice.value === old.value)) one.value = old.value;
      if (old.dataset.shared) one.dataset.shared = "1";
      if (!hadFocus) continue;
      one.focus({ preventScroll: true });
      if (one.matches("textarea")) one.setSelectionRange(old.selectionStart, old.selectionEnd);
    }
  };
  // A link or button of a part has its place there instead of a name.
  let focused = ["", -1];
  const places = (part) => every("a, button, summary, [name]", part);
  const mark = (part) => { if (part.contains(document.activeElement)) focused = [part.id, places(part).indexOf(document.activeElement)]; };
  const focusAgain = (part) => {
    const [id, place] = focused;
    if (id !== part.id || document.activeElement !== document.body) return;
    focused = ["", -1];
    const one = places(part)[place];
    if (one) one.focus({ preventScroll: true });
  };
  document.addEventListener("htmx:beforeSwap", ({ detail }) => { if (isTyped(detail.target)) hold(detail.target); mark(detail.target); });
  document.addEventListener("htmx:afterSwap", ({ detail }) => { if (isTyped(detail.target)) putBack(detail.target); });

  // In the task that put the parts there, so that nobody sees two texts at once.
  document.addEventListener("htmx:afterSwap", (event) => {
    if (event.target === panels) {
      const isThere = every("[data-tab]").some((tab) => tab.dataset.tab === ticked);
      const wrote = document.activeElement;
      show(isThere ? ticked : open);
      if (wrote.matches("textarea.text") && wrote.closest("[data-of]").hidden) (areaOf(open) || shared).focus();
      if (isThere) ticked = "";
      say();
    }
    if (event.target.id !== "beside") return;
    show(open);
    if (look === "all") showLook("all");
    const wrong = new Map(every("#wrongs [data-for]").map((item) => [item.dataset.for, item.querySelector("span").textContent]));
    for (const note of every('p.wrong[id$="-wrong"]')) {
      const id = note.id.slice(0, -"-wrong".length);
      const field = by(id);
      note.textContent = wrong.get(id) || "";
      if (field && wrong.has(id)) field.setAttribute("aria-invalid", "true");
      else if (field) field.removeAttribute("aria-invalid");
    }
  });
  document.addEventListener("htmx:afterSwap", ({ detail }) => focusAgain(detail.target));

  // Times: the chosen one's words stand on the button; those of a typed time come from the service,
  // which alone knows the instant that will be.
  const main = () => by("main-verb");
  const ways = () => every('[name="way"]');
  const chosen = () => ways().find((way) => way.checked);
  const say = () => {
    const way = chosen();
    form.querySelector(".when").classList.toggle("picking", !way || way.value === "pick");
    if (way) bring(form.querySelector(".when"), way.parentElement);
    every("#others [data-way]").forEach((row, place) => { row.hidden = false; row.setAttribute("aria-pressed", ways()[place].checked); });
    const stays = !way || (main().value !== "schedule" && ways()[0].value !== "none");
    // The same words once more would be a paint of their own, the largest of a phone's first page.
    if (!stays && main().textContent !== way.dataset.says) main().textContent = way.dataset.says;
  };
  // Words that came for what was chosen before are not those of what is chosen now.
  const named = () => {
    const way = chosen();
    if (!way || way.value !== "pick") say();
    else if (main().dataset.at === form.elements.at.value) way.dataset.says = main().textContent;
    else say();
  };
  let picked = "";
  const choose = (value) => {
    picked = value;
    const way = ways().find((one) => one.value === value);
    if (way) way.checked = true;
    say();
  };
  // Heard by the form: the ways themselves come anew.
  form.addEventListener("change", (event) => {
    if (event.target.name !== "way") return;
    picked = event.target.value;
    say();
    // Who goes on from time to time by arrows has not come to one yet.
    if (event.target.value === "pick" && !event.target.matches(":focus-visible")) form.elements.at.focus();
  });
  // On a phone the sheet has the times, too.
  form.addEventListener("click", (event) => {
    const row = event.target.closest("#others [data-way]");
    if (!row) return;
    const way = ways()[row.dataset.way];
    by("others").open = false;
    way.checked = true;
    way.dispatchEvent(new Event("change", { bubbles: true }));
  });
  form.elements.at.addEventListener("input", () => {
    if (!form.elements.at.value) return;
    const way = ways().find((one) => one.value === "pick");
    if (way) way.dataset.says = ways()[0].value === "none" ? "Ask for this time" : "Schedule for this time";
    choose("pick");
  });

  // The buttons come anew while one types: a menu that is open stays so, with what has the focus,
  // and none is taken away between press and release.
  const folds = () => every("#send details");
  let opened = [];
  let isPressed = false;
  document.addEventListener("pointerdown", (event) => { isPressed = Boolean(event.target.closest("#send")); });
  for (const kind of ["pointerup", "pointercancel"]) document.addEventListener(kind, () => setTimeout(() => { isPressed = false; }));
  let onTab = "";
  document.addEventListener("htmx:oobBeforeSwap", (event) => {
    const at = document.activeElement;
    if (event.target.id === "options") hold(event.target);
    mark(event.target);
    if (event.target.id === "tabs") {
      onTab = at && at.dataset.tab;
      // What was asked for before an account was ticked comes too late for its tabs.
      const coming = every("[data-tab]", event.detail.fragment).map((tab) => tab.dataset.tab);
      const boxes = every('[name="account"]:checked').map((box) => box.value);
      event.detail.shouldSwap = boxes.every((id) => coming.includes(id)) && coming.length <= boxes.length + 1;
    }
    if (event.target.id === "ways" && picked) {
      // Ways that were asked for before a person picked one do not pick another.
      const coming = every('[name="way"]', event.detail.fragment);
      if (coming.some((way) => way.value === picked)) for (const way of coming) way.toggleAttribute("checked", way.value === picked);
    }
    if (event.target.id !== "send") return;
    // Buttons that were asked for before a person ticked "Write another" do not untick it.
    const { another } = form.elements;
    for (const box of every('[name="another"]', event.detail.fragment)) box.toggleAttribute("checked", Boolean(another && another.checked));
    event.detail.shouldSwap = !isPressed;
    opened = folds().map((one) => one.open);
  });
  document.addEventListener("htmx:oobAfterSwap", (event) => {
    if (event.target.id === "options") putBack(event.target);
    if (event.target.id === "tabs" && onTab) {
      const tab = form.querySelector(`[data-tab="${onTab}"]`);
      if (tab) { tab.tabIndex = 0; tab.focus({ preventScroll: true }); }
      onTab = "";
    }
    if (event.target.id === "send") {
      folds().forEach((one, place) => { one.open = Boolean(opened[place]); });
      named();
    }
    focusAgain(event.target);
  });

  form.addEventListener("restored", () => { hasWritten = false; picked = ""; show("all"); say(); });

  // TikTok's rules come once an account of it is chosen.
  let rules = null;
  const followTikTok = async () => {
    if (form.querySelector(".on-tiktok")) rules ??= import(form.querySelector("[data-rules]").dataset.rules);
    if (rules) (await rules).follow(form);
  };
  for (const kind of ["change", "restored"]) form.addEventListener(kind, followTikTok);
  for (const kind of ["htmx:afterSwap", "htmx:oobAfterSwap", "DOMContentLoaded"]) document.addEventListener(kind, followTikTok);

  // What was done before this ran, on a slow line, counts as done now.
  document.addEventListener("DOMContentLoaded", () => {
    const early = chosen();
    if (early && !early.defaultChecked) choose(early.value);
    const typed = every("textarea.text").find((area) => area.value !== area.defaultValue && !area.dataset.shared);
    const box = every('[name="account"]').find((one) => one.checked !== one.defaultChecked);
    if (typed) typed.dispatchEvent(new Event("input", { bubbles: true }));
    if (box) box.dispatchEvent(new Event("change", { bubbles: true }));
  });

  show("all");
  say();
  // The cursor stands where a new post is written, unless a keyboard would cover the page for that.
  if (form.elements.once && hasKeyboard.matches && document.activeElement === document.body && !location.hash) shared.focus({ preventScroll: true });
})();
