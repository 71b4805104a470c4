/** Attempts at the built-in identity check with real faces and a real reader: what counts as a document, and whose it is (D6). */
import { Effect } from "effect"
import { Jimp } from "jimp"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { afterAll, beforeAll, expect, it } from "vitest"
import { IdentityAttempts } from "../../../src/actors/checks/identity/IdentityAttempts.ts"
import { JourneyId } from "../../../src/schema/ids.ts"
import { ask, makeCompany, type TestCompany } from "../../support/companies.ts"
import { agreeTo } from "../../support/consents.ts"
import { cardOfFacePhoto, documentPhoto, facePhoto } from "../../support/photos.ts"
import { read, startLive } from "../../support/providerRequests.ts"
import { operatorToken, startService, type Service } from "../../support/service.ts"

let service: Service
let company: TestCompany
beforeAll(async () => {
  service = await startService()
  company = await makeCompany(service, { credits: 1000, settings: { identityProvider: { kind: "BUILT_IN" } } })
})
afterAll(() => service.stop())

const attempted = async (document: Uint8Array, selfie: Uint8Array) => {
  const journeyId = await startLive(service, company, "IDENTITY_DELIVERY")
  await agreeTo(service, journeyId, "identity")
  const outcome = await service.run(
    Effect.flatMap(IdentityAttempts, (attempts) =>
      attempts.attempt(JourneyId.make(journeyId), { documentPhoto: document, selfie })
    )
  )
  const [row] = await service.query<{ readonly reasons: ReadonlyArray<string> | null }>(
    "select state -> 'identity' -> 'reasons' as reasons from journeys where id = $1",
    [journeyId]
  )
  return {
    journeyId,
    outcome,
    reasons: row?.reasons ?? null,
    identity: (await read(service, company, journeyId)).identity
  }
}

const sample = (number: number) =>
  Jimp.read(
    join(
      dirname(createRequire(import.meta.url).resolve("@vladmandic/face-api/package.json")),
      `demo/sample${number}.jpg`
    )
  )

/** The portrait of the card: another picture of the selfie's person, without a word around it. */
const secondPhoto = async (): Promise<Uint8Array> => {
  const card = await Jimp.read(documentPhoto())
  return card.crop({ x: 140, y: 215, w: 310, h: 324 }).getBuffer("image/jpeg", { quality: 85 })
}

/** The photo before a wall, so that its face is as small as one on a document. */
const atWall = async (photo: Uint8Array): Promise<Uint8Array> => {
  const wall = new Jimp({ width: 1200, height: 1200, color: 0x9a9088ff })
  wall.composite(await Jimp.read(Buffer.from(photo)), 300, 300)
  return wall.getBuffer("image/jpeg", { quality: 80 })
}

it.each([
  ["from near", false],
  ["from further away", true]
])(
  "a second photo of the same person, taken %s, is no document: a person decides, and reads why",
  { timeout: 120_000 },
  async (_, isFar) => {
    const photo = await secondPhoto()
    const { identity, outcome, reasons } = await attempted(isFar ? await atWall(photo) : photo, facePhoto())
    expect([outcome, identity.status, reasons]).toEqual([{ _tag: "UNDER_REVIEW" }, "UNDER_REVIEW", ["NO_DOCUMENT"]])
  }
)

it("a card without machine-readable lines verifies with FACE_MATCH", { timeout: 120_000 }, async () => {
  const { identity, outcome } = await attempted(documentPhoto(), facePhoto())
  expect([outcome, identity.status, identity.assurance]).toEqual([{ _tag: "VERIFIED" }, "VERIFIED", "FACE_MATCH"])
})

it("a card that was made around the selfie itself fails, however askew it lies", { timeout: 120_000 }, async () => {
  const { identity, outcome } = await attempted(cardOfFacePhoto(), facePhoto())
  expect([outcome, identity.status]).toEqual([{ _tag: "FAILED", reason: "SAME_PICTURE" }, "FAILED"])
})

/** Makes another picture of the same person: the middle of the face moves beside the rest, as when a head turns. */
const turnALittle = ({
  data,
  height,
  width
}: {
  readonly data: Buffer
  readonly height: number
  readonly width: number
}) => {
  const before = Buffer.from(data)
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const near = Math.exp(-(((x - 0.51 * width) / 80) ** 2) - ((y - 0.48 * height) / 110) ** 2)
      const atMouth = Math.exp(-(((x - 0.51 * width) / 60) ** 2) - ((y - 0.59 * height) / 35) ** 2)
      const [column, row] = [Math.max(0, Math.round(x - 28 * near)), Math.round(y + 16 * atMouth)]
      const from = (row * width + column) * 4
      before.copy(data, (y * width + x) * 4, from, from + 4)
    }
  }
}

/** Somebody with another person's card, and a selfie of the same person. */
const holderOfCard = async (): Promise<readonly [held: Uint8Array, selfie: Uint8Array]> => {
  const face = (await sample(1)).crop({ x: 1300, y: 60, w: 540, h: 540 })
  const held = new Jimp({ width: 1900, height: 1400, color: 0x9a9088ff })
  held.composite(face.clone().resize({ w: 1380, h: 1380 }), 515, 10)
  held.composite((await Jimp.read(cardOfFacePhoto())).resize({ w: 900, h: 675 }), 10, 10)
  turnALittle(face.bitmap)
  return [await held.getBuffer("image/jpeg", { quality: 85 }), await face.getBuffer("image/jpeg", { quality: 85 })]
}

it(
  "another person's card held beside the own face is nobody's proof: a person decides",
  { timeout: 120_000 },
  async () => {
    const { identity, outcome, reasons } = await attempted(...(await holderOfCard()))
    expect([outcome, identity.status, reasons]).toEqual([{ _tag: "UNDER_REVIEW" }, "UNDER_REVIEW", ["SEVERAL_PEOPLE"]])
  }
)

it("nothing of what was read is kept, also when a person must look", { timeout: 120_000 }, async () => {
  const { journeyId, reasons } = await attempted(await cardOfAnna(), facePhoto())
  expect(reasons).toContain("NAME_DIFFERS")
  const rows = await service.query<{ readonly all: string }>(
    `select concat((select state::text from journeys where id = $1), (select string_agg(to_jsonb(l)::text, '') from journal l where l.journey_id = $1),
      (select string_agg(to_jsonb(a)::text, '') from identity_attempts a where a.journey_id = $1)) as all`,
    [journeyId]
  )
  expect(rows[0]?.all).not.toMatch(/eriksson|23145890|740812/i)
  const answer = await ask(service, company.liveKey, `/api/v1/journeys/${journeyId}`)
  expect(JSON.stringify(answer)).not.toMatch(/eriksson/i)
})

it("the metrics count what became of the documents", async () => {
  const answer = await fetch(`${service.baseUrl}/metrics`, { headers: { authorization: `Bearer ${operatorToken}` } })
  const metrics = await answer.text()
  expect(metrics).toMatch(/journeys_document_seconds_count\{outcome="NOTHING"[^}]*\} 2\n/)
  expect(metrics).toMatch(/journeys_document_seconds_count\{outcome="IN_DOUBT"[^}]*\} 3\n/)
})

/** The specimen's card with another picture of the same face, so that the selfie is not the same picture. */
const cardOfAnna = async (): Promise<Uint8Array> => {
  const card = await Jimp.read(new URL("../../fixtures/documents/identityCard.jpg", import.meta.url).pathname)
  const portrait = await Jimp.read(Buffer.from(await secondPhoto()))
  portrait.resize({ w: 290, h: 303 })
  card.composite(portrait, 80, 150)
  return card.getBuffer("image/jpeg", { quality: 85 })
}
