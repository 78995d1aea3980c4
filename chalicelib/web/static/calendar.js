// An entry is dragged (mouse, or a long press on a touch screen) to an hour, a free time or a day; a
// click on a free place begins a post there. The keyboard does the same: arrows go from entry to
// entry, m holds one, arrows move it, Enter puts it down. The bar that appears with a selection and
// the "+" of each day do it without this file. Drafts without a time stand beside a day: they are
// dragged into it, or m opens the field that gives one a time.
(() => {
  "use strict";

  const drop = document.getElementById("drop");
  const moving = document.getElementById("moving");
  const chosen = document.getElementById("chosen");
  const entries = () => [...document.querySelectorAll(".entry > a")].filter((one) => one.offsetParent);
  const dayOf = (element) => element.closest("[data-day]");

  // A phone shows two days of the seven at a time: today is the first of them, beside the hours.
  const week = document.querySelector(".week:has(> .dh)");
  const today = week && week.querySelector(".dh.is-today");
  if (today) week.scrollLeft = today.offsetLeft - week.querySelector(".corner").offsetWidth;

  // What is seen of an entry: its post, its time on this clock, and whether it may go elsewhere.
  const draggable = ".entry, .undated li";
  const read = (entry) => {
    if (drop && entry && entry.dataset.post) return { entry, post: entry.dataset.post, from: "", revision: entry.dataset.r, at: "" };
    const box = entry && entry.querySelector("input[name=entry][data-r]");
    if (!drop || !box) return null;
    const [post, from] = box.value.split("|");
    const time = entry.querySelector("time");
    return { entry, post, from, revision: box.dataset.r, at: `${dayOf(entry).dataset.day}T${time.textContent.trim()}` };
  };
  const send = (held, place) => {
    drop.action = `/app/posts/${held.post}/move`;
    drop.elements.from.value = held.from;
    drop.elements.revision.value = held.revision;
    drop.elements.at.value = place.at || "";
    drop.elements.to_day.value = place.day || "";
    sessionStorage.setItem("moved", held.post);
    drop.submit();
  };

  // Where something would land: a free time, a half of an hour, or a day at the same time.
  const placeAt = (target, y, held) => {
    const date = target && target.closest && target.closest(".dates a");
    const day = target && target.closest && target.closest("[data-day]");
    if (date && held && held.from) return { element: date, day: new URL(date.href).searchParams.get("day") };
    if (!day || date) return null;
    const free = target.closest("[data-at]");
    if (free) return { element: free, at: free.dataset.at };
    const hour = target.closest(".cell, .daylist > li");
    if (!hour) return held && !held.from ? null : { element: day, day: day.dataset.day };
    const box = hour.getBoundingClientRect();
    const half = y - box.top < box.height / 2 ? "00" : "30";
    if (!hour.dataset.hour) return { element: hour, at: besides(day.dataset.day, hour, half) };
    return { element: hour, at: `${day.dataset.day}T${hour.dataset.hour.padStart(2, "0")}:${half}` };
  };
  // Beside a line of a day's list: its half hour, or the next one below its middle.
  const besides = (day, line, half) => {
    const time = line.querySelector("time");
    const [hours, minutes] = (time ? time.textContent.trim().slice(0, 5) : "09:00").split(":").map(Number);
    const halves = Math.min(47, 2 * hours + (minutes < 30 ? 0 : 1) + (half === "30" ? 1 : 0));
    return `${day}T${String(halves >> 1).padStart(2, "0")}:${halves % 2 ? "30" : "00"}`;
  };
  const isPast = (place) => (place.at || `${place.day}T23:59`) < drop.dataset.now;
  let marked = null;
  const mark = (place) => {
    if (marked) { marked.classList.remove("is-aim"); delete marked.dataset.aim; }
    marked = place && place.element;
    if (!marked) return;
    marked.classList.add("is-aim");
    marked.dataset.aim = place.at ? place.at.slice(11) : "";
  };
  const unfold = () => {
    for (const fold of document.querySelectorAll(".fold:not([open])")) fold.open = true;
  };

  // By the mouse.
  let dragged = null;
  if (drop) for (const box of document.querySelectorAll("input[name=entry][data-r], .undated li")) box.closest(draggable).draggable = true;
  for (const hint of document.querySelectorAll("#give, #drags")) hint.hidden = hint.id === "give";
  document.addEventListener("dragstart", (event) => {
    dragged = read(event.target.closest && event.target.closest(draggable));
    if (!dragged) return;
    event.dataTransfer.effectAllowed = "move";
    // WebKit drags nothing that carries nothing; what is taken by its link carries that.
    if (!event.dataTransfer.types.length) event.dataTransfer.setData("text/plain", dragged.entry.querySelector("a").href);
  });
  document.addEventListener("dragover", (event) => {
    if (!dragged) return;
    const fold = event.target.closest && event.target.closest(".fold:not([open])");
    if (fold) fold.open = true;
    const found = placeAt(event.target, event.clientY, dragged);
    const place = found && !isPast(found) ? found : null;
    mark(place);
    if (place) event.preventDefault();
  });
  document.addEventListener("dragend", () => { dragged = null; mark(null); });
  document.addEventListener("drop", (event) => {
    const place = dragged && placeAt(event.target, event.clientY, dragged);
    if (!place || isPast(place)) return;
    event.preventDefault();
    if (place.at || place.element !== dayOf(dragged.entry)) send(dragged, place);
  });

  // By a finger: a long press lifts an entry; moving before that scrolls, as everywhere.
  let lifted = null;
  let waits = 0;
  const letGo = () => {
    clearTimeout(waits);
    if (lifted) lifted.entry.classList.remove("is-held");
    lifted = null;
    mark(null);
  };
  document.addEventListener("touchstart", (event) => {
    const held = event.touches.length === 1 && read(event.target.closest(draggable));
    if (!held) return;
    waits = setTimeout(() => {
      lifted = held;
      held.entry.classList.add("is-held");
      unfold();
      if (navigator.vibrate) navigator.vibrate(10);
    }, 350);
  }, { passive: true });
  document.addEventListener("touchmove", (event) => {
    if (!lifted) { clearTimeout(waits); return; }
    event.preventDefault();
    const { clientX, clientY } = event.touches[0];
    const edge = 90;
    if (clientY > innerHeight - edge) scrollBy(0, 12);
    if (clientY < edge) scrollBy(0, -12);
    const found = placeAt(document.elementFromPoint(clientX, clientY), clientY, lifted);
    lifted.place = found && !isPast(found) ? found : null;
    mark(lifted.place);
  }, { passive: false });
  document.addEventListener("touchend", (event) => {
    const held = lifted;
    letGo();
    if (!held) return;
    event.preventDefault();
    if (held.place && (held.place.at || held.place.element !== dayOf(held.entry))) send(held, held.place);
  }, { passive: false });
  document.addEventListener("touchcancel", letGo);
  document.addEventListener("contextmenu", (event) => { if (lifted) event.preventDefault(); });

  // A click on a free place begins a post there.
  document.addEventListener("click", (event) => {
    const cell = drop && event.target.matches && event.target.matches(".cell, .md") && event.target;
    if (!cell || getSelection().toString()) return;
    const place = placeAt(cell, event.clientY);
    const at = place.at || `${place.day}T09:00`;
    if (at >= drop.dataset.now) location.assign(`/app/posts/new?at=${at}`);
  });

  // By the keyboard.
  let held = null;
  const shifted = (at, days, minutes) => {
    const moved = new Date(Date.parse(`${at}:00Z`) + days * 86400000 + minutes * 60000);
    return moved.toISOString().slice(0, 16);
  };
  const said = (at) => new Date(`${at}:00Z`).toLocaleString("en-GB", { weekday: "short", day: "numeric", month: "short", hour: "2-digit", minute: "2-digit", timeZone: "UTC" });
  const tell = (text) => { moving.hidden = !text; moving.textContent = text; };
  const hold = (entry) => {
    held = read(entry);
    if (!held) { tell("This one can't move: it went out, is going out, or your role doesn't allow it."); setTimeout(() => { if (!held) tell(""); }, 4000); return; }
    held.to = held.at;
    entry.classList.add("is-held");
    tell(`${said(held.to)}: arrows move it, Enter puts it there, Escape leaves it`);
  };
  const leave = () => {
    if (held) held.entry.classList.remove("is-held");
    held = null;
    mark(null);
    tell("");
  };
  const aim = () => {
    const [day, time] = held.to.split("T");
    const cell = document.querySelector(`[data-day="${day}"][data-hour="${Number(time.slice(0, 2))}"]`) || document.querySelector(`[data-day="${day}"]`);
    const fold = cell && cell.closest(".fold");
    if (fold) fold.open = true;
    mark(cell && { element: cell, at: held.to });
    if (cell) cell.scrollIntoView({ block: "nearest", inline: "nearest" });
    tell(held.to < drop.dataset.now ? `${said(held.to)} has passed` : `${said(held.to)}: Enter puts it there`);
  };
  const nearest = (from, key) => {
    const box = from.getBoundingClientRect();
    const side = key === "ArrowLeft" || key === "ArrowRight";
    const sign = key === "ArrowRight" || key === "ArrowDown" ? 1 : -1;
    let best = null;
    for (const other of entries()) {
      const place = other.getBoundingClientRect();
      const ahead = sign * (side ? place.left - box.left : place.top - box.top);
      const aside = Math.abs(side ? place.top - box.top : place.left - box.left);
      const far = ahead + 3 * aside;
      if (other !== from && ahead > 4 && (!best || far < best.far)) best = { other, far };
    }
    return best && best.other;
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input:not([type=checkbox]), textarea, select, dialog, details[open].pop")) return;
    const entry = event.target.closest(".entry");
    const { letter } = keyOf(event);
    if (held) {
      const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -30], ArrowDown: [0, 30] }[event.key];
      if (step) { held.to = shifted(held.to, ...step); aim(); }
      else if (event.key === "Enter") { if (held.to >= drop.dataset.now && held.to !== held.at) send(held, { at: held.to }); else leave(); }
      else if (event.key === "Escape") leave();
      else return;
      event.preventDefault();
    } else if (event.key.startsWith("Arrow")) {
      const all = entries();
      const next = entry ? nearest(entry.querySelector("a"), event.key) : (event.key === "ArrowDown" || event.key === "ArrowRight") && all.find((one) => !one.closest(".past")) || all[0];
      if (!next || (!entry && event.target !== document.body && event.target.id !== "main")) return;
      next.focus();
      event.preventDefault();
    } else if (letter === "m" && event.target.closest(".undated li")) {
      const timed = event.target.closest("li").querySelector("details");
      timed.open = true;
      timed.querySelector("[name=at]").focus();
      event.preventDefault();
    } else if (letter === "m" && entry) { hold(entry); event.preventDefault(); }
    else if (letter === "x" && entry && entry.querySelector(".tick")) { entry.querySelector(".tick").click(); event.preventDefault(); }
    else if (letter === "t") document.querySelector("[data-today]").click();
    else if (/^[1-4]$/.test(event.key)) document.querySelectorAll(".calhead .end a")[Number(event.key) - 1].click();
  });
  document.addEventListener("focusout", (event) => { if (held && event.target.closest(".entry") === held.entry) leave(); });

  // What was moved has the focus again after the page came anew.
  const moved = sessionStorage.getItem("moved");
  sessionStorage.removeItem("moved");
  const again = moved && document.querySelector(`.entry > a[href="/app/posts/${moved}"]`);
  if (again) {
    const fold = again.closest(".fold");
    if (fold) fold.open = true;
    again.focus({ preventScroll: false });
  }

  // What was folded opens where it stands.
  document.addEventListener("click", async (event) => {
    const more = event.target.closest('.mo[href*="hour="]');
    if (!more || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const asked = new URL(more.href).searchParams;
    const cell = more.closest(".cell");
    asked.set("view", cell ? "week" : "day");
    const answer = await fetch(`/app/calendar/hour?${asked}`).catch(() => null);
    if (!answer || !answer.ok || answer.redirected) { location.assign(more.href); return; }
    const found = new DOMParser().parseFromString(await answer.text(), "text/html").body;
    const all = [...found.querySelectorAll(cell ? ".entry" : "li")];
    const place = cell ? more : more.closest("li");
    place.replaceWith(...all.slice(2));
    for (const box of document.querySelectorAll("input[name=entry][data-r]")) box.closest(".entry").draggable = true;
    const first = all[2] && all[2].querySelector("a");
    if (first) first.focus({ preventScroll: true });
  });

  const count = () => {
    const boxes = [...document.querySelectorAll(".entry input:checked")];
    chosen.querySelector("output").textContent = `${boxes.length || ""} selected`.trim();
    const one = boxes.length === 1 && read(boxes[0].closest(".entry"));
    if (one) chosen.elements.at.value = one.at;
  };
  if (chosen) {
    document.addEventListener("change", (event) => { if (event.target.name === "entry") count(); });
    count();
  }
})();
