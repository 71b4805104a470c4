/** When a customer's session ends, for the script of every page. */
import { Effect } from "effect"
import { Sessions } from "../../actors/customer/Sessions.ts"
import { sessionEndRoutesOf } from "../server/sessionEnd.ts"
import { sessionPath } from "./sessionNote.ts"

export const sessionEndRoutes = sessionEndRoutesOf({
  path: sessionPath,
  cookie: "session",
  find: (secret, isUse) => Effect.flatMap(Sessions, ({ find }) => find(secret, isUse))
})
