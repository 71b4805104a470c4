/*
 * The script of the handover video's page: it records with the camera, or takes a file, and sends the video in parts. It
 * sends a failed part again, and never sends a part twice that has arrived: not after a broken connection, and not after
 * the customer has left the page and chosen the same file again. Without this script the page's form sends one file.
 */
import { inTime } from "./inTime.js"
import { askBeforeLeaving } from "./leaving.js"
import { forgive, markRefused } from "./refusal.js"
import { canSendParts, Ended, PartSender } from "./sending.js"

const byId = (id) => document.getElementById(id)
const recorder = byId("recorder")
const plain = byId("plain")
const { dataset } = recorder
const mostBytes = Number(dataset.mostBytes)
const longestSeconds = Number(dataset.longestSeconds)
/** What the page says, in the customer's language: the script has no words of its own. */
const words = JSON.parse(dataset.words)
const filled = (sentence, facts) => sentence.replace(/\{(\w+)\}/g, (_, name) => facts[name])

/** Bits a second: two minutes stay well under the largest video. */
const bitsPerSecond = 2_500_000
/** Milliseconds: a camera that shows no picture by then is recorded all the same. */
const pictureWithin = 5000
const kinds = ["video/mp4", "video/webm;codecs=vp9", "video/webm;codecs=vp8", "video/webm"]

const say = (text) => {
  byId("status").textContent = text
}
const canRecord = navigator.mediaDevices?.getUserMedia !== undefined && globalThis.MediaRecorder !== undefined
/**
 * Shows these buttons and no others. A file can be chosen only while nothing else is going on, and the camera is offered with that
 * choice, where the browser can record.
 */
const show = (...ids) => {
  plain.hidden = ids.length > 0 && !ids.includes("camera")
  for (const id of ["camera", "record", "stop", "send", "resume", "again"]) byId(id).hidden = !ids.includes(id)
  if (!canRecord) byId("camera").hidden = true
}
/** What each of these buttons does when it is pressed next. */
const next = { send: () => {}, resume: () => {}, stop: () => {} }
for (const id of Object.keys(next)) byId(id).addEventListener("click", () => next[id]())

const sender = new PartSender({
  path: dataset.path,
  token: dataset.token,
  partBytes: Number(dataset.chunkBytes),
  onSlow: () => say(words.slow),
  onProgress: (share) => {
    const percent = Math.round(100 * share)
    byId("progress").value = percent
    say(share === 1 ? words.almostDone : filled(words.sending, { percent }))
  }
})

const named = byId("named")
const turns = byId("turns")

/**
 * Asks which turns the next video must show, and shows them. Without an answer the turns stay that the page came with: the service
 * says so when they are over. Answers with the service's code.
 */
const askForTurns = async () => {
  try {
    const headers = { "x-form-token": dataset.token }
    const signal = AbortSignal.timeout(5000)
    const answer = await (await fetch(dataset.challengePath, { method: "POST", headers, signal })).json()
    if (answer.code === "DONE" && answer.id !== named.value) {
      named.value = answer.id
      turns.replaceChildren(
        ...answer.turns.map((turn) => Object.assign(document.createElement("li"), { textContent: words[turn] }))
      )
    }
    return answer.code
  } catch {
    // No connection.
    return null
  }
}

/** What the customer reads about an upload that has ended. */
const endingOf = ({ code, message }) =>
  ({ NOT_ALLOWED: words.signedOut, NOT_WHOLE: words.notWhole })[code] ?? (message || words.notUsed)

const field = byId("video")
/** A recording that has begun and has not arrived: no file has it. */
let isRecordingHere = false
/** The chosen file that has arrived, or was refused: it is not lost with the page. */
let doneFile
/** This video is of no use, and another one is needed. */
const refuseVideo = (text) => {
  isRecordingHere = false
  doneFile = field.files[0]
  say("")
  byId("progress").hidden = true
  show("camera")
  const label = plain.querySelector("label").textContent
  markRefused(field, { error: words.error, headingOf: () => words.heading, label, text })
}

/** Leaves for the journey's page; there is nothing more to lose. */
const leave = () => {
  isRecordingHere = false
  doneFile = field.files[0]
  location.assign(dataset.journey)
}

const preview = byId("preview")
const stop = (stream) => {
  for (const track of stream?.getTracks() ?? []) track.stop()
}
const stopCamera = () => {
  stop(preview.srcObject)
  preview.srcObject = null
}

/** What the customer began last: to use the camera, or to send a video. */
let run = new AbortController()
/** Whatever was begun before ends without a word. */
const begin = () => {
  run.abort()
  run = new AbortController()
  stopCamera()
  return run.signal
}

/** `challenge` is what the video was made for. */
const send = async (video, key, challenge) => {
  const signal = begin()
  if (video.size === 0) return refuseVideo(words.empty)
  if (video.size > mostBytes) return refuseVideo(words.tooLarge)
  forgive(field)
  show()
  plain.hidden = true
  byId("progress").hidden = false
  say(filled(words.sending, { percent: 0 }))
  try {
    await sender.send(video, key, signal, { "x-challenge": challenge })
    leave()
  } catch (error) {
    if (signal.aborted) return
    if (error instanceof Ended) {
      await askForTurns()
      if (error.code === "NOT_ASKED") leave()
      else refuseVideo(endingOf(error))
    } else {
      say(words.broken)
      next.resume = () => send(video, key, challenge)
      addEventListener("online", next.resume, { signal })
      show("resume", "camera")
      byId("resume").focus()
    }
  }
}

/** The customer may try the camera again, or choose a file. */
const withoutCamera = (text) => {
  stopCamera()
  isRecordingHere = false
  preview.hidden = true
  say(text)
  show("camera")
}

const forgetRecording = () => {
  isRecordingHere = false
  if (preview.src !== "") URL.revokeObjectURL(preview.src)
  preview.removeAttribute("src")
}

const useCamera = async () => {
  const signal = begin()
  let stream
  try {
    stream = await navigator.mediaDevices.getUserMedia({
      video: { facingMode: "user", width: { ideal: 1280 }, height: { ideal: 720 } },
      audio: false
    })
  } catch (error) {
    if (!signal.aborted) withoutCamera(error.name === "NotAllowedError" ? words.notAllowed : words.noCamera)
    return
  }
  if (signal.aborted) return stop(stream)
  forgetRecording()
  preview.srcObject = stream
  preview.controls = false
  preview.hidden = false
  // Where the customer looks while they record.
  preview.after(turns)
  // Unplugged, taken by another application, or no longer allowed. A recording ends by itself.
  const takenAway = () => isRecordingHere || withoutCamera(words.noCamera)
  for (const track of stream.getTracks()) track.addEventListener("ended", takenAway, { signal })
  // A browser that does not play by itself, or has no picture yet, records all the same.
  const playing = inTime(preview.play(), pictureWithin).catch(() => {})
  const [code] = await Promise.all([askForTurns(), playing])
  if (signal.aborted || preview.srcObject !== stream) return
  // Who was signed out, or is asked for no video any more, reads so before they record one.
  if (code === "NOT_ALLOWED" || code === "NOT_ASKED") return leave()
  say(words.cameraOn)
  show("record")
  byId("record").focus()
}

/** `isAsked`: the customer, or the longest time, has ended the recording. */
const finished = (video, challenge, isAsked) => {
  if (video.size === 0) return withoutCamera(words.noPicture)
  stopCamera()
  preview.src = URL.createObjectURL(video)
  preview.controls = true
  say(isAsked ? words.watch : words.interrupted)
  next.send = () => send(video, `recording ${video.size} ${performance.now()}`, challenge)
  show("send", "again")
  byId("send").focus()
}

/** A recorder that has started. A browser may offer a kind of video that its camera cannot deliver. */
const startedRecorder = (keep) => {
  for (const mimeType of kinds.filter((kind) => MediaRecorder.isTypeSupported(kind))) {
    try {
      const media = new MediaRecorder(preview.srcObject, { mimeType, videoBitsPerSecond: bitsPerSecond })
      media.ondataavailable = ({ data }) => keep(data)
      media.start(1000)
      return media
    } catch {
      // The next kind may do.
    }
  }
  return null
}

const record = () => {
  const pieces = []
  const challenge = named.value
  const media = startedRecorder((piece) => pieces.push(piece))
  if (media === null) return withoutCamera(words.cannotRecord)
  isRecordingHere = true
  let isAsked = false
  const end = () => {
    isAsked = true
    if (media.state !== "inactive") media.stop()
  }
  const began = performance.now()
  // oxlint-disable-next-line no-restricted-globals -- a browser has no other clock
  const counting = setInterval(() => {
    const seconds = Math.floor((performance.now() - began) / 1000)
    say(filled(words.recorded, { seconds, longest: longestSeconds }))
    // The recording stops a little early, because a recorder is not exact.
    if (seconds >= longestSeconds - 1) end()
  }, 1000)
  // A telephone takes the camera from a page that nobody sees: a recording would go on without a picture.
  const hidden = () => document.hidden && media.state !== "inactive" && media.stop()
  document.addEventListener("visibilitychange", hidden)
  // This runs, too, when the camera is taken away.
  media.onstop = () => {
    clearInterval(counting)
    document.removeEventListener("visibilitychange", hidden)
    finished(new Blob(pieces, { type: media.mimeType }), challenge, isAsked)
  }
  next.stop = end
  say(words.recording)
  show("stop")
  byId("stop").focus()
}

// Hashing parts needs https. Without it only the form is shown.
if (canSendParts()) {
  recorder.hidden = false
  preview.hidden = true
  show("camera")
  byId("camera").addEventListener("click", useCamera)
  byId("again").addEventListener("click", () => {
    forgetRecording()
    void useCamera()
  })
  byId("record").addEventListener("click", record)
  plain.addEventListener("submit", (event) => {
    event.preventDefault()
    const [file] = byId("video").files
    if (file !== undefined) void send(file, `${file.name} ${file.size} ${file.lastModified}`, named.value)
  })
  addEventListener("pagehide", stopCamera)
  // The customer came back: the camera is off, and what the page showed is over. A recording is there still.
  addEventListener("pageshow", (event) => {
    if (event.persisted && !isRecordingHere) location.reload()
  })
  // What a telephone films for the field may be in no gallery.
  askBeforeLeaving(() => isRecordingHere || field.files[0] !== doneFile, words.leave)
}

document.querySelector(".summary")?.focus()
