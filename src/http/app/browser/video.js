/*
 * The script of the handover video's page: it records with the camera, or takes a file, and sends the video in parts. It
 * sends a failed part again, and never sends a part twice that has arrived: not after a broken connection, and not after
 * the customer has left the page and chosen the same file again. Without this script the page's form sends one file.
 */
const byId = (id) => document.getElementById(id)
const recorder = byId("recorder")
const plain = byId("plain")
const { dataset } = recorder
const chunkBytes = Number(dataset.chunkBytes)
const mostBytes = Number(dataset.mostBytes)
const longestSeconds = Number(dataset.longestSeconds)
const path = "/app/video-uploads"

/** Milliseconds before each further try of a part. After the last try the customer decides. */
const waits = [500, 1000, 2000, 4000, 8000]
/** Bits a second: two minutes stay well under the largest video. */
const bitsPerSecond = 2_500_000
const kinds = ["video/mp4", "video/webm;codecs=vp9", "video/webm;codecs=vp8", "video/webm"]

/** Remembers the upload of a file, so that it continues after the customer has left the page. */
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
      // A browser without storage begins a new upload.
    }
  }
}

const say = (text) => {
  byId("status").textContent = text
}
/** Shows these buttons and no others. A file can be chosen only while nothing else is going on. */
const show = (...ids) => {
  plain.hidden = ids.length > 0 && !ids.includes("camera")
  for (const id of ["camera", "record", "stop", "send", "resume", "again"]) byId(id).hidden = !ids.includes(id)
}
/** Ends early when the connection comes back. */
const pause = (millis) =>
  new Promise((resolve) => {
    // oxlint-disable-next-line no-restricted-globals -- a browser has no other clock
    setTimeout(resolve, millis)
    addEventListener("online", resolve, { once: true })
  })

/** What each of these buttons does when it is pressed next. */
const next = { send: () => {}, resume: () => {}, stop: () => {} }
for (const id of Object.keys(next)) byId(id).addEventListener("click", () => next[id]())

class Ended extends Error {}

/** Sends one request, and sends it again while the server is away, busy or failing. */
const request = async (method, address, headers = {}, body = null) => {
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
  const { id } = judged(await request("POST", path))
  memory.write(key, id)
  return { id, there: new Set() }
}

/** The upload that was begun for this video before, or a new upload. */
const uploadOf = async (key) => {
  const id = memory.read(key)
  if (id === null) return begin(key)
  const state = judged(await request("GET", `${path}/${id}`))
  // A finished upload was looked at already; the customer wants the same file to be looked at again.
  return state.code === "GONE" || state.isComplete ? begin(key) : { id, there: new Set(state.chunks) }
}

const sendPart = async (id, number, part) => {
  const bytes = await part.arrayBuffer()
  const headers = {
    "content-type": "application/octet-stream",
    "x-chunk-sha256": hexadecimal(await crypto.subtle.digest("SHA-256", bytes))
  }
  return judged(await request("PUT", `${path}/${id}/chunks/${number}`, headers, bytes))
}

const sendParts = async (video, key) => {
  const count = Math.ceil(video.size / chunkBytes)
  // Each round sends again what arrived damaged or is missing. After three rounds something else is wrong.
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
      await request(
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
  const media = startedRecorder((piece) => pieces.push(piece))
  if (media === null) {
    stopCamera()
    preview.hidden = true
    say("This browser cannot record here. You can choose a video below.")
    show("camera")
    return
  }
  let seconds = 0
  // oxlint-disable-next-line no-restricted-globals -- a browser has no other clock
  const counting = setInterval(() => {
    seconds += 1
    say(`Recording: ${seconds} of ${longestSeconds} seconds`)
    // The recording stops a little early, because a recorder is not exact.
    if (seconds >= longestSeconds - 1) media.stop()
  }, 1000)
  // This runs, too, when the camera is unplugged.
  media.onstop = () => {
    clearInterval(counting)
    finished(new Blob(pieces, { type: media.mimeType }))
  }
  next.stop = () => media.stop()
  say("Recording. Show your face, then the vehicle.")
  show("stop")
  byId("stop").focus()
}

// Hashing parts needs https. Without it only the form is shown.
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
