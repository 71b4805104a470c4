/** When a customer's session ends, for the script of every page. */
import { Effect } from "effect"
import { Sessions } from "../../../actors/customer/Sessions.ts"
import { sessionEndRoutesOf } from "../../server/pages/sessionEnd.ts"
import { sessionPath } from "../frame/sessionNote.ts"

export const sessionEndRoutes = sessionEndRoutesOf({
  path: sessionPath,
  cookie: "session",
  find: (secret, isUse) => Effect.flatMap(Sessions, ({ find }) => find(secret, isUse))
})
