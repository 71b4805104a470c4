/** The names that the audit log gives to people: `operator`, and `member:` with the member's id. It never names an address. */
import { uuid } from "../../schema/uuid.ts"

const prefix = "member:"

/** The id of the member whom the name means; null: the name means somebody else. */
export const memberOfActor = (actor: string): string | null => {
  const id = actor.startsWith(prefix) ? actor.slice(prefix.length) : ""
  return uuid.test(id) ? id : null
}
