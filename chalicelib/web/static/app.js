// What scripts add on every page: a button that copies, a look at a post shortly before its time,
// a word when the session has ended, and copies of drafts that a form has accepted are forgotten.
// Every page works without this file.
(() => {
  "use strict";

  const forget = (key) => {
    for (const name of Object.keys(localStorage)) if (name.startsWith("draft.") && name.endsWith(`.${key}`)) localStorage.removeItem(name);
  };

  for (const notice of document.querySelectorAll("[data-accepted]")) forget(notice.dataset.accepted);

  // Whoever signs out leaves nothing behind for the next person at this browser.
  document.addEventListener("submit", (event) => {
    if (!event.target.action.endsWith("/sign-out")) return;
    for (const name of Object.keys(localStorage)) if (name.startsWith("draft.")) localStorage.removeItem(name);
  });

  for (const button of document.querySelectorAll("[data-copy]")) {
    button.hidden = false;
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(button.dataset.copy);
      button.textContent = "Copied";
    });
  }

  // A post that waits for its time is looked at from half a minute before it.
  const waiting = document.querySelector("[data-due]");
  if (waiting) {
    const seconds = Number(waiting.dataset.due) - 30 - Number(waiting.dataset.now);
    const look = () => htmx.ajax("GET", waiting.dataset.poll, { target: "#progress", swap: "outerHTML" });
    if (seconds < 86400) setTimeout(look, Math.max(1, seconds) * 1000);
  }

  // What has gone out is no longer offered for changes, unless something was typed there.
  document.addEventListener("htmx:afterSettle", () => {
    const composer = document.getElementById("composer");
    if (composer && !composer.dataset.dirty && document.querySelector("#progress[data-fixed]")) composer.hidden = true;
  });

  document.addEventListener("htmx:responseError", (event) => {
    const ended = document.getElementById("ended");
    if (ended && event.detail.xhr.status === 401) ended.hidden = false;
  });
})();
