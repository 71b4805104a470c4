/**
 * What a journey waits for, and what its caller's own key may do with it now. The rules that answer are those that decide the
 * calls; the rights of the key are added here, because the endpoints judge them before any journey is asked.
 */
import { Context, Effect, SchemaAST } from "effect"
import { HttpApiEndpoint } from "effect/http-api"
import type { KnownKey } from "../../../actors/company/Keyring.ts"
import { JourneyStore } from "../../../actors/journey/actor/JourneyStore.ts"
import { allowedCallsOfKeys } from "../../../actors/journey/rules/allowedCalls.ts"
import type { NewestEvents } from "../../../actors/journey/rules/awaited.ts"
import type { Journey } from "../../../actors/journey/rules/state/Journey.ts"
import { EventsOfJourney } from "../../../actors/review/EventsOfJourney.ts"
import { CallerActions, callsOfKeys, type CallOfKey } from "../../../schema/journey/actions.ts"
import { approvedJourney } from "../../documents/exampleJourneys.ts"
import { isPermitted } from "../../server/callers/authentication.ts"
import { ofAnyKey } from "../../server/answers/commonRefusals.ts"
import { answer, described, Permitted } from "../../server/endpoints/described.ts"
import { answerOf, refusedWith } from "../../server/answers/envelope.ts"
import { callerResource } from "../../server/endpoints/serve.ts"
import { journeyAsked, journeyNotFound, ofJourney, oneJourneyPath, read, scopeOf } from "../frame/asCaller.ts"
import { endpointOfCall } from "./journeyCalls.ts"
import { callsShown, waitsShown } from "./shownActions.ts"

/** The rights of a key. */
type Rights = Pick<KnownKey, "livemode" | "scopes">

/** The document that describes the bodies of these calls. */
const schemas = "/openapi.json#/components/schemas"

const bodyOf = (operation: CallOfKey): CallerActions["allowed"][number]["body"] => {
  const [body] = endpointOfCall(operation).payload
  const name = body === undefined ? undefined : SchemaAST.resolveIdentifier(body[1].schemas[0].ast)
  if (body === undefined || name === undefined) throw new Error(`the body of ${operation} has no name`)
  return { contentType: body[0], schema: `${schemas}/${name}` }
}

const callerActions = (journey: Journey, newest: NewestEvents, rights: Rights): CallerActions => {
  const { allowed, notAllowed } = allowedCallsOfKeys(journey)
  // A key without the right hears so whatever the journey would take.
  const withoutRight = callsOfKeys.filter(
    (operation) => !isPermitted(rights, Context.getUnsafe(endpointOfCall(operation).annotations, Permitted))
  )
  const isOwn = ({ operation }: { readonly operation: CallOfKey }) => !withoutRight.includes(operation)
  return {
    waitingOn: waitsShown(journey, newest),
    allowed: callsShown({ allowed: allowed.filter(isOwn) }, { journeyId: journey.id }, (operation) => ({
      body: bodyOf(operation)
    })),
    notAllowed: [
      ...notAllowed.filter(isOwn),
      ...withoutRight.map((operation) => ({ operation, code: "API_KEY_NOT_PERMITTED" as const, choices: null }))
    ]
  }
}

export const CallerActionsAnswer = answerOf("CallerActionsAnswer", CallerActions)

const example = callerActions(approvedJourney, new Map(), {
  livemode: true,
  scopes: ["journeys:read", "journeys:write"]
})

const getActions = HttpApiEndpoint.get("getActions", `${oneJourneyPath}/actions`, {
  params: ofJourney,
  success: CallerActionsAnswer,
  error: refusedWith(ofAnyKey, "JOURNEY_NOT_FOUND")
})
  .annotate(Permitted, read)
  .annotateMerge(
    described({
      summary: "See what a journey waits for and takes",
      description:
        "Everything that the journey waits for, with who must act, since when and until when; the calls that this key may send to it now, each with its path and the schema of its body; and the code that every other call would be refused with. The rules that answer are those that decide the calls themselves. The journey may go on meanwhile: a call is decided anew when it comes.",
      answer: answer("What it waits for, and what this key may call", "Actions", example)
    })
  )

export const callerActionOperations = callerResource([getActions], {
  getActions: (asked) =>
    Effect.gen(function* () {
      const id = yield* journeyAsked(asked)
      const store = yield* JourneyStore
      const found = yield* store.read(id, scopeOf(asked.caller))
      if (found === null) return yield* journeyNotFound()
      const events = yield* EventsOfJourney
      return callerActions(found.journey, yield* events.newest(id), asked.caller.key)
    })
})
