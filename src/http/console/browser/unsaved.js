/**
 * A page of several forms: each saves itself and loads the page anew. Whoever sends one while something that was typed into another is
 * not saved is asked first. Without this script it is lost.
 */
const isChangedChoice = ({ options, selectedIndex }) => {
  const shownFirst = Array.from(options).findIndex(({ defaultSelected }) => defaultSelected)
  return selectedIndex !== Math.max(0, shownFirst)
}

const isChanged = (field) => {
  switch (field.type) {
    case "checkbox":
    case "radio":
      return field.checked !== field.defaultChecked
    case "select-one":
      return isChangedChoice(field)
    case "file":
      return field.value !== ""
    case "hidden":
    case "submit":
    case "button":
      return false
    default:
      return field.value !== field.defaultValue
  }
}

const question =
  "Something that you have changed in another part of this page is not saved. It is lost if you save this part now. Save this part alone?"

document.addEventListener("submit", (event) => {
  const others = Array.from(document.forms).filter((form) => form !== event.target && form.method === "post")
  const unsaved = others.flatMap((form) => Array.from(form.elements)).find(isChanged)
  if (unsaved === undefined || confirm(question)) return
  event.preventDefault()
  unsaved.focus()
})
