/*
 * Takes one photo with the camera, in a dialog of the page: a live picture with a frame, hints while the customer looks for a good
 * view, and the taken photo to be used or taken again. No picture leaves the page here. Faces are looked for with `faceFinder.js`, which
 * is loaded when the camera opens; until it has come, and where it does not, photos are taken all the same.
 */
import { hintOf, measured } from "./hints.js"

const byId = (id) => document.getElementById(id)
const dialog = byId("capture")
const stage = byId("stage")
const video = byId("viewfinder")
const still = byId("still")
const limits = {
  /** Pixels of the longer side: a document stays readable, and a face keeps what the check looks at. */
  side: 1600,
  quality: 0.9,
  /** The side of the small picture that is looked at, in pixels: the portrait on a card is small. */
  look: { card: 224, oval: 160 },
  /** Between two looks, in milliseconds. */
  pause: 350,
  /** What is around the frame in the photo and in the small picture, in parts of the frame. */
  around: { card: 0.08, oval: 0.3 }
}

// oxlint-disable-next-line no-restricted-globals -- a browser has no other clock
const after = (millis) => new Promise((resolve) => setTimeout(resolve, millis))

/** The network, or null: it has not come, or cannot be had here. */
let network = null
let loading = null
const loadNetwork = ({ list, weights }) => {
  loading ??= (async () => {
    try {
      const finder = await import("./faceFinder.js")
      const [manifest, bytes] = await Promise.all([
        fetch(list).then((response) => response.json()),
        fetch(weights).then((response) => response.arrayBuffer())
      ])
      const loaded = finder.networkOf(manifest, new Uint8Array(bytes))
      network = (rgba, size) => finder.findFaces(loaded, rgba, size, () => after(0))
    } catch {
      // The line is slow or broken: the next photo tries again, and this one is taken without hints about faces.
      loading = null
    }
  })()
}

/** Where the frame is in the camera's picture, in the camera's pixels, with a part of it around. The picture covers the stage. */
const framed = (around) => {
  const [outer, inner] = [stage.getBoundingClientRect(), byId("frame").getBoundingClientRect()]
  const scale = Math.max(outer.width / video.videoWidth, outer.height / video.videoHeight)
  const left = (video.videoWidth - outer.width / scale) / 2
  const top = (video.videoHeight - outer.height / scale) / 2
  const [margin, shown] = [around * Math.max(inner.width, inner.height), { width: outer.width, height: outer.height }]
  const from = { x: Math.max(0, inner.left - outer.left - margin), y: Math.max(0, inner.top - outer.top - margin) }
  const to = {
    x: Math.min(shown.width, inner.right - outer.left + margin),
    y: Math.min(shown.height, inner.bottom - outer.top + margin)
  }
  return {
    x: left + from.x / scale,
    y: top + from.y / scale,
    width: (to.x - from.x) / scale,
    height: (to.y - from.y) / scale
  }
}

const canvasOf = (width, height) => {
  const canvas = document.createElement("canvas")
  canvas.width = width
  canvas.height = height
  return canvas
}

/** The small square picture that is looked at. What the frame leaves of the square is grey. */
const smallPicture = (canvas, shape) => {
  const part = framed(limits.around[shape])
  const side = limits.look[shape]
  const scale = side / Math.max(part.width, part.height)
  const [width, height] = [part.width * scale, part.height * scale]
  const context = canvas.getContext("2d", { willReadFrequently: true })
  context.fillStyle = "#808080"
  context.fillRect(0, 0, side, side)
  const [left, top] = [(side - width) / 2, (side - height) / 2]
  context.drawImage(video, part.x, part.y, part.width, part.height, left, top, width, height)
  return context.getImageData(0, 0, side, side).data
}

const photoOf = (shape) => {
  const part = framed(limits.around[shape])
  const scale = Math.min(1, limits.side / Math.max(part.width, part.height))
  const canvas = canvasOf(Math.round(part.width * scale), Math.round(part.height * scale))
  canvas.getContext("2d").drawImage(video, part.x, part.y, part.width, part.height, 0, 0, canvas.width, canvas.height)
  return new Promise((resolve) => canvas.toBlob(resolve, "image/jpeg", limits.quality))
}

const stopCamera = () => {
  for (const track of video.srcObject?.getTracks() ?? []) track.stop()
  video.srcObject = null
}

const startCamera = async (facingMode) => {
  stopCamera()
  video.srcObject = await navigator.mediaDevices.getUserMedia({
    video: { facingMode, width: { ideal: 1920 }, height: { ideal: 1080 } },
    audio: false
  })
  const [track] = video.srcObject.getVideoTracks()
  // A camera that looks at the customer is shown as a mirror; the photo is as others see it.
  video.classList.toggle("mirror", (track.getSettings().facingMode ?? facingMode) === "user")
  await video.play()
}

export const hasCamera = () => navigator.mediaDevices?.getUserMedia !== undefined && dialog?.showModal !== undefined

const photoButtons = ["shoot", "flip", "gallery", "use", "retake"]

/** Shows these buttons and no others; the first of them is what the customer most likely wants. */
const show = (ids) => {
  for (const id of photoButtons) byId(id).hidden = !ids.includes(id)
  byId(ids[0]).focus()
}

/** Says something that is no hint. */
const say = (text) => {
  delete stage.dataset.hint
  byId("capture-hint").textContent = text
}

const forgetStill = () => {
  still.hidden = true
  if (still.src !== "") URL.revokeObjectURL(still.src)
  still.removeAttribute("src")
}

/** Looks again and again while the camera is live. A hint is said when two looks agree, so that it does not flicker. */
const lookOn = async (shape, hints, isLive) => {
  const side = limits.look[shape]
  const canvas = canvasOf(side, side)
  let last = null
  while (isLive()) {
    await after(limits.pause)
    if (!isLive() || video.videoWidth === 0) continue
    const rgba = smallPicture(canvas, shape)
    const faces = network === null ? null : await network(rgba, side)
    const hint = hintOf(shape, measured(rgba, side), faces)
    if (isLive() && hint === last && stage.dataset.hint !== hint) {
      stage.dataset.hint = hint
      byId("capture-hint").textContent = hints[hint]
    }
    last = hint
  }
}

/** One opening of the dialog, from the live picture to the answer. */
class Capture {
  #isLive = false
  #isOver = false
  #photo = null
  #acts = {
    shoot: () => this.#shoot(),
    flip: () => this.#flip(),
    retake: () => this.#view(),
    use: () => this.#finish({ photo: this.#photo }),
    gallery: () => this.#finish({ gallery: true }),
    "close-capture": () => this.#finish({})
  }
  #closed = () => this.#finish({})
  /** The place in the history that is the dialog's is not the present one any more: the customer went back, or the page is left. */
  #left = () => this.#finish({}, true)

  constructor(options, answer) {
    Object.assign(this, options, { answer })
    byId("capture-title").textContent = options.title
    stage.dataset.shape = options.shape
    for (const [id, act] of Object.entries(this.#acts)) byId(id).addEventListener("click", act)
    dialog.addEventListener("close", this.#closed)
    addEventListener("pagehide", this.#left)
    addEventListener("popstate", this.#left)
    for (const id of photoButtons) byId(id).hidden = true
    // Back is what people press on a telephone to leave what covers the page: it closes the camera, and not the page.
    history.pushState({ isCamera: true }, "")
    dialog.showModal()
    void this.#view()
  }

  #finish(answer, isLeft = false) {
    if (this.#isOver) return
    this.#isOver = true
    this.#isLive = false
    stopCamera()
    forgetStill()
    for (const [id, act] of Object.entries(this.#acts)) byId(id).removeEventListener("click", act)
    dialog.removeEventListener("close", this.#closed)
    removeEventListener("pagehide", this.#left)
    removeEventListener("popstate", this.#left)
    if (dialog.open) dialog.close()
    if (isLeft || history.state?.isCamera !== true) return this.answer(answer)
    // Answered when the dialog's place in the history is gone: a camera that is opened next has a place of its own.
    addEventListener("popstate", () => this.answer(answer), { once: true })
    history.back()
  }

  async #view() {
    this.#photo = null
    forgetStill()
    say(this.words.starting)
    try {
      await startCamera(this.facing)
    } catch (error) {
      return this.#finish({ problem: error.name === "NotAllowedError" ? "cameraRefused" : "noCamera" })
    }
    if (this.#isOver) return stopCamera()
    say(this.hints.READY)
    this.#isLive = true
    const cameras = (await navigator.mediaDevices.enumerateDevices()).filter(({ kind }) => kind === "videoinput")
    show(cameras.length > 1 ? ["shoot", "flip", "gallery"] : ["shoot", "gallery"])
    void lookOn(this.shape, this.hints, () => this.#isLive)
  }

  async #shoot() {
    if (!this.#isLive) return
    this.#isLive = false
    this.#photo = await photoOf(this.shape)
    if (this.#isOver) return
    if (this.#photo === null) return this.#view()
    stopCamera()
    still.src = URL.createObjectURL(this.#photo)
    still.hidden = false
    say(this.words.look)
    show(["use", "retake"])
  }

  #flip() {
    this.#isLive = false
    this.facing = this.facing === "user" ? "environment" : "user"
    void this.#view()
  }
}

/**
 * Opens the dialog and answers with the photo that the customer wants to use; `{ gallery: true }` when they would rather choose one,
 * `{ problem }` when there is no camera to be used, and `{}` when they close the dialog.
 */
export const takePhoto = ({ finder, ...options }) => {
  loadNetwork(finder)
  return new Promise((resolve) => new Capture(options, resolve))
}
