// Where the browser's own field for a time has twelve hours, beside pages that have 24, a date and a
// time of day stand before it and fill it. It keeps its name and its value, so whoever reads or sets
// it need not know; without this file the browser's field is there.
(() => {
  "use strict";

  const own = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value");
  const make = (values) => Object.assign(document.createElement("input"), values);

  const split = (whole) => {
    const { required } = whole;
    const day = make({ type: "date", required, title: whole.title });
    const clock = make({ type: "text", required, size: 5, inputMode: "numeric", maxLength: 5, placeholder: "HH:MM", autocomplete: "off", title: "Time of day, 24 hours", ariaLabel: "Time of day, 24 hours" });
    const show = () => { [day.value, clock.value] = `${own.get.call(whole)}T`.split("T"); };
    const read = (event) => {
      event.stopPropagation();
      const [, hour, minute] = /^(\d{1,2})[:.]?([0-5]\d)$/.exec(clock.value.trim()) || [];
      const isTime = Number(hour) < 24;
      clock.setCustomValidity(day.value && !isTime ? "Write the time as 18:15, from 00:00 to 23:59." : "");
      own.set.call(whole, day.value && isTime ? `${day.value}T${hour.padStart(2, "0")}:${minute}` : "");
      whole.dispatchEvent(new Event(event.type, { bubbles: true }));
    };
    Object.defineProperty(whole, "value", { configurable: true, get: () => own.get.call(whole), set: (value) => { own.set.call(whole, value); show(); } });
    whole.focus = () => day.focus();
    whole.required = false;
    whole.hidden = true;
    for (const part of [day, clock]) {
      if (whole.hasAttribute("aria-invalid")) part.setAttribute("aria-invalid", whole.getAttribute("aria-invalid"));
      for (const kind of ["input", "change"]) part.addEventListener(kind, read);
    }
    clock.dataset.clock = "";
    show();
    const pair = Object.assign(document.createElement("span"), { className: "row" });
    pair.append(day, clock);
    whole.before(pair);
  };
  const all = () => document.querySelectorAll("input[type=datetime-local]:not([hidden])").forEach(split);
  document.addEventListener("htmx:afterSwap", all);
  all();
})();
