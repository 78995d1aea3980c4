// Passkeys: a form asks the service for a question, the browser answers it, and the form is sent
// with the answer. Browsers that know no passkeys never see the button.
(() => {
  "use strict";

  const REFUSED = {
    InvalidStateError: "This device has a passkey here already.",
    NotAllowedError: "No passkey was used. Try again when you are ready.",
    SecurityError: "The browser does not allow passkeys at this address.",
  };

  for (const form of document.querySelectorAll("form[data-question]")) {
    const { origin, question, method } = form.dataset;
    const problem = form.querySelector("[data-problem]");
    const isHere = location.origin === origin;
    const isAble = isHere && window.PublicKeyCredential?.parseRequestOptionsFromJSON;
    form.querySelector("[data-elsewhere]").hidden = isHere;
    form.querySelector("[data-lacks]").hidden = isAble || !isHere;
    form.querySelector("[data-asks]").hidden = !isAble;
    if (!isAble) continue;

    const parse = (options) => method === "create"
      ? PublicKeyCredential.parseCreationOptionsFromJSON(options)
      : PublicKeyCredential.parseRequestOptionsFromJSON(options);

    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      problem.hidden = true;
      try {
        const asked = await fetch(question, { method: "POST", body: new URLSearchParams(new FormData(form)) });
        if (!asked.ok) throw new Error(asked.status);
        const credential = await navigator.credentials[method]({ publicKey: parse(await asked.json()) });
        form.elements.answer.value = JSON.stringify(credential);
        form.submit();
      } catch (error) {
        problem.textContent = REFUSED[error.name] ?? "That did not work. Open the page again and repeat it.";
        problem.hidden = false;
      }
    });
  }
})();
