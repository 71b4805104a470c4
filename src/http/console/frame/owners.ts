/** Who is shown the forms that only an owner may send. The operations that the forms ask judge it again. */
import { problem } from "../../server/answers/problems.ts"
import type { ConsoleUser } from "./consolePage.ts"

/** The operator may do what an owner may. */
export const isOwner = ({ asker }: Pick<ConsoleUser, "asker">): boolean =>
  asker._tag === "Operator" || asker.role === "OWNER"

/** What a page says that is about nothing but a change. */
export const ownersOnly = () =>
  problem("ROLE_NOT_PERMITTED", "role", "Only an owner of the company may do this. The page Team says who they are.")
