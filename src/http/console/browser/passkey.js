// Asks the browser for a passkey when a form with data-passkey is sent: fetches what to ask the authenticator, and sends the
// form with the authenticator's answer. The library stands in a global, because its bundle is no module.
const { startAuthentication, startRegistration } = globalThis.SimpleWebAuthnBrowser

const optionsOf = async (form) => {
  const response = await fetch(form.dataset.options, {
    method: "POST",
    body: new URLSearchParams({ token: form.elements.token.value })
  })
  if (!response.ok) throw new Error("no options")
  return response.json()
}

const failures = {
  NotAllowedError: "Nothing was shown in time, or it was cancelled. Please try again.",
  InvalidStateError: "This device has a passkey of yours already.",
  SecurityError: "Passkeys do not work at this address of the service."
}

const askBrowser = async (form) => {
  const optionsJSON = await optionsOf(form)
  return form.dataset.passkey === "add" ? startRegistration({ optionsJSON }) : startAuthentication({ optionsJSON })
}

for (const form of document.querySelectorAll("form[data-passkey]")) {
  const said = form.querySelector("[data-said]")
  const button = form.querySelector("button")
  form.addEventListener("submit", (event) => {
    event.preventDefault()
    said.hidden = true
    button.disabled = true
    askBrowser(form)
      .then((answer) => {
        form.elements.answer.value = JSON.stringify(answer)
        form.submit()
      })
      .catch((error) => {
        said.textContent = failures[error.name] ?? "That did not work. Please reload the page and try again."
        said.hidden = false
        button.disabled = false
      })
  })
}
