/** What is wrong with an address, what is only unlikely, and what a postcode looks like. */
import { Result } from "effect"
import { describe, expect, it } from "vitest"
import { judgeAddress } from "../../../src/actors/customer/confirmedAddress.ts"
import type { DeliveryAddress } from "../../../src/schema/requests/deliveryAddress.ts"
import { postcodeArea, ukPostcode } from "../../../src/schema/requests/postcode.ts"

const leeds: DeliveryAddress = { buildingNumber: "14", street: "Station Approach", city: "Leeds", postcode: "LS1 4DY" }

const problemsOf = (change: Readonly<Record<string, string | undefined>>) =>
  Result.getOrThrow(Result.flip(judgeAddress({ ...leeds, ...change }, [])))
const judged = (change: Readonly<Record<string, string>>, onFile: ReadonlyArray<DeliveryAddress> = [leeds]) =>
  Result.getOrThrow(judgeAddress({ ...leeds, ...change }, onFile))

describe("a postcode", () => {
  it.each([
    ["LS1 4DY", "LS1 4DY", "LS"],
    ["ls14dy", "LS1 4DY", "LS"],
    [" m1 1ae ", "M1 1AE", "M"],
    ["EC1A-1BB", "EC1A 1BB", "EC"],
    ["BT43 6HR", "BT43 6HR", "BT"],
    ["JE2 3AB", "JE2 3AB", "JE"]
  ])("%s is %s in the area %s", (text, postcode, area) => {
    expect([ukPostcode(text), postcodeArea(text)]).toEqual([postcode, area])
  })

  it.each(["LS1", "LS1 4D", "10115", "75008", "LS1 4DYX", "", "LSX 4DY"])("%j is none of this country", (text) => {
    expect([ukPostcode(text), postcodeArea(text)]).toEqual([null, null])
  })
})

describe("an address that is confirmed", () => {
  it("needs a house number or a name; a number in front of the street will do", () => {
    const missing = { buildingNumber: { kind: "HOUSE_MISSING" } }
    expect(problemsOf({ buildingNumber: " " })).toEqual(missing)
    expect(judged({ buildingNumber: "", buildingName: "The Mill" }).address.buildingName).toBe("The Mill")
    expect(judged({ buildingNumber: "", street: "14 Station Approach" }).address.street).toBe("14 Station Approach")
  })

  it("has what every address has, within the lengths of the start", () => {
    expect(problemsOf({ street: "", city: "x".repeat(101), county: "a\u0000b", postcode: "" })).toEqual({
      street: { kind: "MISSING" },
      city: { kind: "TOO_LONG", limit: 100 },
      county: { kind: "UNUSABLE" },
      postcode: { kind: "MISSING" }
    })
  })

  it.each(["Leeds", "?", "LS", "L$1 4DY", "1"])("has no postcode %j", (postcode) => {
    expect(problemsOf({ postcode })).toEqual({ postcode: { kind: "NO_POSTCODE" } })
  })

  it("is kept with its postcode in the usual form", () => {
    expect(judged({ postcode: "ls14dy" })).toEqual({ address: leeds, doubts: [] })
  })

  it("is unlikely in another area than every address on file, and not when none is known", () => {
    expect(judged({ postcode: "M1 1AE" }).doubts).toEqual(["OTHER_AREA"])
    expect(judged({ postcode: "LS29 9JJ" }).doubts).toEqual([])
    expect(judged({ postcode: "M1 1AE" }, []).doubts).toEqual([])
    expect(judged({ postcode: "M1 1AE" }, [leeds, { ...leeds, postcode: "M2 5BQ" }]).doubts).toEqual([])
  })

  it("is unlikely with a postcode of another country, unless the caller gave that address", () => {
    expect(judged({ postcode: "75008" }).doubts).toEqual(["UNUSUAL_POSTCODE"])
    expect(judged({ postcode: "75008" }, [{ ...leeds, postcode: "75008" }]).doubts).toEqual([])
  })

  it.each(["PO Box 12", "P.O. Box 12", "po box 12", "P O Box 12"])("is unlikely at %s", (street) => {
    expect(judged({ street }).doubts).toEqual(["PO_BOX"])
  })

  it.each(["Boxley Road", "Depot Box Lane"])("may be in %s", (street) => {
    expect(judged({ street }).doubts).toEqual([])
  })
})
