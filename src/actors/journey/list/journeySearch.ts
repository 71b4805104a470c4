/** What a text that people search journeys by can mean, told by its form alone. How each is found is the store's business. */
import { uuid } from "../../../schema/uuid.ts"

/**
 * ID: of a journey or an event, a Request-Id, or an external reference that looks like one. EMAIL: of the customer. TEXT: an
 * external reference or its beginning, and with `isPersonal` a vehicle's registration as well.
 */
export type JourneySearch =
  | { readonly kind: "ID"; readonly id: string; readonly text: string }
  | { readonly kind: "EMAIL"; readonly email: string }
  | { readonly kind: "TEXT"; readonly text: string; readonly isPersonal: boolean }

/** `isPersonal`: whether the text may be personal, because it came in no URL. */
export const journeySearch = (given: string, isPersonal: boolean): JourneySearch => {
  const text = given.trim()
  const lower = text.toLowerCase()
  if (uuid.test(lower)) return { kind: "ID", id: lower, text }
  return isPersonal && text.includes("@") ? { kind: "EMAIL", email: lower } : { kind: "TEXT", text, isPersonal }
}
