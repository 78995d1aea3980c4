// An entry dropped on an hour goes to that half of it, on a free time to that, on a day of the month
// to the same time there. A click on a free place begins a post there. The form below the calendar
// and the "+" of each day do the same without this file, and by the keyboard.
(() => {
  "use strict";

  const drop = document.getElementById("drop");
  if (!drop) return;
  const taken = "a, button, input, label, summary, .entry";
  let dragged = null;
  let marked = null;

  const placeOf = (event) => {
    const day = event.target.closest && event.target.closest("[data-day]");
    if (!day) return null;
    const free = event.target.closest("[data-at]");
    if (free) return { element: free, at: free.dataset.at };
    const hour = event.target.closest("[data-hour]");
    if (!hour) return { element: day, day: day.dataset.day };
    const box = hour.getBoundingClientRect();
    const half = event.clientY - box.top < box.height / 2 ? "00" : "30";
    return { element: hour, at: `${day.dataset.day}T${hour.dataset.hour.padStart(2, "0")}:${half}` };
  };

  const mark = (place) => {
    if (marked && marked !== (place && place.element)) {
      marked.classList.remove("target");
      delete marked.dataset.aim;
    }
    marked = place && place.element;
    if (!marked) return;
    marked.classList.add("target");
    marked.dataset.aim = place.at ? place.at.slice(11) : "";
  };

  document.addEventListener("dragstart", (event) => {
    dragged = event.target.closest && event.target.closest("[data-post]");
    if (dragged) event.dataTransfer.effectAllowed = "move";
  });
  document.addEventListener("dragover", (event) => {
    const found = dragged && placeOf(event);
    const place = found && found.at < drop.dataset.now ? null : found;
    mark(place);
    if (place) event.preventDefault();
  });
  document.addEventListener("dragend", () => {
    dragged = null;
    mark(null);
  });
  document.addEventListener("drop", (event) => {
    const place = dragged && placeOf(event);
    if (!place) return;
    event.preventDefault();
    if (!place.at && place.element === dragged.closest("[data-day]")) return;
    drop.action = `/app/posts/${dragged.dataset.post}/move`;
    drop.elements.from.value = dragged.dataset.from;
    drop.elements.revision.value = dragged.dataset.revision;
    drop.elements.at.value = place.at || "";
    drop.elements.to_day.value = place.day || "";
    drop.submit();
  });

  const freePlaceOf = (event) => {
    if (!event.target.closest || event.target.closest(taken) || !event.target.closest(".calendar")) return null;
    const place = placeOf(event);
    if (!place || event.target.closest(".day-head")) return null;
    const at = place.at || `${place.day}T09:00`;
    return at < drop.dataset.now ? null : { ...place, at };
  };
  document.addEventListener("mousemove", (event) => {
    if (!dragged) mark(freePlaceOf(event));
  });
  document.addEventListener("click", (event) => {
    const place = freePlaceOf(event);
    if (place) location.assign(`/app/posts/new?at=${place.at}`);
  });

  const chosen = document.getElementById("chosen");
  const count = () => {
    const boxes = document.querySelectorAll(".entry input:checked");
    chosen.querySelector("output").textContent = boxes.length ? `${boxes.length} chosen.` : "";
    if (boxes.length === 1) chosen.elements.at.value = boxes[0].dataset.typed;
  };
  document.addEventListener("change", (event) => {
    if (event.target.name === "entry") count();
  });
  count();
})();
