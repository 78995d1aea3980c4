// The next post begins on the page of the one that was just taken: the same accounts and way, and
// nothing else of it. What the answer says of the times that are free now comes from the service.
export const begin = (form, address, text) => {
  const page = new DOMParser().parseFromString(text, "text/html");
  const fresh = page.getElementById("composer");
  const said = page.querySelector(".notices");
  if (!fresh || !said) return "";
  const { elements } = form;
  // An answer that is still on its way is of the text that has gone.
  for (const one of form.querySelectorAll("[hx-post]")) htmx.trigger(one, "htmx:abort");
  for (const name of ["post", "revision"]) if (elements[name]) elements[name].remove();
  elements.once.value = fresh.elements.once.value;
  elements.caption.value = "";
  elements.at.value = fresh.elements.at.value;
  for (const box of form.querySelectorAll('[name="label"]')) box.checked = false;
  const none = form.querySelector('[name="media"][value=""]');
  if (none && !none.checked) {
    none.checked = true;
    none.dispatchEvent(new Event("change", { bubbles: true }));
  }
  for (const place of ["tabs", "panels", "options", "wrongs", "ways", "ready", "send", "beside"]) {
    form.querySelector(`#${place}`).replaceChildren(...fresh.querySelector(`#${place}`).childNodes);
  }
  form.action = fresh.action;
  document.getElementById("deletes")?.toggleAttribute("hidden", true);
  history.replaceState(null, "", address);
  for (const old of document.querySelectorAll(".notices")) old.remove();
  document.getElementById("main").prepend(said);
  form.dispatchEvent(new Event("restored"));
  document.dispatchEvent(new Event("taken"));
  elements.caption.focus();
  return fresh.dataset.draft;
};
