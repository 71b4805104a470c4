/** The ids by which outside providers know what they were asked: made again at every try, and told from forged ones. */
import { describe, expect, it } from "vitest"
import { isMarkedRequestId, requestIdsOf } from "../../../src/actors/effects/requestIds.ts"
import * as AesVault from "../../../src/runtime/keys/AesVault.ts"
import { JourneyId } from "../../../src/schema/ids.ts"
import { uuid } from "../../../src/schema/uuid.ts"
import { masterKey } from "../../support/endpoints.ts"

const vault = AesVault.make(masterKey)
const journeyId = JourneyId.make("0197a000-0000-7000-8000-000000000001")
const { marked, unmarked } = requestIdsOf(vault, "SUBMIT_APPLICATION", journeyId, 7)

describe("the id of what a provider is asked", () => {
  it("is the same at every try, and another one for each journey, effect and serial", () => {
    expect(requestIdsOf(vault, "SUBMIT_APPLICATION", journeyId, 7)).toEqual({ marked, unmarked })
    const others = [
      requestIdsOf(vault, "SUBMIT_APPLICATION", journeyId, 8),
      requestIdsOf(vault, "START_IDENTITY_CHECK", journeyId, 7),
      requestIdsOf(vault, "SUBMIT_APPLICATION", JourneyId.make("0197a000-0000-7000-8000-000000000002"), 7)
    ]
    expect(new Set([marked, ...others.map((ids) => ids.marked)]).size).toBe(4)
  })

  it("is a UUID of version 8, with a mark in its last group", () => {
    expect(marked).toMatch(uuid)
    expect(marked.charAt(14)).toBe("8")
    expect(marked.slice(0, 24)).toBe(unmarked.slice(0, 24))
    expect(isMarkedRequestId(marked, vault)).toBe(true)
  })

  it("is known as forged when any digit of it is another one", () => {
    for (let at = 0; at < marked.length; at += 1) {
      const digit = marked.charAt(at)
      if (digit === "-") continue
      const forged = `${marked.slice(0, at)}${digit === "0" ? "1" : "0"}${marked.slice(at + 1)}`
      expect(isMarkedRequestId(forged, vault), forged).toBe(false)
    }
    expect(isMarkedRequestId(unmarked, vault)).toBe(false)
  })

  it("is known as forged when another installation has made it", () => {
    const other = AesVault.make(Buffer.alloc(32, 9))
    expect(isMarkedRequestId(requestIdsOf(other, "SUBMIT_APPLICATION", journeyId, 7).marked, vault)).toBe(false)
  })
})
