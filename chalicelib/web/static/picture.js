// The workspace's picture is made small here, so that any photo will do, wherever the service runs.
// Without this the form sends the file as it is, and the service says what it cannot take.
(() => {
  "use strict";

  const field = document.querySelector("[data-small]");
  if (!field) return;
  const most = Number(field.dataset.small);  // bytes that the service keeps as they are
  const drawn = (photo, side, type) => new Promise((done) => {
    const scale = Math.min(1, side / Math.max(photo.width, photo.height));
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [photo.width, photo.height].map((length) => Math.max(1, Math.round(length * scale)));
    const context = canvas.getContext("2d");
    if (type === "image/jpeg") { context.fillStyle = "#fff"; context.fillRect(0, 0, canvas.width, canvas.height); }
    context.drawImage(photo, 0, 0, canvas.width, canvas.height);
    canvas.toBlob(done, type, 0.86);
  });
  // WebP keeps a logo's clear ground. Safari writes none, and PNG instead, in which a photo is too
  // large: that becomes JPEG.
  const make = async (photo, name, isPhoto) => {
    const types = ["image/webp", ...(isPhoto ? [] : ["image/png"]), "image/jpeg"];
    for (const type of types) for (const side of [512, 384, 256, 160]) {
      const small = await drawn(photo, side, type);
      if (!small || small.type !== type || small.size > most) continue;
      const files = new DataTransfer();
      files.items.add(new File([small], name, { type: small.type }));
      field.files = files.files;
      return true;
    }
    return false;
  };
  let making = null;
  field.addEventListener("change", () => {
    const [file] = field.files;
    if (file) making = createImageBitmap(file).then((photo) => make(photo, file.name, file.type === "image/jpeg")).catch(() => {}).finally(() => { making = null; });
  });
  field.form.addEventListener("submit", (event) => {
    if (!making) return;
    event.preventDefault();
    making.then(() => field.form.requestSubmit());
  });

  // A photo of the library likewise: the storage lets scripts read it, or else the service does.
  document.querySelector(".photos")?.addEventListener("click", async (event) => {
    const chosen = event.target.closest("button");
    if (!chosen) return;
    event.preventDefault();
    const photo = Object.assign(new Image(), { crossOrigin: "anonymous", src: chosen.firstElementChild.src });
    const made = await photo.decode().then(() => createImageBitmap(photo)).then((one) => make(one, "photo")).catch(() => false);
    if (made) field.form.requestSubmit();
    else chosen.form.requestSubmit(chosen);
  });
})();
