/**
 * Parts of a page that are fetched again while the page is looked at (`frame/renewing.ts`): this script says when, and htmx fetches. A
 * part is left alone while the page is in the background, while somebody works in it (the focus, a selection or the mouse of a moment
 * ago is in it), and once it shows more than its beginning. Who comes back to the page does not wait.
 */
const movedLately = 3000
const loadedAt = performance.now()

const parts = () => document.querySelectorAll("[data-renewed-every]")

/** When the mouse, a finger or a key was last used in a part, and when a part was last fetched, by the part's id. */
const usedAt = new Map()
const fetchedAt = new Map()

const note = ({ target }) => {
  const part = target instanceof Element ? target.closest("[data-renewed-every]") : null
  if (part !== null) usedAt.set(part.id, performance.now())
}
for (const kind of ["pointermove", "pointerdown", "keydown", "wheel"]) {
  document.addEventListener(kind, note, { passive: true, capture: true })
}

const isSelected = (part) => {
  const selection = getSelection()
  return selection !== null && !selection.isCollapsed && selection.containsNode(part, true)
}

const isUsed = (part) =>
  part.contains(document.activeElement) ||
  isSelected(part) ||
  performance.now() - (usedAt.get(part.id) ?? -movedLately) < movedLately

/** "Show more" has put rows below those that were there: a list that is fetched anew would lose them. */
const isLonger = (part) => part.dataset.longer !== undefined

const say = (part) => {
  const [renews, rests] = [part.querySelector("[data-renews]"), part.querySelector("[data-rests]")]
  if (renews === null || rests === null) return
  renews.hidden = isLonger(part)
  rests.hidden = !isLonger(part)
}

const renew = () => {
  if (document.visibilityState !== "visible") return
  for (const part of parts()) {
    const isDue = performance.now() - (fetchedAt.get(part.id) ?? loadedAt) >= part.dataset.renewedEvery * 1000
    if (!isDue || isLonger(part) || isUsed(part)) continue
    fetchedAt.set(part.id, performance.now())
    part.dispatchEvent(new CustomEvent("renew"))
  }
}

document.addEventListener("click", ({ target }) => {
  const part =
    target instanceof Element && target.closest("tr.more a") !== null ? target.closest("[data-renewed-every]") : null
  if (part === null) return
  part.dataset.longer = ""
  say(part)
})

const sayOfAll = () => parts().forEach(say)
sayOfAll()
document.addEventListener("htmx:after:swap", sayOfAll)
document.addEventListener("visibilitychange", renew)
// oxlint-disable-next-line no-restricted-globals -- a browser has no other clock
setInterval(renew, 1000)
