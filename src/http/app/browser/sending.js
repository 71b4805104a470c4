/*
 * Sends a file in parts: a video, or a photo. It sends a failed part again, and never sends a part twice that has arrived: not
 * after a broken connection, and not after the page was loaded anew. What is sent, and what the customer reads meanwhile, is the
 * business of each page's script.
 */

/** Milliseconds before each further try of a request. After the last try the customer decides. */
const waits = [500, 1000, 2000, 4000, 8000]
/** Milliseconds after which a request counts as lost. */
const lostAfter = 60_000
/** Each round sends again what arrived damaged or is missing. After these rounds something else is wrong. */
const mostRounds = 3

/** The upload has ended: the service refuses it, or the customer is somewhere else. `code` is the service's, or NOT_WHOLE. */
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

/** Ends early when the connection comes back. */
const pause = (millis) =>
  new Promise((resolve) => {
    // oxlint-disable-next-line no-restricted-globals -- a browser has no other clock
    setTimeout(resolve, millis)
    addEventListener("online", resolve, { once: true })
  })

const hexadecimal = (bytes) => Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("")

/** Hashing parts needs https, or a page of this machine. */
export const canSendParts = () => globalThis.crypto?.subtle !== undefined

/** A sender for one medium, for the page with this token. */
export class PartSender {
  /** `onProgress` hears the share that has arrived, from 0 to 1, and `onSlow` of each try that failed. */
  constructor({ onProgress, onSlow, partBytes, path, token }) {
    Object.assign(this, { onProgress, onSlow, partBytes, path, token })
  }

  /** Rejects with `Ended`, or with any other error when there is no connection. `key` tells the file from others; `about` are headers of
   * the request that begins an upload. */
  async send(file, key, about = {}) {
    const count = Math.ceil(file.size / this.partBytes)
    const json = { "content-type": "application/json" }
    for (let rounds = 0; rounds < mostRounds; rounds += 1) {
      const upload = await this.#uploadOf(key, about)
      const isThere = await this.#sendMissing(file, upload, count)
      const body = JSON.stringify({ chunks: count })
      const answer = isThere
        ? judged(await this.#request("POST", `${this.path}/${upload.id}/complete`, json, body))
        : { code: "GONE" }
      if (answer.code === "DONE") return memory.write(this.path, key, null)
      if (answer.code === "GONE") memory.write(this.path, key, null)
    }
    throw new Ended("NOT_WHOLE")
  }

  /** Sends one request, and sends it again while the server is away, busy or failing. */
  async #request(method, address, headers = {}, body = null) {
    for (let tries = 0; ; tries += 1) {
      try {
        const signal = AbortSignal.timeout(lostAfter)
        const sent = { "x-form-token": this.token, ...headers }
        const response = await fetch(address, { method, headers: sent, body, signal })
        if (response.status < 500 && response.status !== 429 && response.status !== 408) return await response.json()
      } catch {
        // No connection.
      }
      const wait = waits[tries]
      if (wait === undefined) throw new Error("no connection")
      this.onSlow()
      await pause(wait)
    }
  }

  async #begin(key, about) {
    const { id } = judged(await this.#request("POST", this.path, about))
    memory.write(this.path, key, id)
    return { id, there: new Set() }
  }

  /** The upload that was begun for this file before, or a new upload. */
  async #uploadOf(key, about) {
    const id = memory.read(this.path, key)
    if (id === null) return this.#begin(key, about)
    const state = judged(await this.#request("GET", `${this.path}/${id}`))
    // A finished upload was looked at already; the customer wants the same file to be looked at again.
    return state.code === "GONE" || state.isComplete ? this.#begin(key, about) : { id, there: new Set(state.chunks) }
  }

  /** False: the upload is gone. */
  async #sendMissing(file, { id, there }, count) {
    for (let number = 0; number < count; number += 1) {
      if (!there.has(number)) {
        const part = file.slice(number * this.partBytes, (number + 1) * this.partBytes)
        const answer = await this.#sendPart(id, number, part)
        if (answer.code === "GONE") return false
      }
      this.onProgress((number + 1) / count)
    }
    return true
  }

  async #sendPart(id, number, part) {
    const bytes = await part.arrayBuffer()
    const headers = {
      "content-type": "application/octet-stream",
      "x-chunk-sha256": hexadecimal(await crypto.subtle.digest("SHA-256", bytes))
    }
    return judged(await this.#request("PUT", `${this.path}/${id}/chunks/${number}`, headers, bytes))
  }
}

const judged = (answer) => {
  if (["REFUSED", "NOT_ALLOWED", "NOT_ASKED"].includes(answer.code)) throw new Ended(answer.code, answer.message)
  return answer
}
