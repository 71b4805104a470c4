/*
 * The script of pages that show where a journey stands: it looks at the journey's page again, or at the page that `data-page` names, less and
 * less often, and not while nobody sees the page. What has changed is put in place and read out. On another page (`data-elsewhere`) it goes to
 * the journey's page instead. Without this script there is a link. A look does not count as use of the session.
 */
/** Seconds before each further look. */
const pauses = [2, 2, 3, 5, 8, 13, 20, 30]
/** Milliseconds after the last change, or since somebody came back to the page. */
const longest = 30 * 60 * 1000

const region = document.getElementById("progress")
const path = region.dataset.page ?? "/app/journey"
const isElsewhere = region.dataset.elsewhere !== undefined
/** What was seen last. Another page knows only the step that was asked for when it was made. */
let known = isElsewhere ? region.dataset.elsewhere : region.textContent
let shown = region
let etag = null
let looks = 0
let timer = 0
let until = performance.now() + longest

const begin = () => {
  looks = 0
  until = performance.now() + longest
}

const announce = (text) => {
  const place = document.getElementById("announcement")
  if (place !== null) place.textContent = text
}

const put = (fresh) => {
  const focused = document.activeElement
  const hadFocus = shown.contains(focused)
  const placed = document.adoptNode(fresh)
  shown.replaceWith(placed)
  shown = placed
  // What has an id of its own keeps the focus.
  if (hadFocus) document.getElementById(focused.id || "main")?.focus()
  announce(placed.querySelector("h2")?.textContent ?? "")
}

const seen = (fresh) => {
  const now = isElsewhere ? fresh.dataset.step : fresh.textContent
  if (known === now) return
  known = now
  begin()
  if (isElsewhere) location.assign(path)
  else put(fresh)
}

const again = () => {
  clearTimeout(timer)
  if (document.hidden || performance.now() > until) return
  // oxlint-disable-next-line no-restricted-globals -- a browser has no other clock
  timer = setTimeout(look, 1000 * pauses[Math.min(looks, pauses.length - 1)])
  looks += 1
}

const look = () => {
  const request = new XMLHttpRequest()
  request.open("GET", path)
  // Makes a document of the page without any of its scripts, and without leave to make HTML of text.
  request.responseType = "document"
  request.timeout = 20_000
  request.setRequestHeader("x-look", "1")
  if (etag !== null) request.setRequestHeader("if-none-match", etag)
  request.addEventListener("loadend", () => {
    // The journey has ended: its page says how.
    if (request.status === 410) return location.assign(path)
    // Signed out meanwhile: the page says so, shows nothing of the customer any more, and has the way back in.
    if (request.status === 401) return location.assign("/app/journey")
    if (request.status === 200) {
      etag = request.getResponseHeader("etag")
      const fresh = request.response?.getElementById("progress") ?? null
      if (fresh === null) return location.assign(path)
      seen(fresh)
    }
    again()
  })
  request.send()
}

document.addEventListener("visibilitychange", () => {
  clearTimeout(timer)
  if (document.hidden) return
  begin()
  look()
})
again()
