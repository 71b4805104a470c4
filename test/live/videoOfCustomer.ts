/** What a live customer does on the page of the handover video: reads which turns of the head it asks for, and records. */
import { expect } from "vitest"
import type { HeadTurn } from "../../src/schema/media/headTurns.ts"
import type { Words } from "../../src/schema/words/words.ts"
import type { Phone } from "../http/app/phone.ts"

/** What the page asks for, read as the customer reads it. */
export const turnsAsked = async (phone: Phone, { video }: Words): Promise<ReadonlyArray<HeadTurn>> => {
  const shown = await phone.evaluate(`[...document.querySelectorAll("#turns li")].map((one) => one.innerText)`)
  const { turns } = video.challenge
  return (shown as ReadonlyArray<string>).map((one) => {
    if (one === turns.LEFT) return "LEFT"
    expect(one).toBe(turns.RIGHT)
    return "RIGHT"
  })
}

/** Records with the camera that is on, until the page has counted so many seconds. `picture` is kept of the recording. */
export const recordFor = async (phone: Phone, { video }: Words, seconds: number, picture: string): Promise<void> => {
  await phone.press(video.buttons.record)
  await phone.until(`Number(/[0-9]+/.exec(document.getElementById("status").textContent)?.[0]) >= ${seconds}`)
  await phone.shoot(picture)
  await phone.press(video.buttons.stop)
}
