/*
 * Pages with texts that are shown once. Buttons copy a text of the page: `data-copies` names its element. Without this script the
 * buttons stay hidden, and the text is selected by hand. And a form that may be sent once is sent once, however often its button
 * is pressed: the answer to the first press is the one with the text.
 */
for (const field of document.querySelectorAll('input[name="form"]')) {
  let isSent = false
  field.form.addEventListener("submit", (event) => {
    if (isSent) event.preventDefault()
    isSent = true
  })
}

for (const button of document.querySelectorAll("[data-copies]")) {
  const text = document.getElementById(button.dataset.copies)
  const said = button.parentElement.querySelector("[data-copied]")

  const select = () => {
    const range = document.createRange()
    range.selectNodeContents(text)
    const selection = getSelection()
    selection.removeAllRanges()
    selection.addRange(range)
  }

  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text.textContent)
      said.textContent = "Copied"
    } catch {
      // A browser that is not asked over https has no clipboard for pages.
      select()
      said.textContent = "Selected: copy it with the keyboard"
    }
  }

  button.hidden = false
  button.addEventListener("click", () => void copy())
}
