/*
 * The page of the handover video, where scripts run: records with the camera, or takes a file, and sends either in parts.
 * Each part is tried again; what has arrived is never sent twice, also after the connection broke or, for a file, the
 * page was left. Without this script the page's form sends a file in one piece.
 */
const byId = (id) => document.getElementById(id)
const recorder = byId("recorder")
const plain = byId("plain")
const { dataset } = recorder
const chunkBytes = Number(dataset.chunkBytes)
const mostBytes = Number(dataset.mostBytes)
const longestSeconds = Number(dataset.longestSeconds)
const path = "/app/video-uploads"

/** Milliseconds before a part is tried again; then the customer is asked. */
const waits = [500, 1000, 2000, 4000, 8000]
/** Bits a second: two minutes stay well under what may be sent. */
const bitsPerSecond = 2_500_000
const kinds = ["video/mp4", "video/webm;codecs=vp9", "video/webm;codecs=vp8", "video/webm"]

/** Where an upload stands, so that the same file goes on after the page was left. */
const memory = {
  read: (key) => {
    try {
      const known = JSON.parse(sessionStorage.getItem("upload") ?? "null")
      return known?.key === key ? known.id : null
    } catch {
      return null
    }
  },
  write: (key, id) => {
    try {
      sessionStorage.setItem("upload", JSON.stringify({ key, id }))
    } catch {
      // It is a convenience.
    }
  }
}

const say = (text) => {
  byId("status").textContent = text
}
/** The buttons of a moment. A file is offered only while nothing else is going on. */
const show = (...ids) => {
  plain.hidden = ids.length > 0 && !ids.includes("camera")
  for (const id of ["camera", "record", "stop", "send", "resume", "again"]) byId(id).hidden = !ids.includes(id)
}
/** Over at once when the connection comes back. */
const pause = (millis) =>
  new Promise((resolve) => {
    // oxlint-disable-next-line no-restricted-globals -- a browser has no other clock
    setTimeout(resolve, millis)
    addEventListener("online", resolve, { once: true })
  })

/** What these buttons do next. */
const next = { send: () => {}, resume: () => {}, stop: () => {} }
for (const id of Object.keys(next)) byId(id).addEventListener("click", () => next[id]())

class Ended extends Error {}

/** One request; a server that is away, busy or failing is a reason to try again. */
const asked = async (method, address, headers = {}, body = null) => {
  for (let tries = 0; ; tries += 1) {
    try {
      const response = await fetch(address, { method, headers: { "x-form-token": dataset.token, ...headers }, body })
      if (response.status < 500 && response.status !== 429 && response.status !== 408) {
        return await response.json()
      }
    } catch {
      // No connection.
    }
    const wait = waits[tries]
    if (wait === undefined) throw new Error("no connection")
    say("The connection is slow. Trying again …")
    await pause(wait)
  }
}

const judged = (answer) => {
  switch (answer.code) {
    case "REFUSED":
      throw new Ended(answer.message ?? "The video could not be used. Please record another one.")
    case "NOT_ALLOWED":
      throw new Ended("You were signed out. Please open the link in your email again.")
    case "NOT_ASKED":
      location.assign("/app/journey")
      throw new Ended("One moment …")
    default:
      return answer
  }
}

const hexadecimal = (bytes) => Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("")

const begin = async (key) => {
  const { id } = judged(await asked("POST", path))
  memory.write(key, id)
  return { id, there: new Set() }
}

/** The upload of this video that was begun before, or a new one. */
const uploadOf = async (key) => {
  const id = memory.read(key)
  if (id === null) return begin(key)
  const state = judged(await asked("GET", `${path}/${id}`))
  // One that was finished was looked at already: the same file is to be looked at again.
  return state.code === "GONE" || state.isComplete ? begin(key) : { id, there: new Set(state.chunks) }
}

const sendPart = async (id, number, part) => {
  const bytes = await part.arrayBuffer()
  const headers = {
    "content-type": "application/octet-stream",
    "x-chunk-sha256": hexadecimal(await crypto.subtle.digest("SHA-256", bytes))
  }
  return judged(await asked("PUT", `${path}/${id}/chunks/${number}`, headers, bytes))
}

const sendParts = async (video, key) => {
  const count = Math.ceil(video.size / chunkBytes)
  // What arrived damaged, or went missing, is sent once more; then something else is wrong.
  for (let rounds = 0; rounds < 3; rounds += 1) {
    const { id, there } = await uploadOf(key)
    let isGone = false
    for (let number = 0; number < count && !isGone; number += 1) {
      if (!there.has(number)) {
        const answer = await sendPart(id, number, video.slice(number * chunkBytes, (number + 1) * chunkBytes))
        isGone = answer.code === "GONE"
      }
      const percent = Math.round((100 * (number + 1)) / count)
      byId("progress").value = percent
      say(`Sending your video: ${percent} %`)
    }
    if (isGone) {
      memory.write(key, null)
      continue
    }
    say("Almost done …")
    const answer = judged(
      await asked(
        "POST",
        `${path}/${id}/complete`,
        { "content-type": "application/json" },
        JSON.stringify({ chunks: count })
      )
    )
    if (answer.code === "DONE") return memory.write(null, null)
    if (answer.code === "GONE") memory.write(key, null)
  }
  throw new Ended("The video did not arrive whole. Please try again.")
}

let isSending = false
const send = async (video, key) => {
  if (isSending) return
  if (video.size > mostBytes) {
    say("This video is too large. Please record a shorter one.")
    show("camera")
    return
  }
  isSending = true
  show()
  plain.hidden = true
  byId("progress").hidden = false
  say("Sending your video: 0 %")
  try {
    await sendParts(video, key)
    location.assign("/app/journey")
  } catch (error) {
    if (error instanceof Ended) {
      say(error.message)
      byId("progress").hidden = true
      show("camera")
    } else {
      say("The connection broke. What has arrived is kept: continue when you are online again.")
      const goOn = () => send(video, key)
      next.resume = goOn
      addEventListener("online", goOn, { once: true })
      show("resume")
    }
  } finally {
    isSending = false
  }
}

const preview = byId("preview")
const stopCamera = () => {
  for (const track of preview.srcObject?.getTracks() ?? []) track.stop()
  preview.srcObject = null
}

const useCamera = async () => {
  try {
    preview.srcObject = await navigator.mediaDevices.getUserMedia({
      video: { facingMode: "user", width: { ideal: 1280 }, height: { ideal: 720 } },
      audio: false
    })
  } catch (error) {
    say(
      error.name === "NotAllowedError"
        ? "The camera may not be used. Allow it in your browser's settings, or choose a video below."
        : "No camera was found. You can choose a video below."
    )
    show("camera")
    return
  }
  preview.removeAttribute("src")
  preview.controls = false
  preview.hidden = false
  await preview.play()
  say("The camera is on. Make sure your whole face is in view.")
  show("record")
  byId("record").focus()
}

const finished = (video) => {
  stopCamera()
  if (video.size === 0) {
    preview.hidden = true
    say("The camera gave no picture. Try again, or choose a video below.")
    show("camera")
    return
  }
  preview.src = URL.createObjectURL(video)
  preview.controls = true
  say("Watch your video. Send it, or record it again.")
  next.send = () => send(video, `recording ${video.size} ${performance.now()}`)
  show("send", "again")
  byId("send").focus()
}

/** A recorder that records: a browser may offer a kind that its camera's picture does not fit. */
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
  const media = startedRecorder((piece) => pieces.push(piece))
  if (media === null) {
    stopCamera()
    preview.hidden = true
    say("This browser cannot record here. You can choose a video below.")
    show("camera")
    return
  }
  let seconds = 0
  // oxlint-disable-next-line no-restricted-globals -- the same
  const counting = setInterval(() => {
    seconds += 1
    say(`Recording: ${seconds} of ${longestSeconds} seconds`)
    // A little before the end, for a recorder is not exact.
    if (seconds >= longestSeconds - 1) media.stop()
  }, 1000)
  // Also when the camera is taken away.
  media.onstop = () => {
    clearInterval(counting)
    finished(new Blob(pieces, { type: media.mimeType }))
  }
  next.stop = () => media.stop()
  say("Recording. Show your face, then the vehicle.")
  show("stop")
  byId("stop").focus()
}

// Hashing needs https; where it is missing, the form is all there is.
if (globalThis.crypto?.subtle !== undefined) {
  recorder.hidden = false
  preview.hidden = true
  const canRecord = navigator.mediaDevices?.getUserMedia !== undefined && globalThis.MediaRecorder !== undefined
  show(...(canRecord ? ["camera"] : []))
  byId("camera").addEventListener("click", useCamera)
  byId("again").addEventListener("click", useCamera)
  byId("record").addEventListener("click", record)
  plain.addEventListener("submit", (event) => {
    event.preventDefault()
    const [file] = byId("video").files
    if (file !== undefined) void send(file, `${file.name} ${file.size} ${file.lastModified}`)
  })
  addEventListener("pagehide", stopCamera)
}

document.querySelector(".summary")?.focus()
