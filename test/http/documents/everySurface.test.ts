/**
 * Every operation of the settings API is also a command and something that the console does. What is neither says why it is
 * not, so that a new operation cannot be forgotten on the other two.
 */
import { describe, expect, it } from "vitest"
import { settings } from "../../../src/http/api/settings.ts"
import { buttonCalls } from "../../../src/schema/journey/actions.ts"
import { sourcesUnder } from "../../tidy/sources.ts"

const operations = Object.keys(settings.endpoints)
const textUnder = (folder: string): string =>
  sourcesUnder(folder)
    .map(({ text }) => text)
    .join("\n")

/** Calls without a body become buttons and commands by their list, and are not named there one by one. */
const notNamedUnder = (folder: string): ReadonlyArray<string> => {
  const text = textUnder(folder)
  const isNamed = (name: string) => text.includes(`"${name}"`) || (buttonCalls as ReadonlyArray<string>).includes(name)
  return operations.filter((name) => !isNamed(name)).toSorted()
}

const pictures = "a terminal shows no pictures and plays no videos"
const passkeys = "a passkey is made by the browser that will use it"
const withoutCommand: Readonly<Record<string, string>> = {
  addPasskey: passkeys,
  getCaseFrame: pictures,
  getCasePicture: pictures,
  getCaseVideo: pictures,
  getPicture: pictures,
  getReviewVideo: pictures,
  lookAtReview: "a command ends, and has nothing open",
  preparePasskey: passkeys
}

const clocks = "a test clock serves programs; a person at the console forces outcomes"
const withoutPage: Readonly<Record<string, string>> = {
  advanceCompanyClock: clocks,
  checkAudit: "the check goes on from what the asker has kept, which is a file",
  createCompanyClock: clocks,
  endCompanyClock: clocks,
  exportTestCase: "its answer is a file for whoever reproduces a fault",
  getCompanyClock: clocks,
  getEncryptionStatus: "not yet: the operator asks by the API or by the command",
  listCompanyClocks: clocks,
  listMonths: "not yet: the operator asks by the API or by the command",
  recordReturnedMail: "a mail server's program reports what comes back"
}

describe("every operation of the settings API", () => {
  it("is asked by a command, or is listed with the reason why not", () => {
    expect(notNamedUnder("src/runtime/cli")).toEqual(Object.keys(withoutCommand).toSorted())
  })

  it("is asked by a page of the console, or is listed with the reason why not", () => {
    expect(notNamedUnder("src/http/console")).toEqual(Object.keys(withoutPage).toSorted())
  })
})
