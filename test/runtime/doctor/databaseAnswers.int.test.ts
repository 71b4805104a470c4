/** What `journeys doctor` says of the clocks of this machine and of the database. */
import { Effect } from "effect"
import { expect, it } from "vitest"
import { databaseAnswers } from "../../../src/runtime/doctor/databaseAnswers.ts"
import { readSettings } from "../../../src/runtime/settings/Settings.ts"
import { freshDatabase } from "../../support/service.ts"
import { later } from "../../support/videoGround.ts"

const says = (where: string) => expect.stringMatching(new RegExp(`^the clock of the database is \\d+ ms ${where} this`))

it("a database whose clock is more than two seconds off is not well, whichever clock is ahead", async () => {
  const { given } = readSettings({ DATABASE_URL: await freshDatabase() })
  const clockWhere = async (aheadMillis: number) => {
    const found = await Effect.runPromise(later(aheadMillis)(databaseAnswers(given, undefined)))
    return found.find(({ name }) => name === "clock")
  }
  expect(await clockWhere(0)).toMatchObject({ isWell: true })
  const minute = 60_000
  expect(await clockWhere(minute)).toMatchObject({ isWell: false, says: says("behind") })
  expect(await clockWhere(-minute)).toMatchObject({ isWell: false, says: says("ahead of") })
})
