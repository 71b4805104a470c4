/**
 * What the tests of the app in a real browser stand on: a service with one company, and a telephone of a customer. Not a test itself. Without
 * Chromium the tests are skipped, by name; in CI that is a failure.
 */
import { afterAll, beforeAll, describe } from "vitest"
import { chromium } from "../documents/browser.ts"
import { startPages, type PagesGround } from "./pagesGround.ts"
import { openPhone, type Phone } from "./phone.ts"

interface PhoneGround {
  readonly ground: PagesGround
  readonly phone: Phone
}

/** A block of tests in Chromium. */
export const describeInChromium = describe.skipIf(chromium === undefined && process.env["CI"] !== "true")

/** Starts both before the tests of a block, hands both to `started`, and stops both after the tests. */
export const onPhone = (started: (here: PhoneGround) => void): void => {
  let ground: PagesGround | undefined
  let phone: Phone | undefined
  beforeAll(async () => {
    if (chromium === undefined) throw new Error("CI needs Chromium for the customer's app")
    ground = await startPages({}, "Harbour Cars")
    phone = await openPhone(chromium, ground.service.baseUrl)
    started({ ground, phone })
  })
  afterAll(async () => {
    await phone?.close()
    await ground?.service.stop()
  })
}
