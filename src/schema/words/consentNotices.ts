/**
 * The versions of the notices that customers answer before faces are compared (D7): one constant for each text. The texts
 * stand in the rooms `consent.ts` of each language. A text that changes gets a new version here: a test compares each text with the
 * digest that its version had.
 */
import type { ConsentStep } from "../journey/consents.ts"
import type { Language } from "./locale/languages.ts"

/** What a notice is about: a comparison, or the withdrawal of every consent. */
export type NoticeKind = ConsentStep | "withdrawal"

export const noticeVersions: Readonly<Record<NoticeKind, Readonly<Record<Language, string>>>> = {
  identity: { en: "identity-2-en", cy: "identity-1-cy", pl: "identity-1-pl", ro: "identity-1-ro" },
  video: { en: "video-3-en", cy: "video-2-cy", pl: "video-2-pl", ro: "video-2-ro" },
  withdrawal: { en: "withdrawal-2-en", cy: "withdrawal-1-cy", pl: "withdrawal-1-pl", ro: "withdrawal-1-ro" }
}
