// A file of the composer: chosen, dropped or pasted, it goes up while one writes, with how far it
// is, and is chosen when it is there. Straight to the storage where a stage has that, else by the form.
(() => {
  "use strict";

  const form = document.getElementById("composer");
  const upload = document.getElementById("upload");
  const field = document.querySelector("#uploader input[type=file]");
  if (!form || !field) return;
  const place = document.getElementById("uploading");
  const figure = document.getElementById("chosen");
  const library = document.getElementById("library");
  const said = document.querySelector(".said");
  // How far it is changes many times a second: whoever listens asks the bar.
  const tell = (text, live = "polite") => { said.setAttribute("aria-live", live); said.textContent = text; };
  const sized = (bytes) => (bytes < 1e6 ? `${Math.ceil(bytes / 1000)} KB` : `${(bytes / 1e6).toFixed(1)} MB`);
  const brokeOff = "The upload was interrupted. Try again.";
  const make = (name, values, ...inside) => {
    const made = Object.assign(document.createElement(name), values);
    made.append(...inside);
    return made;
  };

  // The chosen file as a picture, with what can be done to it.
  const previews = new Map();
  const offer = () => {
    const cropping = figure.querySelector("[data-crop]");
    if (!cropping) return;
    cropping.hidden = !figure.querySelector("img") || !crops().length;
    figure.querySelector("[data-alt]").hidden = !form.querySelector('[name$=".o.alt_text"]');
  };
  const draw = () => {
    const radio = form.querySelector('[name="media"]:checked');
    const old = figure.querySelector("img, video");
    figure.hidden = !radio || !radio.value;
    if (figure.hidden) { if (old) old.remove(); return; }
    const src = previews.get(radio.value) || `/app/media/${radio.value}`;
    const name = radio.closest("label").textContent.trim();
    const isVideo = radio.dataset.kind === "video";
    const shown = isVideo ? make("video", { src, muted: true, preload: "metadata" }) : make("img", { src, alt: name, width: 330, height: 196 });
    if (old) old.remove();
    figure.prepend(shown);
    offer();
  };
  // What every account takes of the photo, or that whose tab is open: four fields each.
  const SIDES = ["left", "top", "width", "height"];
  const allCrops = () => [...form.querySelectorAll('[name$=".o.crop.left"]')].map((left) => ({
    part: left.closest("[data-of]"),
    fields: SIDES.map((side) => form.elements[left.name.replace(/left$/, side)]),
  }));
  const crops = () => {
    const all = allCrops();
    const open = all.filter((one) => !one.part.hidden);
    return open.length ? open : all;
  };
  const keep = (found, values) => {
    for (const { fields } of found) fields.forEach((one, at) => { one.value = values ? values[SIDES[at]] : ""; });
  };
  const cut = async (button) => {
    button.setAttribute("aria-busy", "true");
    try {
      const { crop } = await import(button.dataset.crop);
      const found = crops();
      const now = found[0].fields.map((one) => Number(one.value));
      const shapes = found.map(({ part }) => (part.dataset.shapes || "0 99").split(" ").map(Number));
      const taken = crop({
        photo: figure.querySelector("img").src,
        before: now[2] && now[3] ? Object.fromEntries(SIDES.map((side, at) => [side, now[at]])) : null,
        narrowest: Math.max(...shapes.map(([narrowest]) => narrowest)) - 0.001,
        widest: Math.min(...shapes.map(([, widest]) => widest)) + 0.001,
        library: button.dataset.library,
        style: button.dataset.style,
      });
      button.removeAttribute("aria-busy");
      const part = await taken;
      if (part === undefined) return;
      const [{ fields: [field] }] = crops();
      keep(crops(), part);
      for (const kind of ["input", "change"]) field.dispatchEvent(new Event(kind, { bubbles: true }));
      tell(part ? "Cropped. The preview shows the part that goes out." : "All of the photo goes out.");
    } catch {
      button.removeAttribute("aria-busy");
      tell("Cropping could not be loaded. Try again when the connection is back.");
    }
  };
  const changed = (radio) => {
    radio.checked = true;
    for (const kind of ["input", "change"]) radio.dispatchEvent(new Event(kind, { bubbles: true }));
  };
  // Another photo has other parts.
  form.addEventListener("input", (event) => {
    if (event.target.name === "media") keep(allCrops(), null);
  }, true);
  form.addEventListener("change", (event) => {
    if (event.target.name !== "media") return;
    draw();
    library.open = false;
    htmx.ajax("POST", "/app/compose?part=options", { source: form, target: "#options" });
  });
  document.addEventListener("htmx:afterSettle", (event) => {
    if (event.target.id === "options" || event.target.id === "panels") draw();
  });
  const caption = figure.querySelector("figcaption");
  if (caption) caption.hidden = false;
  offer();
  figure.addEventListener("click", (event) => {
    const pressed = event.target.closest("button");
    if (!pressed) return;
    if ("remove" in pressed.dataset) changed(form.querySelector('[name="media"][value=""]'));
    if ("replace" in pressed.dataset) library.open = true;
    if ("crop" in pressed.dataset) cut(pressed);
    if ("alt" in pressed.dataset) {
      const alts = [...form.querySelectorAll('[name$=".o.alt_text"]')];
      const alt = alts.find((one) => !one.closest("[data-of]").hidden) || alts[0];
      if (alt) form.dispatchEvent(new CustomEvent("reveal", { detail: alt.id }));
    }
  });

  // Ways up
  const problemIn = (text) => {
    const problem = new DOMParser().parseFromString(text, "text/html").querySelector(".problem");
    return problem ? problem.textContent.trim() : brokeOff;
  };
  const put = (method, address, body, headers, job) => new Promise((resolve) => {
    const request = new XMLHttpRequest();
    const began = performance.now();
    job.request = request;
    request.open(method, address);
    for (const [header, value] of Object.entries(headers)) request.setRequestHeader(header, value);
    request.upload.addEventListener("progress", (event) => {
      const part = Math.floor((100 * event.loaded) / event.total);
      const rate = Math.max(1, event.loaded) / Math.max(0.001, (performance.now() - began) / 1000);
      const left = Math.round((event.total - event.loaded) / rate);
      place.querySelector("progress").value = part;
      tell(`Uploading: ${part} %, ${sized(rate)} a second, ${left < 100 ? `${left} s` : `${Math.round(left / 60)} min`} left`, "off");
    });
    request.addEventListener("loadend", () => resolve(request));
    request.send(body);
  });
  const ready = async (address, job) => {
    for (let tried = 0; tried < 300 && !job.stopped; tried += 1) {
      const asked = fetch(address).then(async (answer) => (answer.ok ? answer.json() : { message: problemIn(await answer.text()) }));
      const found = await asked.catch(() => null);  // the file is there, though the line may be down
      if (found && found.state !== "waiting") return found;
      await new Promise((resolve) => setTimeout(resolve, 1000));
    }
    return { message: "The file is not ready yet. Load this page again in a while and choose it." };
  };
  const byForm = async (file, job) => {
    const body = new FormData();
    body.append("file", file);
    const request = await put("POST", upload.action, body, { Accept: "application/json" }, job);
    if (request.status === 201) return JSON.parse(request.responseText);
    throw new Error(request.responseText ? problemIn(request.responseText) : brokeOff);
  };
  const straight = async (file, job) => {
    const address = upload.dataset.straight;
    const fields = { form_token: form.elements.form_token.value, filename: file.name, size_bytes: file.size };
    const begun = await fetch(address, { method: "POST", body: new URLSearchParams(fields) });
    if (!begun.ok) throw new Error(problemIn(await begun.text()));
    const { media_id: id, url } = await begun.json();
    const request = await put("PUT", url, file, {}, job);
    if (job.stopped) throw new Error(brokeOff);
    if (request.status !== 200) return byForm(file, job);
    tell("Uploaded. The file is being read.");
    const found = await ready(`${address}/${id}`, job);
    if (found.state !== "ready") throw new Error(found.message || brokeOff);
    return found;
  };

  const choose = (found, file) => {
    const radio = make("input", { type: "radio", name: "media", value: found.id });
    radio.dataset.kind = file.type.startsWith("video/") ? "video" : "image";
    previews.set(found.id, URL.createObjectURL(file));
    const label = make("label", { className: "pick" }, radio);
    if (radio.dataset.kind === "image") label.append(make("img", { src: previews.get(found.id), alt: "", width: 64, height: 64 }));
    label.append(make("span", { textContent: found.filename }));
    document.querySelector(".library").prepend(label);
    changed(radio);
    tell("Uploaded and selected.");
  };
  let running = null;
  const stop = () => {
    if (!running) return;
    running.stopped = true;
    if (running.request) running.request.abort();
    running = null;
    place.hidden = true;
    delete form.dataset.uploading;
    document.getElementById("waits").textContent = "";
  };
  const add = async (file) => {
    stop();
    const job = { stopped: false };
    running = job;
    library.open = false;
    form.dataset.uploading = "1";
    const cancel = make("button", { type: "button", className: "btn small", textContent: "Cancel" });
    place.setAttribute("aria-label", file.name);
    place.replaceChildren(
      make("div", { className: "grow" }, make("b", { textContent: file.name }), make("span", { className: "hint", textContent: ` ${sized(file.size)}` }), make("progress", { max: 100, value: 0, ariaLabel: `Upload of ${file.name}` })),
      cancel,
    );
    place.hidden = false;
    cancel.addEventListener("click", () => { stop(); tell("Cancelled. The file chosen before stays."); });
    try {
      const isLarge = upload.dataset.straight && file.size >= 4 * 1024 * 1024;
      const found = await (isLarge ? straight : byForm)(file, job);
      if (job.stopped) return;
      stop();
      choose(found, file);
    } catch (reason) {
      if (job.stopped) return;
      stop();
      tell(reason.name === "Error" ? reason.message : brokeOff);  // a browser's own words say nothing to people
      const retry = make("button", { type: "button", className: "btn small", textContent: "Retry" });
      retry.addEventListener("click", () => add(file));
      place.replaceChildren(make("b", { className: "grow", textContent: file.name }), retry);
      place.hidden = false;
    }
  };
  const take = (files) => {
    if (files.length > 1) tell("A post takes one photo or video. Add one at a time.");
    else if (files.length) add(files[0]);
  };
  document.querySelector('#uploader button[form="upload"]').hidden = true;
  // Whoever opened the browser's chooser before this ran has chosen already.
  field.addEventListener("change", () => { take(field.files); });
  take(field.files);
  // Words that are dragged into a text are the browser's to move.
  const areWords = ({ target, dataTransfer }) => !dataTransfer.types.includes("Files") && target.closest?.("textarea, input");
  window.addEventListener("dragover", (event) => {
    if (areWords(event)) return;
    event.preventDefault();
    form.classList.toggle("dropping", event.dataTransfer.types.includes("Files"));
  });
  window.addEventListener("dragleave", (event) => { if (!event.relatedTarget) form.classList.remove("dropping"); });
  window.addEventListener("drop", (event) => {
    if (areWords(event)) return;
    event.preventDefault();
    form.classList.remove("dropping");
    take(event.dataTransfer.files);
  });
  document.addEventListener("paste", (event) => {
    const { files, types } = event.clipboardData;
    // Browsers and office programs copy a picture with its HTML or a caption: who pastes outside of
    // a text means the picture, and who pastes into one means the words, where there are any.
    const inText = event.target.closest?.("textarea, input, [contenteditable]");
    if (!files.length || (inText && types.includes("text/plain"))) return;
    event.preventDefault();
    take(files);
  });
})();
