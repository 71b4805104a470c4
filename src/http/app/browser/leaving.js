/*
 * Asks before something is lost that is in the page alone. The browser asks by itself when the page is closed, reloaded or gone back from;
 * some telephones do not, so links and forms of the page are asked about here, in the customer's language: the choice of a language
 * is such a form.
 */

/** `isOnlyHere` says whether something would be lost now. */
export const askBeforeLeaving = (isOnlyHere, question) => {
  /** The customer has said so: the browser need not ask again. */
  let isAgreed = false
  const ask = (event) => {
    if (event.defaultPrevented || !isOnlyHere()) return
    if (confirm(question)) isAgreed = true
    else event.preventDefault()
  }
  document.addEventListener("submit", ask)
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[href]")
    // A link within the page, and one that dials, leaves nothing.
    if (link !== null && link.protocol.startsWith("http") && link.hash === "") ask(event)
  })
  addEventListener("beforeunload", (event) => {
    if (!isAgreed && isOnlyHere()) event.preventDefault()
  })
  // Back on a page that the browser had kept.
  addEventListener("pageshow", () => {
    isAgreed = false
  })
}
