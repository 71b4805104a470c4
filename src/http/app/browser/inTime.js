/*
 * A limit for what a browser may never answer, such as the bytes of a file that another application has. What follows when the time is
 * over is the business of each script.
 */

/** Rejects when the answer does not come within so many milliseconds. */
export const inTime = (answer, millis) =>
  new Promise((resolve, reject) => {
    // oxlint-disable-next-line no-restricted-globals -- a browser has no other clock
    setTimeout(() => reject(new Error("not in time")), millis)
    answer.then(resolve, reject)
  })
