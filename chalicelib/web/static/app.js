// What scripts add: a file goes up with progress, without leaving the form that is being written.
// Every page works without this file.
(() => {
  "use strict";

  const choose = (form, found) => {
    const files = document.querySelector("#post-form .files");
    const label = document.createElement("label");
    const radio = document.createElement("input");
    const name = document.createElement("span");
    label.className = "file";
    Object.assign(radio, { type: "radio", name: "media", value: found.id, checked: true });
    name.textContent = found.filename;
    label.append(radio, name);
    files.append(label);
    form.reset();
  };

  const brokeOff = "The upload broke off. Send the file again.";

  const tell = (form, text) => {
    form.querySelector(".said").textContent = text;
  };

  const take = (form, found) => {
    choose(form, found);
    tell(form, "Uploaded and chosen.");
  };

  const problemIn = (text) => {
    const problem = new DOMParser().parseFromString(text, "text/html").querySelector(".problem");
    return problem ? problem.textContent.trim() : brokeOff;
  };

  const sent = (form, method, address, body, headers) =>
    new Promise((resolve) => {
      const bar = form.querySelector("progress");
      const request = new XMLHttpRequest();
      request.open(method, address);
      for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
      request.upload.addEventListener("progress", (event) => {
        bar.hidden = false;
        bar.value = event.lengthComputable ? (100 * event.loaded) / event.total : 0;
      });
      request.addEventListener("loadend", () => {
        bar.hidden = true;
        resolve(request);
      });
      request.send(body);
    });

  const sendByForm = async (form, file) => {
    const body = new FormData();
    body.append("file", file);
    const request = await sent(form, "POST", form.action, body, { Accept: "application/json" });
    if (request.status === 201) take(form, JSON.parse(request.responseText));
    else tell(form, problemIn(request.responseText));
  };

  const ready = async (address) => {
    for (let tried = 0; tried < 300; tried += 1) {
      const answer = await fetch(address);
      if (!answer.ok) return { message: problemIn(await answer.text()) };
      const found = await answer.json();
      if (found.state !== "waiting") return found;
      await new Promise((resolve) => setTimeout(resolve, 1000));
    }
    return { message: "The file is not ready yet. Load this page again in a while and choose it." };
  };

  // Large files go straight to the storage where browsers reach it, and by the form where they do not.
  const sendStraight = async (form, file) => {
    const token = new URL(form.action).searchParams.get("form_token");
    const fields = { form_token: token, filename: file.name, size_bytes: file.size };
    const begun = await fetch(form.dataset.straight, { method: "POST", body: new URLSearchParams(fields) });
    if (!begun.ok) return tell(form, problemIn(await begun.text()));
    const { media_id: id, url } = await begun.json();
    const request = await sent(form, "PUT", url, file, {});
    if (request.status !== 200) return sendByForm(form, file);
    tell(form, "Uploaded. The file is being read.");
    const found = await ready(`${form.dataset.straight}/${id}`);
    return found.state === "ready" ? take(form, found) : tell(form, found.message || brokeOff);
  };

  let isSending = false;

  const send = async (form, file) => {
    if (isSending) return;
    isSending = true;
    const isLarge = form.dataset.straight && file.size >= 4 * 1024 * 1024;
    tell(form, `Uploading ${file.name}.`);
    await (isLarge ? sendStraight : sendByForm)(form, file).catch(() => tell(form, brokeOff));
    isSending = false;
  };

  document.addEventListener("change", (event) => {
    const form = event.target.closest("[data-upload]");
    const file = form && event.target.files[0];
    if (file) send(form, file);
  });

  document.addEventListener("submit", (event) => {
    const form = event.target.closest("[data-upload]");
    if (!form) return;
    event.preventDefault();
    const file = form.elements.file.files[0];
    if (file) send(form, file);
  });

  const drop = (event, items) => {
    const form = document.querySelector("[data-upload]");
    const file = items && items.files[0];
    if (!form || !file) return;
    event.preventDefault();
    send(form, file);
  };
  document.addEventListener("paste", (event) => drop(event, event.clipboardData));
  document.addEventListener("drop", (event) => drop(event, event.dataTransfer));
  document.addEventListener("dragover", (event) => {
    if (document.querySelector("[data-upload]")) event.preventDefault();
  });
})();
