/*
 * Asks the service one thing, and watches whether the request moves: a slow line is not a dead one, so only a request that stands still is
 * given up. What to ask, and what follows, is the business of `sending.js`.
 */

/** Bytes a second of the slowest line that the service waits for. A browser says that bytes have left which wait in the telephone still. */
const slowestLine = 4_000

/** Nobody answered, and nothing moved. */
export class Silent extends Error {}

/**
 * Answers with the status and the JSON (null: it is no JSON). When nothing has moved for `silentFor` milliseconds it calls `onStill`, and rejects with
 * `Silent` when the slowest line would have moved. It rejects with another error when there is no connection, and at once when `signal` says
 * that nobody wants the answer any more.
 */
export const askWatched = ({ address, body, headers, method, onStill, signal, silentFor }) =>
  new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    const leaving = (1000 * (body?.byteLength ?? 0)) / slowestLine
    let timer = 0
    const after = (millis, act) => {
      clearTimeout(timer)
      // oxlint-disable-next-line no-restricted-globals -- a browser has no other clock
      timer = setTimeout(() => act(), millis)
    }
    const end = (settle) => {
      clearTimeout(timer)
      signal.removeEventListener("abort", leave)
      settle()
    }
    const moved = () =>
      after(silentFor, () => {
        onStill()
        after(leaving, () => stop(new Silent()))
      })
    const stop = (error) => {
      end(() => reject(error))
      request.abort()
    }
    const leave = () => stop(signal.reason)
    if (signal.aborted) return reject(signal.reason)
    signal.addEventListener("abort", leave)
    request.open(method, address)
    request.responseType = "json"
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
    request.upload.addEventListener("progress", moved)
    request.addEventListener("progress", moved)
    request.addEventListener("load", () => end(() => resolve({ status: request.status, json: request.response })))
    request.addEventListener("error", () => end(() => reject(new Error("no connection"))))
    moved()
    request.send(body)
  })
