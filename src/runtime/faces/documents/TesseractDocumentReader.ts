/**
 * Reads identity documents with Tesseract, in a process of its own (`documentProcess.ts`), which is confined (`confined.ts`). This file
 * decides how often a photo is looked at, and turned how; what the text says about the customer is decided by `documentText.ts`. The text is
 * forgotten at once, and no log repeats it.
 */
import { Clock, Effect, Layer, Option, RcRef, Schema } from "effect"
import { fileURLToPath } from "node:url"
import {
  DocumentReader,
  DocumentReaderBusy,
  type DocumentReading
} from "../../../actors/checks/document/DocumentReader.ts"
import { documentLimits } from "../../../actors/checks/limits.ts"
import { unread } from "../../../actors/checks/identity/readDocument.ts"
import type { CleanPhoto } from "../../../actors/faces/FaceCheck.ts"
import type { CheckedCustomer } from "../../../actors/journey/rules/checkedCustomer.ts"
import { makeFairQueue } from "../../../actors/kernel/FairQueue.ts"
import { currentMeter } from "../../../actors/kernel/Meter.ts"
import { timestamp } from "../../../schema/moment.ts"
import { startAnswering } from "../../processes/answeringProcess.ts"
import type { Message } from "../../processes/messages.ts"
import * as ProcessStarter from "../../processes/ProcessStarter.ts"
import { documentQuestion, type DocumentLook, type DocumentText } from "./documentMessages.ts"

const program = fileURLToPath(new URL("documentProcess.ts", import.meta.url))

/** Loaded with the first document: many installations never read one. */
const judgement = Effect.promise(() => import("../../../actors/checks/document/documentText.ts"))
const machineLines = Effect.promise(() => import("../../../actors/checks/document/machineZone.ts"))

const textLineIn = Schema.decodeUnknownOption(Schema.Struct({ text: Schema.String, words: Schema.Int }))
const textIn = ({ line }: Message): DocumentText | null => Option.getOrNull(textLineIn(line))

/** A process with its letters loaded. */
const started = Effect.flatMap(ProcessStarter.ProcessStarter, (starter) =>
  startAnswering(starter, {
    program,
    parameters: [],
    heapMegabytes: documentLimits.heapMegabytes,
    allowed: ["worker"],
    startWithin: documentLimits.readWithin,
    limits: { lineBytes: documentLimits.largestTextBytes, partsBytes: 0 },
    judgedReady: () => true
  })
)

const tilted = (degrees: number): DocumentLook => ({ isScattered: false, turn: (degrees * Math.PI) / 180 })

const firstLook: DocumentLook = { isScattered: false, turn: null }
/** In degrees: slightly to either side, then further. */
const tilts = [12, -12, 20, -20]

/** How much a look says: of a document, of its machine-readable lines, and at last of its holder. */
const weightOf = ({ doubts, fits }: DocumentReading): number => {
  if (doubts.includes("NO_DOCUMENT")) return 0
  if (doubts.includes("DOCUMENT_UNREADABLE")) return 2
  return fits || doubts.length > 0 ? 3 : 1
}

interface Looked {
  readonly look: DocumentLook
  readonly reading: DocumentReading
  /** Machine-readable lines were seen, read well or badly. */
  readonly hasLines: boolean
}

/**
 * Lines that are doubted are answered for by lines alone. They are no less in the picture because another look takes them for
 * words, and what is printed beside them may be somebody else's.
 */
const mayReplace = (one: Looked, other: Looked): boolean =>
  one.hasLines || other.reading.doubts.every((doubt) => doubt === "NO_DOCUMENT")

const saysMore = (one: Looked, other: Looked): boolean =>
  weightOf(one.reading) > weightOf(other.reading) && mayReplace(one, other)
const isSettled = (reading: DocumentReading): boolean => weightOf(reading) === 3

/** Names have no check digit, so another look may show that they were misread. */
const isPerhapsMisread = ({ doubts }: DocumentReading): boolean =>
  doubts.includes("DOCUMENT_UNREADABLE") || (doubts.includes("NAME_DIFFERS") && !doubts.includes("BIRTH_DATE_DIFFERS"))

const outcomeOf = ({ doubts, fits }: DocumentReading) => {
  if (doubts.length > 0) return "IN_DOUBT"
  return fits ? "FITS" : "NOTHING"
}

export const layer = Layer.effect(
  DocumentReader,
  Effect.gen(function* () {
    const reader = yield* RcRef.make({ acquire: started, idleTimeToLive: documentLimits.keptFor })
    const turns = makeFairQueue({
      places: 1,
      mostWaitingOfOne: documentLimits.mostWaiting,
      mostWaiting: documentLimits.mostWaiting * documentLimits.queuesOfAll
    })

    const readingOf = Effect.fnUntraced(function* ({ facePart, jpeg }: CleanPhoto, customer: CheckedCustomer) {
      const here = yield* RcRef.get(reader)
      const { documentReading } = yield* judgement
      const { hasZone, zoneIn } = yield* machineLines
      const today = timestamp(yield* Clock.currentTimeMillis).slice(0, "YYYY-MM-DD".length)
      const by = (look: DocumentLook) =>
        Effect.map(here.ask(documentQuestion(jpeg, look), textIn), (seen): Looked => ({
          look,
          reading: documentReading({ ...seen, facePart }, customer, today),
          hasLines: hasZone(seen.text) || zoneIn(seen.text) !== null
        }))
      const first = yield* by(firstLook)
      let best = first
      // A document that lies askew shows no words. One that shows some when it is turned needs no turn the other way.
      if (weightOf(first.reading) === 0 && facePart <= documentLimits.largestFacePart) {
        let side = 0
        for (const degrees of tilts) {
          if (isSettled(best.reading) || side * degrees < 0) continue
          const turned = yield* by(tilted(degrees))
          if (weightOf(turned.reading) > 0) side = degrees
          if (saysMore(turned, best)) best = turned
        }
      }
      if (!isPerhapsMisread(best.reading)) return best.reading
      const again = yield* by({ ...best.look, isScattered: true })
      const isLifted = again.reading.fits && mayReplace(again, best)
      return isLifted || saysMore(again, best) ? again.reading : best.reading
    })

    const meter = yield* currentMeter
    const clock = yield* Clock.Clock
    yield* meter.read("journeys_documents_waiting", {}, turns.waiting)

    const measured = <E>(reading: Effect.Effect<DocumentReading, E>): Effect.Effect<DocumentReading, E> =>
      Effect.suspend(() => {
        const begun = clock.currentTimeMillisUnsafe()
        return Effect.tap(reading, (read) =>
          Effect.sync(() => {
            const seconds = (clock.currentTimeMillisUnsafe() - begun) / 1000
            meter.observe("journeys_document_seconds", { outcome: outcomeOf(read) }, seconds)
          })
        )
      })

    return DocumentReader.of({
      read: (photo, customer) =>
        readingOf(photo, customer).pipe(
          Effect.scoped,
          Effect.timeout(documentLimits.readWithin),
          // A process that hangs or has ended does not read the next document either.
          Effect.tapCause(() => RcRef.invalidate(reader)),
          Effect.catchCause((cause) => Effect.as(Effect.logWarning("A document could not be read", cause), unread)),
          measured,
          turns.run,
          Effect.catchTag("QueueFull", () => Effect.fail(new DocumentReaderBusy())),
          Effect.withSpan("DocumentReader.read")
        )
    })
  })
).pipe(Layer.provide(ProcessStarter.layer))
