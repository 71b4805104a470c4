/**
 * The keys of the pages of reviews: J and K go on and back, A and R go to the forms, ? shows the keys. Not while somebody types,
 * and not together with another key. Ctrl and Enter send the form in which somebody writes. Everything they do is also a link or a form of
 * the page. Single letters can be turned off; this browser remembers it.
 */
const storedName = "journeys-review-keys"

const used = document.getElementById("keys-used")

if (used !== null) {
  try {
    used.checked = localStorage.getItem(storedName) !== "off"
  } catch {
    // Nothing is remembered: the keys work.
  }
  used.closest("label").hidden = false
  used.addEventListener("change", () => {
    try {
      if (used.checked) localStorage.removeItem(storedName)
      else localStorage.setItem(storedName, "off")
    } catch {
      // It counts for this page alone.
    }
  })
}

const isTyping = (target) =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches("input, textarea, select"))

/** In the queue the keys move from row to row. */
const toRow = (by) => {
  const rows = [...document.querySelectorAll("a[data-row]")]
  const at = rows.indexOf(document.activeElement)
  rows[at === -1 ? (by > 0 ? 0 : rows.length - 1) : at + by]?.focus()
}

const follow = (name, by) => {
  const link = document.querySelector(`a[data-key="${name}"]`)
  if (link === null) toRow(by)
  else link.click()
}

const toField = (name) => document.querySelector(`[data-key="${name}"] textarea`)?.focus()

const showKeys = () => {
  const keys = document.getElementById("keys")
  if (keys === null) return
  keys.open = !keys.open
  keys.scrollIntoView({ block: "nearest" })
}

const acts = {
  j: () => follow("j", 1),
  k: () => follow("k", -1),
  a: () => toField("a"),
  r: () => toField("r"),
  "?": showKeys
}

const sendForm = (event) => {
  const form = event.target.closest?.("form[data-key]") ?? null
  if (form === null || !event.target.matches("textarea")) return
  event.preventDefault()
  form.requestSubmit()
}

document.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) return sendForm(event)
  if (used?.checked === false) return
  if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
  const act = acts[event.key.toLowerCase()]
  if (act === undefined) return
  event.preventDefault()
  act()
})
