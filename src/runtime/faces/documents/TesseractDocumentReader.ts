/**
 * Reads identity documents with Tesseract on WebAssembly, in a thread of its own. Program and language come with their
 * packages: nothing is fetched, and nothing is written to disk. This file decides how often a photo is looked at, and turned how; what
 * the text says about the customer is decided by `documentText.ts`. The text is forgotten at once, and no log repeats it.
 *
 * The licence of Tesseract, of its WebAssembly form and of the trained letters is Apache 2.0.
 */
import { Clock, Effect, Layer, RcRef } from "effect"
import { dirname, join } from "node:path"
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

/** The small, fast form of the letters; English has all that machine-readable lines need. */
const letters = join(
  dirname(fileURLToPath(import.meta.resolve("@tesseract.js-data/eng/package.json"))),
  "4.0.0_best_int"
)

/** Both loaded with the first document: many installations never read one. */
const library = Effect.promise(() => import("tesseract.js"))
const judgement = Effect.promise(() => import("../../../actors/checks/document/documentText.ts"))

/** One thread with its letters loaded, and the library's names for the ways to look. */
const started = Effect.acquireRelease(
  Effect.flatMap(library, ({ createWorker, PSM }) =>
    Effect.map(
      Effect.tryPromise(() =>
        createWorker("eng", undefined, {
          workerPath: fileURLToPath(new URL("documentWorker.ts", import.meta.url)),
          langPath: letters,
          cacheMethod: "none",
          gzip: true,
          // Without a handler the package throws a failed job into the process besides; the job's own promise fails as well.
          errorHandler: () => {}
        })
      ),
      (worker) => ({ worker, PSM })
    )
  ),
  ({ worker }) => Effect.promise(() => worker.terminate())
)

type Reader = Effect.Success<typeof started>

/** How a photo is looked at; the turn is in radians, or null as the reader finds it, which it does for a few degrees. */
interface Look {
  /** As words anywhere instead of as a page: lines that were read badly are often read well so. */
  readonly isScattered: boolean
  readonly turn: number | null
}

const tilted = (degrees: number): Look => ({ isScattered: false, turn: (degrees * Math.PI) / 180 })

const firstLook: Look = { isScattered: false, turn: null }
/** In degrees: slightly to either side, then further. */
const tilts = [12, -12, 20, -20]

/** How much a look says: of a document, of its machine-readable lines, and at last of its holder. */
const weightOf = ({ doubts, fits }: DocumentReading): number => {
  if (doubts.includes("NO_DOCUMENT")) return 0
  if (doubts.includes("DOCUMENT_UNREADABLE")) return 2
  return fits || doubts.length > 0 ? 3 : 1
}

const saysMore = (one: DocumentReading, other: DocumentReading): boolean => weightOf(one) > weightOf(other)
const isSettled = (reading: DocumentReading): boolean => weightOf(reading) === 3

/** Names have no check digit, so another look may show that they were misread. */
const isPerhapsMisread = ({ doubts }: DocumentReading): boolean =>
  doubts.includes("DOCUMENT_UNREADABLE") || (doubts.includes("NAME_DIFFERS") && !doubts.includes("BIRTH_DATE_DIFFERS"))

const outcomeOf = ({ doubts, fits }: DocumentReading) => {
  if (doubts.length > 0) return "IN_DOUBT"
  return fits ? "FITS" : "NOTHING"
}

const isPrinted = new RegExp(String.raw`^[\p{L}\p{N}.,:/<-]{${documentLimits.shortestWord},}$`, "u")

const lookAt = async ({ PSM, worker }: Reader, photo: Uint8Array, { isScattered, turn }: Look) => {
  await worker.setParameters({
    tessedit_pageseg_mode: isScattered ? PSM.SPARSE_TEXT : PSM.AUTO,
    // What it says about its work would stand between the lines of the log.
    debug_file: "/dev/null"
  })
  const turned = turn === null ? { rotateAuto: true } : { rotateRadians: turn }
  const { data } = await worker.recognize(Buffer.from(photo), turned, { text: true, blocks: true })
  const lines = (data.blocks ?? []).flatMap(({ paragraphs }) => paragraphs.flatMap(({ lines }) => lines))
  const words = lines
    .flatMap(({ words }) => words)
    .filter(({ confidence, text }) => confidence >= documentLimits.leastCertainty && isPrinted.test(text))
  return { text: data.text, words: words.length }
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
      const today = timestamp(yield* Clock.currentTimeMillis).slice(0, "YYYY-MM-DD".length)
      const by = (look: Look) =>
        Effect.map(
          Effect.tryPromise(() => lookAt(here, jpeg, look)),
          (seen) => documentReading({ ...seen, facePart }, customer, today)
        )
      const first = { look: firstLook, reading: yield* by(firstLook) }
      let best = first
      // A document that lies askew shows no words. One that shows some when it is turned needs no turn the other way.
      if (weightOf(first.reading) === 0 && facePart <= documentLimits.largestFacePart) {
        let side = 0
        for (const degrees of tilts) {
          if (isSettled(best.reading) || side * degrees < 0) continue
          const look = tilted(degrees)
          const reading = yield* by(look)
          if (weightOf(reading) > 0) side = degrees
          if (saysMore(reading, best.reading)) best = { look, reading }
        }
      }
      if (!isPerhapsMisread(best.reading)) return best.reading
      const again = yield* by({ ...best.look, isScattered: true })
      return again.fits || saysMore(again, best.reading) ? again : best.reading
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
          // A thread that hangs or has died does not read the next document either.
          Effect.tapCause(() => RcRef.invalidate(reader)),
          Effect.catchCause((cause) => Effect.as(Effect.logWarning("A document could not be read", cause), unread)),
          measured,
          turns.run,
          Effect.catchTag("QueueFull", () => Effect.fail(new DocumentReaderBusy())),
          Effect.withSpan("DocumentReader.read")
        )
    })
  })
)
