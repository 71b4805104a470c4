/**
 * Reads identity documents with Tesseract on WebAssembly, in a thread of its own. Program and language come with their
 * packages: nothing is fetched, and nothing is written to disk. What the text says about the customer is decided by
 * `documentText.ts`. The text is forgotten at once, and no log repeats it.
 *
 * The licence of Tesseract, of its WebAssembly form and of the trained letters is Apache 2.0.
 */
import { Effect, Layer, RcRef } from "effect"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { createWorker } from "tesseract.js"
import { DocumentReader } from "../../actors/checks/DocumentReader.ts"
import { documentReading } from "../../actors/checks/documentText.ts"
import { makeFairQueue } from "../../actors/kernel/FairQueue.ts"
import { documentLimits } from "../../actors/checks/limits.ts"

/** The small, fast form of the letters; English has all that machine-readable lines need. */
const letters = join(
  dirname(fileURLToPath(import.meta.resolve("@tesseract.js-data/eng/package.json"))),
  "4.0.0_best_int"
)

/** One thread with its letters loaded. */
const started = Effect.acquireRelease(
  Effect.tryPromise(() =>
    createWorker("eng", undefined, {
      langPath: letters,
      cacheMethod: "none",
      gzip: true,
      // Without a handler the package throws a failed job into the process besides; the job's own promise fails as well.
      errorHandler: () => {}
    })
  ),
  (worker) => Effect.promise(() => worker.terminate())
)

export const layer = Layer.effect(
  DocumentReader,
  Effect.gen(function* () {
    const reader = yield* RcRef.make({ acquire: started, idleTimeToLive: documentLimits.keptFor })
    const turns = makeFairQueue({
      places: 1,
      mostWaitingOfOne: documentLimits.mostWaiting,
      mostWaiting: documentLimits.mostWaiting * documentLimits.queuesOfAll
    })

    const textOf = (photo: Uint8Array) =>
      Effect.scoped(
        Effect.gen(function* () {
          const worker = yield* RcRef.get(reader)
          const { data } = yield* Effect.tryPromise(() => worker.recognize(Buffer.from(photo)))
          return data.text
        })
      ).pipe(
        Effect.timeout(documentLimits.readWithin),
        // A thread that hangs or has died does not read the next document either.
        Effect.tapCause(() => RcRef.invalidate(reader))
      )

    return DocumentReader.of({
      read: (photo, customer) =>
        turns.run(textOf(photo)).pipe(
          Effect.map((text) => documentReading(text, customer)),
          Effect.catchTag("QueueFull", () => Effect.succeed("UNREAD" as const)),
          Effect.catchCause((cause) =>
            Effect.as(Effect.logWarning("A document could not be read", cause), "UNREAD" as const)
          )
        )
    })
  })
)
