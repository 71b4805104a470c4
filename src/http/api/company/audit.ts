/** The audit log as its company reads it: who changed or looked at what, and when. Each change writes its own line, where it is made. */
import { Effect, Schema } from "effect"
import { HttpApiEndpoint } from "effect/http-api"
import { AuditLog } from "../../../actors/company/AuditLog.ts"
import { AuditCheckQuery, AuditCheckResource } from "../../../schema/company/AuditCheck.ts"
import { AuditEntryResource, auditEntryResource } from "../../../schema/company/AuditEntry.ts"
import { companyLimits } from "../../../schema/company/limits.ts"
import { exampleOf } from "../../../schema/model.ts"
import { pieceQuery, SerialCursor, spanOf, spanQuery } from "../../../schema/decoding/parameters.ts"
import { text } from "../../../schema/decoding/text.ts"
import { Asker } from "../../server/endpoints/Asker.ts"
import { ofAnyCompany } from "../../server/answers/commonRefusals.ts"
import { answer, described, pieceAnswer } from "../../server/endpoints/described.ts"
import { answerOf, refusedWith } from "../../server/answers/envelope.ts"
import { problem } from "../../server/answers/problems.ts"
import { pieceAsked } from "../../server/endpoints/query.ts"
import { operatorResource } from "../../server/endpoints/serve.ts"
import { addressForCompany, formerMember, isDoneByDealer } from "../../../actors/members/memberActor.ts"
import { actorNames } from "../frame/actorNames.ts"
import { companyAsked, companyPath, ofCompany, pieces } from "../frame/ofCompany.ts"

const { longestActor, longestAuditAction } = companyLimits

const AuditQuery = Schema.Struct({
  action: Schema.optionalKey(
    text(longestAuditAction).annotate({ description: "Only this action, such as wallet.credited" })
  ),
  actor: Schema.optionalKey(
    text(longestActor).annotate({ description: "Only what this one did: operator, service, member:{id} ..." })
  ),
  ...spanQuery,
  ...pieceQuery(SerialCursor)
})

const listChanges = HttpApiEndpoint.get("listChanges", `${companyPath}/audit`, {
  params: ofCompany,
  query: AuditQuery,
  success: pieces("AuditPage", AuditEntryResource),
  error: refusedWith(ofAnyCompany, "VALIDATION_FAILED")
}).annotateMerge(
  described({
    summary: "List changes",
    allowedTo: "TEAM",
    description:
      "The audit log, newest first: who changed what, who looked at what, and when. It never holds a secret. Go on with `next` as `cursor` until it is null.",
    answer: pieceAnswer("Audit log", exampleOf(AuditEntryResource))
  })
)

const checkAudit = HttpApiEndpoint.get("checkAudit", `${companyPath}/audit/check`, {
  params: ofCompany,
  query: AuditCheckQuery,
  success: answerOf("AuditCheckAnswer", AuditCheckResource),
  error: refusedWith(ofAnyCompany, "VALIDATION_FAILED")
}).annotateMerge(
  described({
    summary: "Check the audit log",
    allowedTo: "TEAM",
    description:
      "Each line of the log has a number and a hash over the line before it and its own content. Says the first line that does not hold, so a line that was changed or taken out in the database is found. One answer checks some thousand lines: go on with `number` and `hash`, always both, until `isEnd`.",
    answer: answer("What was found", "Audit log checked", exampleOf(AuditCheckResource))
  })
)

const unnamed = (action: string): string => (isDoneByDealer(action) ? "somebody of the named dealer" : formerMember)

export const auditOperations = operatorResource([listChanges, checkAudit], {
  listChanges: (asked) =>
    Effect.gen(function* () {
      const { id } = yield* companyAsked(asked)
      const query = yield* asked.query
      const { action = null, actor = null } = query
      const log = yield* AuditLog
      const asker = yield* Asker
      const filter = { action, actor, ...spanOf(query) }
      const { content, next } = yield* log.list(id, filter, pieceAsked(query))
      const nameOf = yield* actorNames(
        id,
        content.map((entry) => entry.actor)
      )
      return {
        content: content.map((entry) =>
          auditEntryResource(entry, {
            actorName: nameOf(entry.actor) ?? unnamed(entry.action),
            ipAddress: asker._tag === "Member" ? addressForCompany(entry) : entry.ipAddress
          })
        ),
        next
      }
    }),

  checkAudit: (asked) =>
    Effect.gen(function* () {
      const { id } = yield* companyAsked(asked)
      const { hash = null, number } = yield* asked.query
      // Without the hash of its line nothing of what lies before would be compared, and a log that was written anew would hold.
      if ((hash === null) !== (number === undefined)) {
        const missing = hash === null ? "hash" : "number"
        return yield* problem("VALIDATION_FAILED", missing, "number and hash belong together: send both, or neither")
      }
      const log = yield* AuditLog
      const { last, ...found } = yield* log.check(id, number === undefined ? null : { number, hash })
      return { ...found, number: last?.number ?? number ?? null, hash: last?.hash ?? hash }
    })
})
