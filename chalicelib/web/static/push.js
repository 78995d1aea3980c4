// Notices in this browser: the button asks for permission, then for an address at the service of
// the browser's maker, and sends that as a plain form. Nothing is asked before it is pressed.
// Browsers that cannot be told never see the button.
(() => {
  "use strict";

  const form = document.querySelector("form[data-push]");
  if (!form) return;
  const problem = form.querySelector("[data-problem]");
  const isAble = window.PushManager && window.Notification && navigator.serviceWorker;
  form.querySelector("[data-asks]").hidden = !isAble;
  form.querySelector("[data-lacks]").hidden = isAble;
  if (!isAble) return;

  const say = (text) => {
    problem.textContent = text;
    problem.hidden = false;
  };
  const text = (buffer) => btoa(String.fromCharCode(...new Uint8Array(buffer))).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  const bytes = (encoded) => Uint8Array.from(atob(encoded.replaceAll("-", "+").replaceAll("_", "/")), (sign) => sign.charCodeAt(0));
  const isSame = (subscription, key) => text(subscription.options.applicationServerKey || new ArrayBuffer(0)) === key;

  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    problem.hidden = true;
    try {
      if ((await Notification.requestPermission()) !== "granted") return say("This browser does not allow it. Its settings for this page can.");
      const { pushManager } = await navigator.serviceWorker.ready;
      const { push } = form.dataset;
      const before = await pushManager.getSubscription();
      if (before && !isSame(before, push)) await before.unsubscribe();
      const subscription = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: bytes(push) });
      form.elements.address.value = subscription.endpoint;
      form.elements.key.value = text(subscription.getKey("p256dh"));
      form.elements.secret.value = text(subscription.getKey("auth"));
      form.submit();
    } catch (error) {
      say("The browser's own service did not answer. Try again later.");
    }
  });
})();
