/*
 * The script of the identity check's page. Each photo is taken with the camera (`capture.js`) or chosen, made smaller, and sent in parts
 * (`sending.js`); what has arrived is kept by the service, also when the page is loaded anew. The form without this script sends both
 * photos as files. The service judges the photos.
 */
import { hasCamera, takePhoto } from "./capture.js"
import { inTime } from "./inTime.js"
import { pendingPhotos } from "./pendingPhoto.js"
import { forgive, markRefused } from "./refusal.js"
import { canSendParts, Ended, PartSender } from "./sending.js"

const form = document.querySelector("form[data-words]")
const limits = {
  /** Pixels of the longer side. */
  side: 1600,
  quality: 0.9,
  /** Bytes: a smaller photo is sent as it is. */
  untouched: 1_000_000,
  /** Milliseconds in which the browser reads a photo, or makes it smaller. After them the photo goes on as it is. */
  readWithin: 10_000
}

const smaller = async (file) => {
  if (file.size <= limits.untouched) return file
  const bitmap = await createImageBitmap(file)
  const scale = Math.min(1, limits.side / Math.max(bitmap.width, bitmap.height))
  const canvas = document.createElement("canvas")
  canvas.width = Math.round(bitmap.width * scale)
  canvas.height = Math.round(bitmap.height * scale)
  canvas.getContext("2d").drawImage(bitmap, 0, 0, canvas.width, canvas.height)
  bitmap.close()
  return (await new Promise((resolve) => canvas.toBlob(resolve, "image/jpeg", limits.quality))) ?? file
}

const pending = pendingPhotos(form?.dataset.purchase)
const words = JSON.parse(form?.dataset.words ?? "{}")
const filled = (sentence, values) => sentence.replaceAll(/\{(\w+)\}/g, (_, name) => values[name])

/** One of the two photos: its card on the page, and what becomes of it. */
class Card {
  isBusy = false
  /** Ends what is done with the photo that was chosen last. */
  #run = new AbortController()

  constructor(field) {
    this.field = field
    this.data = field.dataset
    this.input = this.#part("input[type=file]")
    this.isReady = this.data.kept === "true"
    this.sender = new PartSender({
      path: this.data.path,
      token: form.dataset.token,
      partBytes: Number(form.dataset.partBytes),
      onSlow: () => this.#say(words.slow),
      onProgress: (share) => this.#progress(Math.round(100 * share))
    })
    this.input.addEventListener("change", () => this.#useChosen())
    // What is no picture shows none: the service says what is wrong with it.
    const image = this.#part("img")
    image.addEventListener("load", () => (image.hidden = false))
    image.addEventListener("error", () => (image.hidden = true))
    this.#part(".resume").addEventListener("click", () => this.again())
    if (hasCamera()) this.#offerCamera()
    this.#part(".photo-tools").hidden = false
    if (this.isReady) this.#calm()
    this.#goOn()
    // On a slow line a photo may be chosen before this script has come.
    this.#useChosen()
  }

  /** Says so where the photo is taken, which may be far from the button that asked. */
  askFor() {
    const resume = this.#part(".resume")
    // A photo that did not come through need not be taken again.
    this.#say(resume.hidden ? words.takeFirst : words.broken)
    const next = resume.hidden ? this.field.querySelector(".open-camera:not([hidden]), input[type=file]") : resume
    next.focus()
    this.#part(".photo-status").scrollIntoView({ block: "center" })
  }

  #part(selector) {
    return this.field.querySelector(selector)
  }

  #say(text) {
    this.#part(".photo-status").textContent = text
  }

  #progress(percent) {
    this.#part("progress").value = percent
    this.#say(filled(words.sending, { percent }))
  }

  /** The button opens the camera, so the field is for photos that there are. */
  #offerCamera() {
    const button = this.#part(".open-camera")
    this.input.removeAttribute("capture")
    this.#part(".choose").hidden = false
    button.hidden = false
    button.addEventListener("click", () => this.#openCamera(button))
  }

  async #openCamera(button) {
    const { facing, hints, shape, title } = this.data
    const finder = { list: form.dataset.finderList, weights: form.dataset.finderWeights }
    const taken = await takePhoto({ facing, finder, hints: JSON.parse(hints), shape, title, words })
    button.focus()
    if (taken.gallery === true) this.input.click()
    if (taken.problem !== undefined) this.#say(words[taken.problem])
    if (taken.photo !== undefined) {
      await this.#use(taken.photo, `taken ${taken.photo.size} ${performance.timeOrigin + performance.now()}`)
    }
  }

  /** A photo that was on its way when the page was left. */
  #goOn() {
    const waiting = pending.read(this.data.name)
    if (this.isReady || waiting === null) pending.forget(this.data.name)
    else void this.#send(waiting.photo, waiting.key, this.#begin(), true)
  }

  #useChosen() {
    const [file] = this.input.files
    if (file !== undefined) void this.#use(file, `${file.name} ${file.size} ${file.lastModified}`)
  }

  /** One photo at a time is on its way, and that is the one that was chosen last: what was done with another photo ends. */
  #begin() {
    this.#run.abort()
    this.#run = new AbortController()
    this.again = () => {}
    this.isBusy = true
    this.isReady = false
    this.#part(".kept")?.remove()
    forgive(this.input)
    this.#part(".resume").hidden = true
    this.#part("progress").hidden = false
    this.#progress(0)
    update()
    return this.#run.signal
  }

  #end(text) {
    this.isBusy = false
    this.#part("progress").hidden = true
    this.#say(text)
  }

  /** This photo is of no use: another one is needed. */
  #refuse(text) {
    this.#end("")
    markRefused(this.input, {
      error: words.error,
      headingOf: (count) => (count === 1 ? words.takeOneAgain : words.takeBothAgain),
      label: this.field.querySelector("label").textContent,
      note: words.noTry,
      text
    })
  }

  async #use(file, key) {
    const signal = this.#begin()
    pending.forget(this.data.name)
    this.#part("img").hidden = true
    if (file.size === 0) return this.#refuse(words.empty)
    let photo = file
    try {
      photo = await inTime(smaller(file), limits.readWithin)
    } catch {
      // The browser cannot show the file, or takes too long: the service says what is wrong with it.
    }
    if (signal.aborted) return
    if (photo.size > Number(form.dataset.largest)) return this.#refuse(words.tooLarge)
    await pending.write(this.data.name, photo, key, inTime(photo.arrayBuffer(), limits.readWithin), signal)
    if (!signal.aborted) await this.#send(photo, key, signal)
  }

  /** `isResumed`: the photo was on its way when the page was left. */
  async #send(photo, key, signal, isResumed = false) {
    this.#show(photo)
    try {
      await this.sender.send(photo, key, signal)
      this.#ready()
    } catch (error) {
      if (!signal.aborted) this.#failed(error, () => this.#send(photo, key, this.#begin(), isResumed), isResumed)
    }
  }

  #show(photo) {
    const image = this.#part("img")
    if (image.src !== "") URL.revokeObjectURL(image.src)
    image.src = URL.createObjectURL(photo)
  }

  #ready() {
    this.isReady = true
    pending.forget(this.data.name)
    this.input.required = false
    this.input.value = ""
    this.#end(words.ready)
    this.#calm()
    update()
  }

  /** The photo is there: what matters now is the other photo, or the check. */
  #calm() {
    this.#part(".open-camera").classList.add("quiet")
  }

  #failed(error, again, isResumed) {
    if (!(error instanceof Ended)) {
      this.#end(words.broken)
      this.#part(".resume").hidden = false
      this.again = again
      // Whatever begins next ends this wait.
      addEventListener("online", again, { signal: this.#run.signal })
      return
    }
    if (error.code === "NOT_ASKED") return location.assign(form.dataset.journey)
    // Whoever is signed in again by now goes on with this photo; anybody else reads how to sign in.
    if (error.code === "NOT_ALLOWED" && !isResumed) return location.assign(location.pathname)
    pending.forget(this.data.name)
    const known = { NOT_ALLOWED: words.signedOut, NOT_WHOLE: words.notWhole }[error.code]
    this.#refuse(known ?? (error.message || words.unusable))
  }
}

let cards = []
const button = form?.querySelector("button.check")
const status = form?.querySelector(".form-status")
const update = () => {
  status.textContent = cards.length > 0 && cards.every(({ isReady }) => isReady) ? words.bothReady : ""
}

/** One function, so that it waits once however often the button is pressed. */
const submitOnline = () => form.requestSubmit()

const submit = (event) => {
  event.preventDefault()
  const missing = cards.find(({ isReady }) => !isReady)
  if (missing !== undefined) {
    status.textContent = missing.isBusy ? words.stillSending : ""
    if (!missing.isBusy) missing.askFor()
    return
  }
  if (!navigator.onLine) {
    status.textContent = words.offline
    addEventListener("online", submitOnline, { once: true })
    return
  }
  button.disabled = true
  status.textContent = words.checking
  form.submit()
}

if (form !== null && canSendParts()) {
  form.noValidate = true
  cards = Array.from(form.querySelectorAll("[data-path]"), (field) => new Card(field))
  update()
  form.addEventListener("submit", submit)
  // The customer came back from the next page: what was kept for it is gone.
  addEventListener("pageshow", (event) => {
    if (event.persisted) location.reload()
  })
}

document.querySelector(".summary")?.focus()
