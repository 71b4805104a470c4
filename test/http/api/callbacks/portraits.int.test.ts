/** What an identity provider sends beside its result: a portrait, reasons, and its own page (decision D6). */
import { Effect } from "effect"
import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { ReferenceFace } from "../../../../src/actors/checks/video/ReferenceFace.ts"
import { JourneyId } from "../../../../src/schema/ids.ts"
import { callbackLimits } from "../../../../src/schema/requests/limits.ts"
import { askSettings, type Answer } from "../../../support/companies.ts"
import { becomes, read, requestIdOf, startLive } from "../../../support/providerRequests.ts"
import { startProvidedService, type Provided } from "../../../support/providedService.ts"
import { encodeJpeg } from "../../../../src/runtime/faces/photos/encodeJpeg.ts"
import { background, cutOut } from "../../../runtime/faces/pictures.ts"
import { facePhoto, facePng } from "../../../support/photos.ts"
import { decide } from "../settings/reviewGround.ts"

let provided: Provided
let service: Provided["service"]
let identity: Provided["identity"]
let company: Provided["company"]
beforeAll(async () => {
  provided = await startProvidedService()
  ;({ company, identity, service } = provided)
})
afterAll(() => provided.stop())

const codeOf = (answer: Answer) => [answer.status, answer.errors?.[0]?.code ?? null, answer.errors?.[0]?.field ?? null]
const ok = [200, null, null]

const checking = async () => {
  const journeyId = await startLive(service, company, "IDENTITY_DELIVERY")
  await becomes(service, company, journeyId, (it) => it.identity.status === "REQUESTED")
  return { journeyId, checkId: await requestIdOf(service, journeyId, "IDENTITY") }
}

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64")
const portrait = base64(facePhoto())

/** A JPEG of a wall. */
const facelessPhoto = async (): Promise<string> => {
  const { height, pixels, width } = await cutOut(background)
  return base64(encodeJpeg({ height, width, pixels: new Uint8Array(pixels) }))
}

const referenceOf = (journeyId: string) =>
  service.run(Effect.flatMap(ReferenceFace, (faces) => faces.of(JourneyId.make(journeyId))))

const keptOf = async (journeyId: string) => {
  const [row] = await service.query<{ readonly portrait: Uint8Array | null; readonly url: Uint8Array | null }>(
    "select sealed_portrait as portrait, sealed_review_url as url from provider_results where journey_id = $1",
    [journeyId]
  )
  return row ?? null
}

const notesOf = async (journeyId: string) =>
  (await askSettings(service, `/companies/${company.id}/journeys/${journeyId}/timeline`)).data.content.flatMap(
    ({ note }: { readonly note: string | null }) => (note === null ? [] : [note])
  )

const reviewOf = async (journeyId: string) => {
  const { content } = (await askSettings(service, `/companies/${company.id}/reviews?size=100`)).data
  const { id } = content.find((one: { readonly journeyId: string }) => one.journeyId === journeyId)
  return (await askSettings(service, `/companies/${company.id}/reviews/${id}`)).data
}

describe("a portrait", () => {
  it("of a verified customer is cleaned, sealed, and becomes what the video is compared with", async () => {
    const { checkId, journeyId } = await checking()
    expect(codeOf(await identity.report(service, checkId, "VERIFIED", "r", { beside: { portrait } }))).toEqual(ok)
    expect((await read(service, company, journeyId)).identity).toMatchObject({
      status: "VERIFIED",
      assurance: "PROVIDER"
    })
    const reference = Buffer.from((await referenceOf(journeyId))?.photo ?? [])
    expect(reference.subarray(0, 2)).toEqual(Buffer.from([0xff, 0xd8]))
    expect(reference.equals(facePhoto())).toBe(false)
    const kept = await keptOf(journeyId)
    expect(Buffer.from(kept?.portrait ?? []).includes(Buffer.from([0xff, 0xd8, 0xff]))).toBe(false)
    expect(await notesOf(journeyId)).toEqual([])
  })

  it.each([
    ["no base64", "%%%%", "is not in base64"],
    ["base64 of an odd length", portrait.slice(0, -1), "is not in base64"],
    ["empty", "", "is not in base64"],
    ["a PNG", base64(facePng()), "is no JPEG image"],
    ["text", base64(Buffer.from("a face, I swear")), "is no JPEG image"],
    ["cut off", base64(facePhoto().subarray(0, 500)), "must be a whole and undamaged JPEG image"],
    ["without a face", null, "shows no face"],
    [
      "too large",
      base64(Buffer.concat([facePhoto(), Buffer.alloc(callbackLimits.largestPortraitBytes)])).slice(0, 1_402_000),
      "has more than 1048576 bytes"
    ]
  ])("that is %s never loses the result: the team reads why it was not kept", async (_what, given, rule) => {
    const sent = given ?? (await facelessPhoto())
    const { checkId, journeyId } = await checking()
    const answer = await identity.report(service, checkId, "VERIFIED", "r", { beside: { portrait: sent } })
    expect(codeOf(answer)).toEqual(ok)
    expect((await read(service, company, journeyId)).identity.status).toBe("VERIFIED")
    expect(await keptOf(journeyId)).toBeNull()
    expect(await notesOf(journeyId)).toEqual([`The provider's portrait was not kept: it ${rule}.`])
    expect(await referenceOf(journeyId)).toBeNull()
  })

  it("of 1 MB is taken, and a body that can hold nothing but a larger one is refused whole", async () => {
    const { checkId, journeyId } = await checking()
    const full = Buffer.concat([facePhoto(), Buffer.alloc(callbackLimits.largestPortraitBytes - facePhoto().length)])
    const beside = { portrait: base64(full) }
    const huge = { portrait: "A".repeat(1_500_000) }
    const refused = await identity.report(service, checkId, "VERIFIED", "huge", { beside: huge })
    expect(codeOf(refused)).toEqual([413, "PAYLOAD_TOO_LARGE", "body"])
    expect(codeOf(await identity.report(service, checkId, "VERIFIED", "r", { beside }))).toEqual(ok)
    expect(await referenceOf(journeyId)).not.toBeNull()
  })

  it("of a failed check, and of a result that the journey does not take, is not kept", async () => {
    const { checkId, journeyId } = await checking()
    await identity.report(service, checkId, "FAILED", "a", { beside: { portrait } })
    expect(await keptOf(journeyId)).toBeNull()
    await identity.report(service, checkId, "VERIFIED", "b")
    expect(codeOf(await identity.report(service, checkId, "VERIFIED", "c", { beside: { portrait } }))).toEqual(ok)
    expect(await keptOf(journeyId)).toBeNull()
  })

  it.each(["WITHDRAWN", "REFUSED"])(
    "is not looked at once the customer has said no to any comparison: %s",
    async (answer) => {
      const { checkId, journeyId } = await checking()
      const saidNo = { video: { answer, notice: "video-1-en", at: 0 } }
      await service.query(
        "update journeys set version = version + 1, state = jsonb_set(state::jsonb, '{consents}', $2::text::jsonb)::json where id = $1",
        [journeyId, JSON.stringify(saidNo)]
      )
      expect(codeOf(await identity.report(service, checkId, "VERIFIED", "r", { beside: { portrait } }))).toEqual(ok)
      expect(await keptOf(journeyId)).toBeNull()
      expect(await notesOf(journeyId)).toEqual([expect.stringContaining("does not agree to compare")])
    }
  )

  it("counts with the callback that brought it, however often that callback comes", async () => {
    const { checkId, journeyId } = await checking()
    const report = () => identity.report(service, checkId, "VERIFIED", "r", { beside: { portrait } })
    const answers = await Promise.all([report(), report(), report()])
    expect(answers.map(codeOf)).toEqual([ok, ok, ok])
    expect(await referenceOf(journeyId)).not.toBeNull()
    expect(await service.query("select from provider_results where journey_id = $1", [journeyId])).toHaveLength(1)
  })

  it("stays when another body comes under the id of its callback, of which a node that was killed wrote down no outcome", async () => {
    const { checkId, journeyId } = await checking()
    await identity.report(service, checkId, "VERIFIED", "r", { beside: { portrait } })
    await service.query("update provider_callbacks set outcome = null where request_id = $1", [checkId])
    expect(codeOf(await identity.report(service, checkId, "UNDER_REVIEW", "r"))).toEqual(ok)
    expect((await read(service, company, journeyId)).identity.status).toBe("VERIFIED")
    expect(await referenceOf(journeyId)).not.toBeNull()
  })
})

describe("a check that the provider does not decide", () => {
  const reasons = ["NAME_DIFFERS", "X9_DOC_EXPIRING"]
  const reviewUrl = "https://provider.example/reviews/canary-7781#check"

  it.each(["UNDER_REVIEW", "VERIFIED"] as const)(
    "because the name differs waits for the team with what the provider said of it, also when it says %s",
    async (result) => {
      const { checkId, journeyId } = await checking()
      const beside = { reasons, reviewUrl, portrait }
      expect(codeOf(await identity.report(service, checkId, result, "r", { beside }))).toEqual(ok)
      expect((await read(service, company, journeyId)).identity.status).toBe("UNDER_REVIEW")
      const review = await reviewOf(journeyId)
      expect(review).toMatchObject({ kind: "IDENTITY", open: true, reasons, reviewUrl })
      expect(review.pictures.map(({ name }: { readonly name: string }) => name)).toEqual(["portrait"])
      expect(Buffer.from((await keptOf(journeyId))?.url ?? []).toString("latin1")).not.toContain("canary")

      expect((await decide(service, company, review.id)).status).toBe(200)
      const after = (await askSettings(service, `/companies/${company.id}/reviews/${review.id}`)).data
      expect(after).toMatchObject({ open: false, reasons: [], reviewUrl: null, pictures: [] })
      expect((await read(service, company, journeyId)).identity.status).toBe("VERIFIED")
      expect(await referenceOf(journeyId)).not.toBeNull()
    }
  )

  it("is compared with the portrait of its review when the provider verifies the customer later without one", async () => {
    const { checkId, journeyId } = await checking()
    const report = (result: "UNDER_REVIEW" | "VERIFIED", id: string, beside: object) =>
      identity.report(service, checkId, result, id, { beside })
    expect(codeOf(await report("UNDER_REVIEW", "a", { portrait }))).toEqual(ok)
    expect(await referenceOf(journeyId)).toBeNull()
    expect(codeOf(await report("VERIFIED", "b", {}))).toEqual(ok)
    expect((await read(service, company, journeyId)).identity.status).toBe("VERIFIED")
    expect((await referenceOf(journeyId))?.name).toBe("portrait")
  })

  it("and does not say why is the provider's decision", async () => {
    const { checkId, journeyId } = await checking()
    await identity.report(service, checkId, "UNDER_REVIEW", "r")
    expect(await reviewOf(journeyId)).toMatchObject({ reasons: ["PROVIDER_DECISION"], reviewUrl: null, pictures: [] })
  })
})

it("refuses a body that is none of this kind, and one about another check, without a trace", async () => {
  const { checkId, journeyId } = await checking()
  const wrong: ReadonlyArray<readonly [object, string]> = [
    [{ checkId: randomUUID() }, "checkId"],
    [{ checkId: undefined }, "checkId"],
    [{ reasons: "NAME_DIFFERS" }, "reasons"],
    [{ reasons: ["name differs"] }, "reasons[0]"],
    [{ reasons: Array.from({ length: 11 }, () => "A") }, "reasons"],
    [{ reasons: ["A".repeat(65)] }, "reasons[0]"],
    [{ reviewUrl: "javascript:alert(1)" }, "reviewUrl"],
    [{ reviewUrl: "https://user@provider.example/" }, "reviewUrl"],
    [{ reviewUrl: `https://provider.example/${"x".repeat(2048)}` }, "reviewUrl"],
    [{ portrait: 7 }, "portrait"],
    [{ name: "Owen" }, "name"]
  ]
  for (const [beside, field] of wrong) {
    const answer = await identity.report(service, checkId, "VERIFIED", "r", { beside })
    expect([beside, ...codeOf(answer)]).toEqual([beside, 400, "VALIDATION_FAILED", field])
  }
  expect((await read(service, company, journeyId)).identity.status).toBe("REQUESTED")
  expect(await keptOf(journeyId)).toBeNull()
})
