// A dialog in which a part of the photo is chosen, by pointer, finger or keys. upload.js loads it at
// the first press. What is chosen is percent of the photo, as the fields of the options hold it.
const SHAPES = [["Free", NaN], ["Square", 1], ["4:5", 4 / 5], ["1.91:1", 1.91], ["16:9", 16 / 9], ["9:16", 9 / 16]];
const STEP = 1;

const make = (name, values, ...inside) => {
  const made = Object.assign(document.createElement(name), values);
  made.append(...inside);
  return made;
};
const button = (className, textContent, value) => make("button", { type: "button", className, textContent, value });

const close = button("btn quiet small", "Close");
close.dataset.closes = "";
const stage = make("div", { className: "stage", tabIndex: 0 });
stage.setAttribute("role", "group");
stage.setAttribute("aria-label", "The part of the photo that goes out");
stage.setAttribute("aria-describedby", "crop-keys");
const shapes = make("div", { className: "row" });
shapes.setAttribute("role", "group");
shapes.setAttribute("aria-label", "Shape");
const keys = make("p", { id: "crop-keys", className: "hint", textContent: "Arrow keys move it, Shift and an arrow key change its size." });
const said = make("p", { className: "hint" });
said.setAttribute("role", "status");
const acts = make("div", { className: "buttons" }, button("btn", "Apply", "apply"), button("btn quiet", "Use all of it", "all"));
const dialog = make("dialog", { id: "crop", className: "sheet" }, make("h2", { id: "crop-title", textContent: "Crop" }, close), stage, shapes, keys, said, acts);
dialog.setAttribute("aria-labelledby", "crop-title");
let cropper = null;
let answer;

const sheet = (href) => new Promise((resolve, reject) => {
  document.head.append(make("link", { rel: "stylesheet", href, onload: resolve, onerror: reject }));
});
const whole = () => {
  const { naturalWidth: width, naturalHeight: height } = cropper.getImageData();
  return { width, height };
};
// Down to two decimals, so that a part never reaches beyond the edge by rounding.
const percent = (part, all) => Math.max(0, Math.floor((10000 * part) / all + 1e-6) / 100);
const chosen = () => {
  const { x, y, width, height } = cropper.getData();
  const all = whole();
  const left = percent(x, all.width);
  const top = percent(y, all.height);
  const most = (size, start) => Math.round(100 * Math.max(1, Math.min(size, 100 - start))) / 100;
  return { left, top, width: most(percent(width, all.width), left), height: most(percent(height, all.height), top) };
};
const tell = () => {
  const { width, height } = chosen();
  said.textContent = `${Math.round(width)} % of its width, ${Math.round(height)} % of its height`;
};
const shape = (pressed) => {
  for (const one of shapes.children) one.setAttribute("aria-pressed", String(one === pressed));
  cropper.setAspectRatio(Number(pressed.value));
};
const move = (event) => {
  const [across, down] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key] || [];
  if (across === undefined || !cropper) return;
  event.preventDefault();
  const now = cropper.getData();
  const all = whole();
  const by = { x: (across * STEP * all.width) / 100, y: (down * STEP * all.height) / 100 };
  if (!event.shiftKey) cropper.setData({ x: now.x + by.x, y: now.y + by.y });
  else if (across) cropper.setData({ width: now.width + by.x });
  else cropper.setData({ height: now.height + by.y });
};
const first = async (library, style) => {
  await Promise.all([import(library), sheet(style)]);
  shapes.addEventListener("click", ({ target }) => { if (target.matches("button")) shape(target); });
  stage.addEventListener("keydown", move);
  acts.addEventListener("click", ({ target }) => {
    if (!target.value) return;
    answer = target.value === "all" ? null : chosen();
    dialog.close();
  });
  document.body.append(dialog);
};

// Opens the dialog; the answer is the part, null for all of the photo, undefined if nothing changes.
export const crop = async ({ photo, before, narrowest, widest, library, style }) => {
  if (!dialog.isConnected) await first(library, style);
  answer = undefined;
  said.textContent = "";
  const fits = SHAPES.filter(([, ratio]) => !(ratio < narrowest || ratio > widest));
  shapes.replaceChildren(...fits.map(([name, ratio]) => button("chip", name, String(ratio))));
  const picture = make("img", { src: photo, alt: "" });
  stage.replaceChildren(picture);
  dialog.showModal();
  const free = shapes.firstChild;
  const options = { viewMode: 1, dragMode: "none", zoomable: false, rotatable: false, scalable: false, background: false, checkOrientation: false, checkCrossOrigin: false, autoCropArea: 1, minCropBoxWidth: 8, minCropBoxHeight: 8 };
  cropper = new window.Cropper(picture, {
    ...options,
    ready: () => {
      const all = whole();
      shape(free);
      if (before) cropper.setData({ x: (before.left * all.width) / 100, y: (before.top * all.height) / 100, width: (before.width * all.width) / 100, height: (before.height * all.height) / 100 });
      stage.dataset.ready = "";
    },
    crop: tell,
  });
  stage.focus();
  await new Promise((closed) => dialog.addEventListener("close", closed, { once: true }));
  cropper.destroy();
  cropper = null;
  delete stage.dataset.ready;
  stage.replaceChildren();
  return answer;
};
