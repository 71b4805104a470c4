/**
 * A notice that a customer has answered is known by its version for ever: each version has the digest of its text. Who changes
 * a text gives it a new version and adds a line; no line is changed.
 */
import { hash } from "node:crypto"
import { describe, expect, it } from "vitest"
import { NoticeVersion } from "../../../src/schema/journey/consents.ts"
import { noticeVersions, type NoticeKind } from "../../../src/schema/words/consentNotices.ts"
import { languageCodes, type Language } from "../../../src/schema/words/locale/languages.ts"
import { wordsOf } from "../../../src/schema/words/words.ts"
import { Schema } from "effect"

/** Every number of days has its own form in some language. */
const days = [0, 1, 2, 3, 6, 30]

/** The text of a notice as customers of one company read it. */
const textOf = (kind: NoticeKind, language: Language): string => {
  const { consent } = wordsOf(language)
  const company = "Harbour Cars"
  if (kind === "withdrawal") {
    const { after, confirm, heading, what } = consent.withdrawal
    return [heading, what, after({ company }), confirm].join("\n")
  }
  const { agree, byWhom, choice, heading, howLong, intro, refuse, what } = consent[kind]
  const kept = days.map((count) => howLong({ days: count }))
  const headings = [consent.what, consent.byWhom, consent.howLong, consent.choice]
  return [heading, intro, ...headings, what, byWhom({ company }), ...kept, choice({ company }), agree, refuse].join(
    "\n"
  )
}

const digests: Readonly<Record<string, string>> = {
  "identity-1-en": "941ff14b9804a7b9",
  "identity-1-cy": "5b77dadf29158da8",
  "identity-1-pl": "02d3001fb44ac416",
  "identity-1-ro": "54b28a630390e5cd",
  "video-1-en": "af0dc532540c7474",
  "video-1-cy": "a919103685554c2e",
  "video-1-pl": "18b6661f15d6f6cf",
  "video-1-ro": "43d1c2ec07e3ed60",
  "video-2-en": "35966e43055477c9",
  "video-2-cy": "2e2138498cb6ebc7",
  "video-2-pl": "d198e1c5c41a494c",
  "video-2-ro": "10496f101b5ec887",
  "identity-2-en": "96ed49f6fb9c38f0",
  "video-3-en": "79ed80563d60f436",
  "withdrawal-2-en": "b6c311a9300ff338",
  "withdrawal-1-en": "d1d920a448be02b9",
  "withdrawal-1-cy": "170f89c09caf85fa",
  "withdrawal-1-pl": "c06ff7325e62bad7",
  "withdrawal-1-ro": "b62321b295536577"
}

const kinds: ReadonlyArray<NoticeKind> = ["identity", "video", "withdrawal"]
const notices = kinds.flatMap((kind) =>
  languageCodes.map((language) => ({ kind, language, version: noticeVersions[kind][language] }))
)

describe("a notice", () => {
  it.each(notices)("$version has the text that this version always had", ({ kind, language, version }) => {
    expect({ [version]: hash("sha256", textOf(kind, language)).slice(0, 16) }).toEqual({ [version]: digests[version] })
  })

  it("has a version of its own, which the journal takes", () => {
    expect(new Set(notices.map(({ version }) => version)).size).toBe(notices.length)
    for (const { version } of notices) expect(Schema.is(NoticeVersion)(version)).toBe(true)
  })

  it("names the company and the days it really keeps photos", () => {
    for (const { kind, language } of notices) {
      expect(textOf(kind, language)).toContain("Harbour Cars")
      if (kind !== "withdrawal") expect(textOf(kind, language)).toContain("30 ")
    }
  })
})
