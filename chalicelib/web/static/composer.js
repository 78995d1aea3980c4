// What scripts add to the composer: tabs, a draft kept in this browser, a warning on leaving, the
// typed time on the button, and files that go up while one writes (FilePond).
(() => {
  "use strict";

  const form = document.getElementById("composer");
  if (!form) return;
  const said = document.querySelector(".said");
  const waits = document.getElementById("waits");
  const tell = (text) => { if (said) said.textContent = text; };

  // Tabs: one account's panel at a time; a link to a field opens the panel it stands in.
  const panels = document.getElementById("panels");
  let open = "";
  const show = (id) => {
    const all = [...panels.querySelectorAll(".panel")];
    const chosen = all.find((panel) => panel.id === id) || all[0];
    open = chosen ? chosen.id : "";
    panels.classList.add("tabbed");
    for (const panel of all) panel.hidden = panel !== chosen;
    const list = panels.querySelector(".tabs");
    if (list) list.setAttribute("role", "tablist");
    for (const tab of panels.querySelectorAll(".tabs a")) {
      const isOpen = tab.hash === `#${open}`;
      tab.setAttribute("role", "tab");
      tab.setAttribute("aria-selected", isOpen);
      tab.tabIndex = isOpen ? 0 : -1;
    }
  };
  const reveal = (id) => {
    const field = document.getElementById(id);
    const panel = field && field.closest(".panel");
    if (panel) show(panel.id);
    const more = field && field.closest("details");
    if (more) more.open = true;
    if (field) field.focus();
    return Boolean(field);
  };
  document.addEventListener("click", (event) => {
    const link = event.target.closest('.tabs a, #wrongs a[href^="#"]');
    if (!link) return;
    event.preventDefault();
    const id = decodeURIComponent(link.hash.slice(1));
    if (link.closest(".tabs")) show(id);
    else if (!reveal(id)) show(id);
    else return;
    const area = document.getElementById(id) && document.getElementById(id).querySelector("textarea");
    if (link.closest("#wrongs") && area) area.focus();
  });
  panels.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const tabs = [...panels.querySelectorAll('[role="tab"]')];
    const at = tabs.indexOf(document.activeElement);
    if (!step || at < 0) return;
    const next = tabs[(at + step + tabs.length) % tabs.length];
    show(next.hash.slice(1));
    next.focus();
  });
  let ticked = "";
  document.getElementById("accounts").addEventListener("change", (event) => {
    ticked = event.target.checked ? `panel-${event.target.value}` : "";
  });
  const all = document.getElementById("all-accounts");
  if (all) {
    all.hidden = false;
    all.addEventListener("click", () => {
      const boxes = [...form.querySelectorAll('[name="account"]:not(:disabled)')];
      const wanted = !boxes.every((box) => box.checked);
      for (const box of boxes) box.checked = wanted;
      boxes[0].dispatchEvent(new Event("input", { bubbles: true }));
      boxes[0].dispatchEvent(new Event("change", { bubbles: true }));
    });
  }
  document.addEventListener("htmx:afterSettle", (event) => {
    if (event.target === panels || event.target.id === "panels") show(ticked || open);
    const wrong = new Map([...document.querySelectorAll("#wrongs [data-for]")].map((item) => [item.dataset.for, item.querySelector("span").textContent]));
    for (const note of form.querySelectorAll("p.wrong[id]")) {
      const id = note.id.slice(0, -"-wrong".length);
      const field = document.getElementById(id);
      note.textContent = wrong.get(id) || "";
      if (field && wrong.has(id)) field.setAttribute("aria-invalid", "true");
      else if (field) field.removeAttribute("aria-invalid");
    }
  });
  show("");

  // The buttons come anew with the accounts: a menu that is open stays so, with what has the focus,
  // and none is taken away between press and release.
  const buttons = () => [...document.querySelectorAll("#send summary, #send button, #send input")];
  const folds = () => [...document.querySelectorAll("#send details")];
  let before = { focus: -1, open: [] };
  let isPressed = false;
  document.addEventListener("pointerdown", (event) => { isPressed = Boolean(event.target.closest("#send")); });
  for (const kind of ["pointerup", "pointercancel"]) document.addEventListener(kind, () => setTimeout(() => { isPressed = false; }));
  document.addEventListener("htmx:oobBeforeSwap", (event) => {
    if (event.target.id !== "send") return;
    event.detail.shouldSwap = !isPressed;
    before = { focus: buttons().indexOf(document.activeElement), open: folds().map((one) => one.open) };
  });
  document.addEventListener("htmx:oobAfterSwap", (event) => {
    if (event.target.id !== "send") return;
    folds().forEach((one, place) => { one.open = Boolean(before.open[place]); });
    if (buttons()[before.focus]) buttons()[before.focus].focus({ preventScroll: true });
  });

  // The typed time stands on the button at once.
  const name = (typed) => {
    const at = new Date(`${typed}:00Z`);
    const day = at.toLocaleDateString("en-GB", { weekday: "short", day: "numeric", month: "short", timeZone: "UTC" });
    return `${day}, ${typed.slice(11, 16)}`;
  };
  const main = () => document.getElementById("main-verb");
  form.elements.at.addEventListener("input", () => {
    const typed = form.elements.at.value;
    const canSchedule = ["schedule", "queue", "best"].includes(main().value);
    if (!typed || !canSchedule) return;
    main().value = "schedule";
    main().textContent = `Schedule for ${name(typed)}`;
    const other = document.getElementById("verb-schedule");
    if (other) other.hidden = true;
  });

  // What is typed is kept in this browser until a form was accepted, and offered again.
  const key = `draft.${form.dataset.draft}`;
  const skipped = new Set(["form_token", "revision", "once", "post", "another"]);
  const typed = () => JSON.stringify([...new FormData(form)].filter(([field]) => !skipped.has(field)));
  let isDirty = form.hasAttribute("data-refused");
  let isSending = false;
  const atFirst = typed();
  const kept = localStorage.getItem(key);
  let later = 0;
  form.addEventListener("input", () => {
    isDirty = true;
    form.dataset.dirty = "1";
    clearTimeout(later);
    later = setTimeout(() => localStorage.setItem(key, typed()), 300);
  });
  const restore = async () => {
    const fields = JSON.parse(kept);
    const chosen = new Set(fields.filter(([field]) => field === "account").map(([, value]) => value));
    for (const box of form.querySelectorAll('[name="account"]')) box.checked = chosen.has(box.value);
    const body = new URLSearchParams([...fields, ["form_token", form.elements.form_token.value]]);
    if (form.elements.post) body.append("post", form.elements.post.value);
    const answer = await fetch("/app/compose?part=panels", { method: "POST", body });
    if (answer.ok) {
      const part = new DOMParser().parseFromString(await answer.text(), "text/html");
      const send = part.getElementById("send");
      document.getElementById("send").replaceChildren(...send.childNodes);
      send.remove();
      panels.replaceChildren(...part.body.childNodes);
      htmx.process(panels);
    }
    for (const [field, value] of fields) {
      const found = form.elements[field];
      if (found instanceof RadioNodeList) { for (const one of found) if (one.type === "radio") one.checked = one.value === value; }
      else if (found && !["checkbox", "hidden"].includes(found.type)) found.value = value;
    }
    isDirty = true;
    show("");
    form.dispatchEvent(new Event("change", { bubbles: true }));
  };
  const bar = document.getElementById("kept");
  if (kept && kept !== atFirst && !isDirty) {
    bar.hidden = false;
    bar.querySelector("span").textContent = "You have text here that was not saved.";
    bar.querySelector("[data-restore]").addEventListener("click", () => { bar.hidden = true; restore(); });
    bar.querySelector("[data-discard]").addEventListener("click", () => { bar.hidden = true; localStorage.removeItem(key); });
  }
  document.addEventListener("submit", (event) => {
    if (event.target !== form) return;
    if (isSending) {
      event.preventDefault();
      return;
    }
    if (sendingFiles > 0) {
      event.preventDefault();
      waits.textContent = "Not sent: the file is still uploading. Wait for it, or cancel the upload.";
      return;
    }
    localStorage.setItem(key, typed());
    isSending = true;
    form.classList.add("htmx-request");
  });
  window.addEventListener("pageshow", () => { isSending = false; form.classList.remove("htmx-request"); });
  window.addEventListener("beforeunload", (event) => {
    if (!isSending && (sendingFiles > 0 || (isDirty && typed() !== atFirst))) event.preventDefault();
  });

  // Files: one at a time, straight to the storage where a stage has that, else by the form.
  let sendingFiles = 0;
  const upload = document.getElementById("upload");
  const field = document.querySelector("#uploader input[type=file]");
  if (!field || !window.FilePond) return;
  const brokeOff = "The upload was interrupted. Try again.";
  const problemIn = (text) => {
    const problem = new DOMParser().parseFromString(text, "text/html").querySelector(".problem");
    return problem ? problem.textContent.trim() : brokeOff;
  };
  const choose = (found, file) => {
    const library = document.querySelector(".library");
    const label = document.createElement("label");
    const radio = Object.assign(document.createElement("input"), { type: "radio", name: "media", value: found.id, checked: true });
    const text = document.createElement("span");
    label.className = "pick";
    text.textContent = found.filename;
    label.append(radio);
    if (file.type.startsWith("image/")) label.append(Object.assign(document.createElement("img"), { src: URL.createObjectURL(file), alt: "" }));
    label.append(text);
    library.prepend(label);
    library.scrollTo({ left: 0 });
    radio.dispatchEvent(new Event("input", { bubbles: true }));
    radio.dispatchEvent(new Event("change", { bubbles: true }));
    tell("Uploaded and selected.");
  };
  const put = (method, address, body, headers, began, onProgress, hold) => new Promise((resolve) => {
    const request = new XMLHttpRequest();
    hold.request = request;
    request.open(method, address);
    for (const [header, value] of Object.entries(headers)) request.setRequestHeader(header, value);
    request.upload.addEventListener("progress", (event) => {
      onProgress(event.lengthComputable, event.loaded, event.total);
      const rate = event.loaded / Math.max(0.001, (performance.now() - began) / 1000);
      const left = Math.round((event.total - event.loaded) / rate);
      tell(`Uploading: ${Math.floor((100 * event.loaded) / event.total)} %, ${(rate / 1048576).toFixed(1)} MB a second, ${left} s left`);
    });
    request.addEventListener("loadend", () => resolve(request));
    request.send(body);
  });
  const ready = async (address, hold) => {
    for (let tried = 0; tried < 300 && !hold.stopped; tried += 1) {
      const answer = await fetch(address);
      if (!answer.ok) return { message: problemIn(await answer.text()) };
      const found = await answer.json();
      if (found.state !== "waiting") return found;
      await new Promise((resolve) => setTimeout(resolve, 1000));
    }
    return { message: "The file is not ready yet. Load this page again in a while and choose it." };
  };
  const byForm = async (file, onProgress, hold) => {
    const body = new FormData();
    body.append("file", file);
    const request = await put("POST", upload.action, body, { Accept: "application/json" }, performance.now(), onProgress, hold);
    if (request.status === 201) return JSON.parse(request.responseText);
    throw new Error(request.responseText ? problemIn(request.responseText) : brokeOff);
  };
  const straight = async (file, onProgress, hold) => {
    const place = upload.dataset.straight;
    const fields = { form_token: form.elements.form_token.value, filename: file.name, size_bytes: file.size };
    const begun = await fetch(place, { method: "POST", body: new URLSearchParams(fields) });
    if (!begun.ok) throw new Error(problemIn(await begun.text()));
    const { media_id: id, url } = await begun.json();
    const request = await put("PUT", url, file, {}, performance.now(), onProgress, hold);
    if (hold.stopped) throw new Error(brokeOff);
    if (request.status !== 200) return byForm(file, onProgress, hold);
    tell("Uploaded. The file is being read.");
    const found = await ready(`${place}/${id}`, hold);
    if (found.state !== "ready") throw new Error(found.message || brokeOff);
    return found;
  };
  const process = (_name, file, _metadata, load, error, progress, abort) => {
    const hold = { stopped: false };
    sendingFiles += 1;
    const isLarge = upload.dataset.straight && file.size >= 4 * 1024 * 1024;
    (isLarge ? straight : byForm)(file, progress, hold)
      .then((found) => { if (!hold.stopped) { choose(found, file); load(found.id); } })
      .catch((reason) => { if (!hold.stopped) { tell(reason.message); error(reason.message); } })
      .finally(() => { sendingFiles -= 1; waits.textContent = ""; });
    return { abort: () => { hold.stopped = true; if (hold.request) hold.request.abort(); abort(); } };
  };
  const early = field.files[0];
  const pond = FilePond.create(field, {
    name: "pond",
    credits: false,
    allowMultiple: false,
    allowReplace: true,
    dropOnPage: true,
    dropOnElement: false,
    allowPaste: false,
    labelIdle: 'Drop a photo or video anywhere, paste it, or <span class="filepond--label-action">choose one</span>',
    labelFileProcessingError: (problem) => (problem && problem.body) || brokeOff,
    beforeDropFile: () => true,
    server: { process, revert: null, load: null, restore: null, fetch: null },
    onprocessfileabort: () => tell("Cancelled. The file chosen before stays."),
    onwarning: () => tell("A post takes one photo or video. Drop one at a time."),
    onprocessfile: (problem, item) => { if (!problem) setTimeout(() => pond.removeFile(item.id), 800); },
  });
  if (early) pond.addFile(early);
  // Whoever opened the browser's chooser before this ran chooses for the field that stood here.
  field.addEventListener("change", () => { if (field.files[0]) pond.addFile(field.files[0]); });
  const submit = document.querySelector('#uploader button[form="upload"]');
  if (submit) submit.hidden = true;
  document.addEventListener("paste", (event) => {
    const { files, types } = event.clipboardData;
    // Browsers and office programs copy a picture with its HTML or a caption: who pastes outside of
    // a text means the picture, and who pastes into one means the words, where there are any.
    const inText = event.target.closest?.("textarea, input, [contenteditable]");
    if (!files.length || (inText && types.includes("text/plain"))) return;
    event.preventDefault();
    if (files.length > 1) tell("A post takes one photo or video. Paste one at a time.");
    else pond.addFile(files[0]);
  });
  for (const kind of ["dragover", "drop"]) window.addEventListener(kind, (event) => event.preventDefault());
})();
