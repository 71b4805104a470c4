/*
 * The script of every page of a signed-in customer: it says before the session ends, and prolongs the session when the customer wants to go
 * on. To ask when the session ends is no use of the session. Without this script a customer who was away reads at the next press
 * that they were signed out.
 */
const note = document.getElementById("session")
const [text] = note.getElementsByTagName("p")
const [button] = note.getElementsByTagName("button")
const [signIn, loadAgain] = note.getElementsByTagName("a")
const { dataset } = note
const sayBefore = Number(dataset.sayBefore)
const askEvery = Number(dataset.askEvery)

/** Seconds for which the page says that the session goes on. */
const saysFor = 10

let timer = 0
const askAfter = (seconds) => {
  clearTimeout(timer)
  // oxlint-disable-next-line no-restricted-globals -- a browser has no other clock
  timer = setTimeout(ask, 1000 * seconds)
}

const show = (sentence, { mayStay = false, isOver = false, isAnother = false } = {}) => {
  // A sentence that is there already is not read out again.
  if (text.textContent !== sentence) text.textContent = sentence
  button.hidden = !mayStay
  signIn.hidden = !isOver
  loadAgain.hidden = !isAnother
  note.hidden = false
}

const hide = () => {
  note.hidden = true
  text.textContent = ""
}

/** What the service answered: how long the session lasts. Null: there was no answer. */
const seen = (answer) => {
  if (answer === null) return askAfter(sayBefore / 3)
  if (answer.code === "ANOTHER_SESSION") return show(dataset.another, { isAnother: true })
  if (answer.code !== "DONE") return show(dataset.over, { isOver: true })
  const { isLast, secondsLeft } = answer
  if (secondsLeft > sayBefore) {
    hide()
    return askAfter(Math.min(askEvery, secondsLeft - sayBefore))
  }
  show(isLast ? dataset.last : dataset.soon, { mayStay: !isLast })
  askAfter(secondsLeft + 1)
}

/** The token tells the session of this page from that of whoever signed in since, in another tab. */
const headers = { "x-form-token": dataset.token }
const answerTo = async (request) => {
  try {
    const response = await fetch(dataset.path, { ...request, headers, signal: AbortSignal.timeout(10_000) })
    return response.status === 200 || response.status === 403 ? await response.json() : null
  } catch {
    // No connection.
    return null
  }
}

/** Nobody is told who does not look; whoever comes back is told at once. */
const ask = async () => {
  if (!document.hidden) seen(await answerTo({}))
}

/** Where the customer was before the button had the focus. */
let place = null
note.addEventListener("focusin", ({ relatedTarget }) => {
  if (relatedTarget !== null && !note.contains(relatedTarget)) place = relatedTarget
})
button.addEventListener("click", async () => {
  const answer = await answerTo({ method: "POST" })
  const hadFocus = note.contains(document.activeElement)
  seen(answer)
  if (answer?.code !== "DONE" || !note.hidden) return
  show(dataset.stays)
  askAfter(saysFor)
  if (!hadFocus) return
  const next = place?.isConnected ? place : document.getElementById("main")
  next.focus({ preventScroll: true })
})
document.addEventListener("visibilitychange", ask)
askAfter(askEvery)
