/*
 * Sends a file in parts: a video, or a photo. It sends a failed part again, and never sends a part twice that has arrived: not
 * after a broken connection, and not after the page was loaded anew. What is sent, and what the customer reads meanwhile, is the
 * business of each page's script.
 */

import { askWatched, Silent } from "./asking.js"
import { inTime } from "./inTime.js"

/** Milliseconds before each further try of a request. After the last try the customer decides. */
const waits = [500, 1000, 2000, 4000, 8000]
/** Milliseconds in which nothing moves, after which a request counts as lost. To complete an upload is to have the file read. */
const silentFor = { usual: 15_000, completing: 60_000 }
/** After so many tries of a request that nobody answered the customer decides. */
const mostSilent = 2
/** Milliseconds in which the browser reads a part of the file: the file may lie elsewhere than in the telephone. */
const readWithin = 60_000
/** Each round sends again what arrived damaged or is missing. After these rounds something else is wrong. */
const mostRounds = 3

/**
 * The upload has ended: the service refuses it, the browser cannot read the file, or the customer is somewhere else. `code` is the
 * service's, NOT_WHOLE or UNREADABLE.
 */
export class Ended extends Error {
  constructor(code, message = "") {
    super(message)
    this.code = code
  }
}

/** Remembers which upload a file belongs to, so that it continues after the page was left. */
const memory = {
  read: (path, key) => {
    try {
      const known = JSON.parse(sessionStorage.getItem(path) ?? "null")
      return known?.key === key ? known.id : null
    } catch {
      return null
    }
  },
  write: (path, key, id) => {
    try {
      if (id === null) sessionStorage.removeItem(path)
      else sessionStorage.setItem(path, JSON.stringify({ key, id }))
    } catch {
      // A browser without storage begins a new upload.
    }
  }
}

/** Ends early when the connection comes back, or when nobody wants the file to be sent any more. */
const pause = (millis, signal) =>
  new Promise((resolve) => {
    const isOver = new AbortController()
    const end = () => {
      isOver.abort()
      resolve()
    }
    // oxlint-disable-next-line no-restricted-globals -- a browser has no other clock
    setTimeout(end, millis)
    addEventListener("online", end, { signal: isOver.signal })
    signal.addEventListener("abort", end, { signal: isOver.signal })
  })

const hexadecimal = (bytes) => Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("")

/** Hashing parts needs https, or a page of this machine. */
export const canSendParts = () => globalThis.crypto?.subtle !== undefined

/** A sender for one medium, for the page with this token. */
export class PartSender {
  /** `onProgress` hears the share that has arrived, from 0 to 1, and `onSlow` of each try that stands still or failed. */
  constructor({ onProgress, onSlow, partBytes, path, token }) {
    Object.assign(this, { onProgress, onSlow, partBytes, path, token })
  }

  /**
   * Rejects with `Ended`, or with any other error when there is no connection. `key` tells the file from others; `about` are headers of the
   * request that begins an upload. `signal` ends the sending: then it rejects, and says nothing more of its progress.
   */
  async send(file, key, signal, about = {}) {
    const count = Math.ceil(file.size / this.partBytes)
    const headers = { "content-type": "application/json" }
    const body = new TextEncoder().encode(JSON.stringify({ chunks: count }))
    for (let rounds = 0; rounds < mostRounds; rounds += 1) {
      const upload = await this.#uploadOf(key, about, signal)
      const isThere = await this.#sendMissing(file, upload, count, signal)
      const complete = { headers, body, silentFor: silentFor.completing }
      const answer = isThere
        ? judged(await this.#request("POST", `${this.path}/${upload.id}/complete`, signal, complete))
        : { code: "GONE" }
      if (answer.code === "DONE") return memory.write(this.path, key, null)
      if (answer.code === "GONE") memory.write(this.path, key, null)
    }
    throw new Ended("NOT_WHOLE")
  }

  /** Sends one request, and sends it again while the server is away, busy or failing. */
  async #request(method, address, signal, { body = null, headers = {}, silentFor: still = silentFor.usual } = {}) {
    const request = { headers: { "x-form-token": this.token, ...headers }, onStill: this.onSlow, silentFor: still }
    let silent = 0
    for (let tries = 0; ; tries += 1) {
      try {
        const { json, status } = await askWatched({ ...request, address, body, method, signal })
        if (json !== null && status < 500 && status !== 429 && status !== 408) return json
      } catch (error) {
        signal.throwIfAborted()
        if (error instanceof Silent) silent += 1
      }
      const wait = waits[tries]
      if (wait === undefined || silent >= mostSilent) throw new Error("no connection")
      this.onSlow()
      await pause(wait, signal)
      signal.throwIfAborted()
    }
  }

  async #begin(key, about, signal) {
    const { id } = judged(await this.#request("POST", this.path, signal, { headers: about }))
    memory.write(this.path, key, id)
    return { id, there: new Set() }
  }

  /** The upload that was begun for this file before, or a new upload. */
  async #uploadOf(key, about, signal) {
    const id = memory.read(this.path, key)
    if (id === null) return this.#begin(key, about, signal)
    const state = judged(await this.#request("GET", `${this.path}/${id}`, signal))
    // A finished upload was looked at already; the customer wants the same file to be looked at again.
    const isOver = state.code === "GONE" || state.isComplete
    return isOver ? this.#begin(key, about, signal) : { id, there: new Set(state.chunks) }
  }

  /** False: the upload is gone. */
  async #sendMissing(file, { id, there }, count, signal) {
    for (let number = 0; number < count; number += 1) {
      if (!there.has(number)) {
        const part = file.slice(number * this.partBytes, (number + 1) * this.partBytes)
        const answer = await this.#sendPart(`${this.path}/${id}/chunks/${number}`, part, signal)
        if (answer.code === "GONE") return false
      }
      this.onProgress((number + 1) / count)
    }
    return true
  }

  async #sendPart(address, part, signal) {
    const body = await bytesOf(part)
    signal.throwIfAborted()
    const headers = {
      "content-type": "application/octet-stream",
      "x-chunk-sha256": hexadecimal(await crypto.subtle.digest("SHA-256", body))
    }
    return judged(await this.#request("PUT", address, signal, { headers, body }))
  }
}

/** A file that was changed, moved or never given out cannot be read, however good the line is. */
const bytesOf = async (part) => {
  try {
    return await inTime(part.arrayBuffer(), readWithin)
  } catch {
    throw new Ended("UNREADABLE")
  }
}

const judged = (answer) => {
  if (["REFUSED", "NOT_ALLOWED", "NOT_ASKED"].includes(answer.code)) throw new Ended(answer.code, answer.message)
  return answer
}
