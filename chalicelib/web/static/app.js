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

  const send = (form, file) => {
    const bar = form.querySelector("progress");
    const said = form.querySelector(".said");
    const body = new FormData();
    const request = new XMLHttpRequest();
    body.append("file", file);
    request.open("POST", form.action);
    request.setRequestHeader("Accept", "application/json");
    request.upload.addEventListener("progress", (event) => {
      bar.hidden = false;
      bar.value = event.lengthComputable ? (100 * event.loaded) / event.total : 0;
    });
    request.addEventListener("loadend", () => {
      bar.hidden = true;
      if (request.status === 201) {
        choose(form, JSON.parse(request.responseText));
        said.textContent = "Uploaded and chosen.";
        return;
      }
      const page = new DOMParser().parseFromString(request.responseText, "text/html");
      const problem = page.querySelector(".problem");
      said.textContent = problem ? problem.textContent.trim() : "The upload broke off. Send the file again.";
    });
    said.textContent = `Uploading ${file.name}.`;
    request.send(body);
  };

  document.addEventListener("submit", (event) => {
    const form = event.target.closest("[data-upload]");
    if (!form) return;
    event.preventDefault();
    const file = form.elements.file.files[0];
    if (file) send(form, file);
  });

  const take = (event, items) => {
    const form = document.querySelector("[data-upload]");
    const file = items && items.files[0];
    if (!form || !file) return;
    event.preventDefault();
    send(form, file);
  };
  document.addEventListener("paste", (event) => take(event, event.clipboardData));
  document.addEventListener("drop", (event) => take(event, event.dataTransfer));
  document.addEventListener("dragover", (event) => {
    if (document.querySelector("[data-upload]")) event.preventDefault();
  });
})();
