/**
 * Where the members of a company are signed in, and the passkeys that they sign in with. Everybody sees and ends their own; an owner
 * those of everybody in the company. A passkey is added by whoever holds it, in a browser.
 */
import { Duration, Effect, Schema } from "effect"
import { HttpApiEndpoint, HttpApiSchema } from "effect/http-api"
import { Ids } from "../../../actors/kernel/Ids.ts"
import { memberLimits } from "../../../actors/members/limits.ts"
import { Members } from "../../../actors/members/Members.ts"
import { Passkeys } from "../../../actors/members/Passkeys.ts"
import {
  type MemberSession,
  MemberSessionResource,
  memberSessionResource
} from "../../../schema/members/MemberSession.ts"
import { exampleOfPasskeyBody, PasskeyBody, PasskeyResource, passkeyResource } from "../../../schema/members/Passkey.ts"
import { exampleOf } from "../../../schema/model.ts"
import { timestamp } from "../../../schema/moment.ts"
import {
  ConsoleSessionIdParameter,
  MemberIdParameter,
  PasskeyIdParameter,
  naming,
  PageQuery
} from "../../../schema/decoding/parameters.ts"
import { Asker } from "../../server/endpoints/Asker.ts"
import { ofAnyBody, ofAnyCompany } from "../../server/answers/commonRefusals.ts"
import { answer, described, jsonExample, OptionalBody, pageAnswer } from "../../server/endpoints/described.ts"
import { answerOf, refusedWith } from "../../server/answers/envelope.ts"
import { problem } from "../../server/answers/problems.ts"
import { pageAsked, pageOf } from "../../server/endpoints/query.ts"
import { operatorResource } from "../../server/endpoints/serve.ts"
import { auditLine, written } from "../frame/change.ts"
import { signedInLately, signInFreshOrRefused } from "../frame/freshSignIn.ts"
import { companyAsked, companyPath, notFound, ofCompany, pages, type AsksForIds } from "../frame/ofCompany.ts"
import { addedPasskey, optionsToAdd, PasskeyOptions, passkeySiteOrRefused } from "../frame/webauthn.ts"
import { PasskeyId, type CompanyId } from "../../../schema/ids.ts"

const sessionsPath = `${companyPath}/sessions` as const
const passkeysPath = `${companyPath}/members/:memberId/passkeys` as const
const PasskeyAnswer = answerOf("PasskeyAnswer", PasskeyResource)
const memberId = MemberIdParameter.annotate({ description: "The member's id", ...naming("member") })

const listSessions = HttpApiEndpoint.get("listSessions", sessionsPath, {
  params: ofCompany,
  query: PageQuery,
  success: pages("MemberSessionPage", MemberSessionResource),
  error: refusedWith(ofAnyCompany, "VALIDATION_FAILED")
}).annotateMerge(
  described({
    allowedTo: "TEAM",
    summary: "List sessions",
    description:
      "Where members are signed in to the company's console, the last seen first. A member of the team sees their own sessions.",
    answer: pageAnswer("Sessions", exampleOf(MemberSessionResource))
  })
)

const endSession = HttpApiEndpoint.delete("endSession", `${sessionsPath}/:sessionId`, {
  params: {
    ...ofCompany,
    sessionId: ConsoleSessionIdParameter.annotate({ description: "The session's id", ...naming("session") })
  },
  success: answerOf("MemberSessionAnswer", MemberSessionResource),
  error: refusedWith(ofAnyCompany, "SIGN_IN_AGAIN")
}).annotateMerge(
  described({
    allowedTo: "TEAM",
    summary: "End a session",
    description: `At once and on every node. A member of the team ends their own sessions only. A member must have ${signedInLately}.`,
    answer: answer("The session that was ended", "Session ended", exampleOf(MemberSessionResource))
  })
)

const endSessions = HttpApiEndpoint.delete("endSessions", `${companyPath}/members/:memberId/sessions`, {
  params: { ...ofCompany, memberId },
  success: answerOf("EndedSessionsAnswer", Schema.Array(MemberSessionResource)),
  error: refusedWith(ofAnyCompany, "SIGN_IN_AGAIN")
}).annotateMerge(
  described({
    allowedTo: "TEAM",
    summary: "End a member's sessions",
    description: `All of them at once, on every node: after a lost telephone, or a changed passkey. The session that asks goes on. A member of the team ends their own sessions only. A member must have ${signedInLately}.`,
    answer: answer("The sessions that were ended, the last seen first", "Sessions ended", [
      exampleOf(MemberSessionResource)
    ])
  })
)

const listPasskeys = HttpApiEndpoint.get("listPasskeys", passkeysPath, {
  params: { ...ofCompany, memberId },
  success: answerOf("PasskeysAnswer", Schema.Array(PasskeyResource)),
  error: refusedWith(ofAnyCompany)
}).annotateMerge(
  described({
    allowedTo: "TEAM",
    summary: "List a member's passkeys",
    description:
      "With a passkey, a mailed link alone signs in nobody. Members add their own; a company may demand one (`passkeysRequired`). A member of the team sees their own.",
    answer: answer("The passkeys, the oldest first", "Passkeys", [exampleOf(PasskeyResource)])
  })
)

const removePasskey = HttpApiEndpoint.delete("removePasskey", `${passkeysPath}/:passkeyId`, {
  params: {
    ...ofCompany,
    memberId,
    passkeyId: PasskeyIdParameter.annotate({ description: "The passkey's id", ...naming("passkey") })
  },
  success: PasskeyAnswer,
  error: refusedWith(ofAnyCompany, "SIGN_IN_AGAIN")
}).annotateMerge(
  described({
    allowedTo: "TEAM",
    summary: "Remove a passkey",
    description: `Such as that of a lost telephone. An owner removes anybody's; a member of the team their own only. A member must have ${signedInLately}. The sessions of whom the passkey belongs to go on.`,
    answer: answer("The passkey that was removed", "Passkey removed", exampleOf(PasskeyResource))
  })
)

const ofOwn = { ...ofCompany, memberId }

const preparePasskey = HttpApiEndpoint.post("preparePasskey", `${passkeysPath}/options`, {
  params: ofOwn,
  success: answerOf("PasskeyOptionsAnswer", PasskeyOptions),
  error: refusedWith(ofAnyCompany, "SIGN_IN_AGAIN", "CONFLICT")
})
  .annotateMerge(
    described({
      allowedTo: "TEAM",
      summary: "Begin to add a passkey",
      description: `What the browser is to ask its authenticator (WebAuthn, \`PublicKeyCredentialCreationOptions\` as JSON). Each member for themselves, in a session that ${signedInLately}: the challenge belongs to it, for ${Duration.toMinutes(memberLimits.challengeLifetime)} minutes. There is no command for it, because the authenticator is the browser's.`,
      answer: answer("What to ask the authenticator", "Ask the authenticator", {
        challenge: "k3gVYvYlWkqYtYqVb2lXJ1mMz0a8mWcF8pC7xq9Qd5E",
        rp: { name: "Journeys", id: "journeys.example" },
        user: { id: "MDE5N2EwMDA", name: "ann@harbourcars.example", displayName: "" },
        pubKeyCredParams: [{ alg: -7, type: "public-key" }],
        timeout: 300_000,
        attestation: "none",
        excludeCredentials: []
      } satisfies typeof PasskeyOptions.Type)
    })
  )
  .annotate(OptionalBody, true)

const addPasskey = HttpApiEndpoint.post("addPasskey", passkeysPath, {
  params: ofOwn,
  payload: PasskeyBody,
  success: PasskeyAnswer.pipe(HttpApiSchema.status(201)),
  error: refusedWith(ofAnyCompany, ...ofAnyBody, "CONFLICT")
}).annotateMerge(
  described({
    allowedTo: "TEAM",
    summary: "Add a passkey",
    description:
      "With the authenticator's answer to what `preparePasskey` gave. From the next sign-in on, a mailed link alone is not enough. Each member for themselves; the operator has none.",
    request: jsonExample("The answer of a telephone, shortened", exampleOfPasskeyBody),
    answer: answer("The passkey", "Passkey added", { ...exampleOf(PasskeyResource), usedAt: null })
  })
)

/** The member of the path, if it is the member who asks. */
const selfAsked = Effect.fnUntraced(function* (asked: AsksForIds<"companyId" | "memberId">) {
  const { id: companyId } = yield* companyAsked(asked)
  const id = yield* asked.path("memberId")
  const members = yield* Members
  if ((yield* members.find(companyId, id)) === null) return yield* notFound("member")
  const asker = yield* Asker
  if (asker._tag === "Member" && asker.memberId === id) return asker
  return yield* problem("ROLE_NOT_PERMITTED", "role", "A passkey is added by the member who holds it")
})

/** Whose things the asker may see and end; null: everybody's in the company. */
const ownOnly = Effect.map(Asker, (asker) =>
  asker._tag === "Operator" || asker.role === "OWNER" ? null : asker.memberId
)

/** The member of the path, as far as the asker may see what the member signs in with. */
const memberAsked = Effect.fnUntraced(function* (asked: AsksForIds<"companyId" | "memberId">) {
  const { id: companyId } = yield* companyAsked(asked)
  const id = yield* asked.path("memberId")
  const members = yield* Members
  const member = (yield* members.find(companyId, id)) ?? (yield* notFound("member"))
  const own = yield* ownOnly
  if (own !== null && own !== member.id) {
    return yield* problem("ROLE_NOT_PERMITTED", "role", "Only an owner of the company sees how other people sign in")
  }
  return member
})

const endOne = Effect.fnUntraced(function* (companyId: CompanyId, { id: sessionId, memberId: holder }: MemberSession) {
  const members = yield* Members
  const line = yield* auditLine("session.ended", { memberId: holder, sessionId })
  yield* written(members.endSession(companyId, sessionId, line))
})

export const memberSessionOperations = operatorResource(
  [listSessions, endSession, endSessions, listPasskeys, preparePasskey, addPasskey, removePasskey],
  {
    listSessions: (asked) =>
      Effect.gen(function* () {
        const { id } = yield* companyAsked(asked)
        const page = pageAsked(yield* asked.query)
        const members = yield* Members
        return pageOf(page, yield* members.sessions(id, yield* ownOnly, page), memberSessionResource)
      }),

    endSession: (asked) =>
      Effect.gen(function* () {
        const { id: companyId } = yield* companyAsked(asked)
        const sessionId = yield* asked.path("sessionId")
        const members = yield* Members
        const session = yield* members.findSession(companyId, sessionId)
        const own = yield* ownOnly
        // To somebody of the team, other people's sessions are as unknown as no session.
        if (session === null || (own !== null && own !== session.memberId)) return yield* notFound("session")
        yield* signInFreshOrRefused
        yield* endOne(companyId, session)
        return memberSessionResource(session)
      }),

    endSessions: (asked) =>
      Effect.gen(function* () {
        const { companyId, id } = yield* memberAsked(asked)
        yield* signInFreshOrRefused
        const asker = yield* Asker
        const asks = asker._tag === "Member" ? asker.sessionId : null
        const members = yield* Members
        const all = yield* members.sessions(companyId, id, { page: 0, size: memberLimits.mostSessions })
        const others = all.content.filter((session) => session.id !== asks)
        yield* Effect.forEach(others, (session) => endOne(companyId, session), { discard: true })
        return others.map(memberSessionResource)
      }),

    listPasskeys: (asked) =>
      Effect.gen(function* () {
        const { companyId, id } = yield* memberAsked(asked)
        const passkeys = yield* Passkeys
        return (yield* passkeys.list(companyId, id)).map(passkeyResource)
      }),

    preparePasskey: (asked) =>
      Effect.gen(function* () {
        const member = yield* selfAsked(asked)
        yield* signInFreshOrRefused
        return yield* optionsToAdd(yield* passkeySiteOrRefused("passkey"), member)
      }),

    addPasskey: (asked) =>
      Effect.gen(function* () {
        // Whoever has a challenge to answer had just signed in when they got it.
        const member = yield* selfAsked(asked)
        const { answer: signed, name } = yield* asked.body
        const credential = yield* addedPasskey(yield* passkeySiteOrRefused("passkey"), member.sessionId, signed)
        if (credential === null) {
          return yield* problem("VALIDATION_FAILED", "answer", "The passkey was not accepted. Please try again.")
        }
        const passkeys = yield* Passkeys
        const { companyId, memberId: holder } = member
        const id = PasskeyId.make((yield* Ids).next())
        const line = yield* auditLine("passkey.added", { memberId: holder, passkeyId: id })
        const added = { ...credential, id, memberId: holder, name }
        switch (yield* written(passkeys.add(companyId, added, member.sessionId, line))) {
          case "THERE":
            return yield* problem("CONFLICT", "passkey", "This passkey is here already")
          case "FULL":
            return yield* problem(
              "CONFLICT",
              "passkey",
              `You have ${memberLimits.mostPasskeys} passkeys: remove one first`
            )
          case "ADDED":
            return { id, memberId: holder, name, addedAt: timestamp(line.at), usedAt: null }
        }
      }),

    removePasskey: (asked) =>
      Effect.gen(function* () {
        const { companyId, id } = yield* memberAsked(asked)
        yield* signInFreshOrRefused
        const passkeyId = yield* asked.path("passkeyId")
        const passkeys = yield* Passkeys
        const line = yield* auditLine("passkey.removed", { memberId: id, passkeyId })
        const removed = yield* written(passkeys.remove(companyId, id, passkeyId, line))
        return passkeyResource(removed ?? (yield* notFound("passkey")))
      })
  }
)
