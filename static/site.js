// What every page has: when a session ends in the middle of work, a dialog logs in again, and what was being
// sent goes out once more. Idempotency keys in the forms make sending twice harmless.
const dialog = document.querySelector("#signin");
let interrupted = null;

function renew(token) {
  document.querySelectorAll("input[name=csrfmiddlewaretoken]").forEach((field) => {
    field.value = token;
  });
}

function goOn(signedIn) {
  const waiting = interrupted;
  interrupted = null;
  renew(signedIn.querySelector("input[name=csrfmiddlewaretoken]").value);
  dialog.close();
  if (signedIn.dataset.person !== document.body.dataset.person) location.reload();
  else if (waiting?.form.isConnected) waiting.form.requestSubmit(waiting.submitter);
}

document.addEventListener("htmx:responseError", (event) => {
  const { xhr, elt, requestConfig } = event.detail;
  if (xhr.status !== 401 || !elt.matches("form")) return;
  interrupted = { form: elt, submitter: requestConfig.triggeringEvent?.submitter };
});

document.addEventListener("htmx:afterSwap", (event) => {
  if (event.detail.target.id !== "signin-form") return;
  const signedIn = dialog.querySelector("[data-person]");
  if (signedIn) goOn(signedIn);
  else if (!dialog.open) dialog.showModal();
  dialog.querySelector("[autofocus]")?.focus();
});
