/**
 * How an operation of a caller becomes a message to its journey, and the journey's answer an answer of HTTP. What the
 * message says, and what must hold before it is sent, is each operation's own.
 */
import { Effect } from "effect"
import { JourneyMailbox } from "../../../actors/journey/actor/JourneyMailbox.ts"
import type { Answer, JourneyRequest } from "../../../actors/journey/actor/JourneyEntity.ts"
import { JourneyStore, notePlace, photoPlace } from "../../../actors/journey/actor/JourneyStore.ts"
import type { JourneyUnreadable, StoreUnavailable } from "../../../actors/kernel/StoreError.ts"
import { Vault } from "../../../actors/kernel/Vault.ts"
import { errorCodes, type ErrorCode } from "../../../schema/problems.ts"
import type { JourneyMessage } from "../../../schema/journey/messages.ts"
import type { Caller } from "../../server/authentication.ts"
import { problem, success } from "../../server/problems.ts"
import { notFound, scopeOf } from "./readEndpoints.ts"

/** Which journey, and the id that makes a repeated message one. */
export interface Addressed {
  readonly id: string
  readonly messageId: string
}

export const tell = Effect.fnUntraced(function* (
  { id, messageId }: Addressed,
  caller: Caller,
  message: JourneyMessage,
  { note, photo }: Sealed
) {
  const mailbox = yield* JourneyMailbox
  const told: JourneyRequest = {
    messageId,
    sender: caller.sender,
    scope: scopeOf(caller),
    message,
    sealedNote: note,
    sealedPhoto: photo
  }
  return yield* mailbox.ask(id, told)
})

/** What goes with a message under the customer's key, base64. */
export interface Sealed {
  /** Free text: kept for the team, and nowhere else. */
  readonly note: string | null
  readonly photo: string | null
}

export const nothingSealed: Sealed = { note: null, photo: null }

/** Seals for the customer of the journey; nothing is kept of one who was erased. */
export const seal = Effect.fnUntraced(function* (
  id: string,
  caller: Caller,
  note: string,
  photo: Uint8Array | null = null
): Effect.fn.Return<Sealed, StoreUnavailable | JourneyUnreadable, JourneyStore | Vault> {
  const store = yield* JourneyStore
  const vault = yield* Vault
  const key = yield* store.customerKey(id, scopeOf(caller))
  if (key === null) return nothingSealed
  const opened = yield* Effect.orDie(vault.keyOf(key.wrappedKey))
  return {
    note: base64(opened.seal(notePlace(id), note)),
    photo: photo === null ? null : base64(opened.sealBytes(photoPlace(id), photo))
  }
})

/** What a message says that the journal may not hold: equal texts, and no others, have equal fingerprints (I8). */
export const fingerprintOf = (text: string) =>
  Effect.map(Vault, (vault) => Buffer.from(vault.index("request", `message body|${text}`)).toString("base64"))

const isErrorCode = (code: string): code is ErrorCode => errorCodes.some((known) => known === code)

export const answered = (answer: Answer, message: string) => {
  switch (answer._tag) {
    case "Done":
      return Effect.succeed(success(200, answer.journey, message))
    case "NoJourney":
      return Effect.fail(notFound())
    case "IdReused":
      return Effect.fail(problem("IDEMPOTENCY_KEY_REUSED", "Idempotency-Key"))
    case "Refused":
      return isErrorCode(answer.code)
        ? Effect.fail(problem(answer.code, "journey", answer.message))
        : Effect.die(new Error(`an unknown code was answered: ${answer.code}`))
    case "Ignored":
      // Callers' messages are decided or refused, never ignored.
      return Effect.die(new Error(`a caller's message was ignored: ${answer.reason}`))
  }
}

const base64 = (sealed: Uint8Array): string => Buffer.from(sealed).toString("base64")
