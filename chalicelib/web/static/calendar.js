// Dragging: an entry dropped on a day keeps its time, dropped on a free time it takes that.
// The form that each entry has does the same without this file, and by the keyboard.
(() => {
  "use strict";

  const form = document.getElementById("drop");
  if (!form) return;
  let dragged = null;
  const dayOf = (event) => event.target.closest("[data-day]");

  document.addEventListener("dragstart", (event) => {
    dragged = event.target.closest && event.target.closest("[data-post]");
    if (dragged) event.dataTransfer.effectAllowed = "move";
  });
  document.addEventListener("dragover", (event) => {
    for (const day of document.querySelectorAll(".target")) day.classList.remove("target");
    const day = dragged && dayOf(event);
    if (!day) return;
    event.preventDefault();
    day.classList.add("target");
  });
  document.addEventListener("dragend", () => {
    dragged = null;
    for (const day of document.querySelectorAll(".target")) day.classList.remove("target");
  });
  document.addEventListener("drop", (event) => {
    const day = dragged && dayOf(event);
    if (!day) return;
    event.preventDefault();
    const free = event.target.closest("[data-at]");
    if (!free && day === dragged.closest("[data-day]")) return;
    form.action = `/app/posts/${dragged.dataset.post}/move`;
    form.elements.from.value = dragged.dataset.from;
    form.elements.revision.value = dragged.dataset.revision;
    form.elements.at.value = free ? free.dataset.at : "";
    form.elements.to_day.value = free ? "" : day.dataset.day;
    form.submit();
  });
})();
