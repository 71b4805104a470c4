/*
 * Makes the answer to a form a page like any other: whoever reloads the page, or goes back to it, has the page of that address, and sends nothing
 * again. Browsers would show a page of their own instead, and ask to send the form once more. `data-back` names the page to open where that of
 * the form's own address only takes forms.
 */
const { back } = document.body.dataset
history.replaceState(history.state, "", ["", location.pathname].includes(back) ? location.href : back)
