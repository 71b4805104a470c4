/**
 * The process that reads documents with Tesseract on WebAssembly, on a thread that the package starts. Program and letters come with their
 * packages: nothing is fetched, and nothing is written to disk. `TesseractDocumentReader.ts` says how a photo is looked at; the text
 * leaves this process with the answer, and is kept nowhere.
 *
 * The licence of Tesseract, of its WebAssembly form and of the trained letters is Apache 2.0.
 */
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { documentLimits } from "../../../actors/checks/limits.ts"
import { answerAll, comeAfterOthers, keepQuiet } from "../../processes/answering.ts"
import { documentLookIn, type DocumentText } from "./documentMessages.ts"

keepQuiet()

/** The small, fast form of the letters; English has all that machine-readable lines need. */
const letters = join(
  dirname(fileURLToPath(import.meta.resolve("@tesseract.js-data/eng/package.json"))),
  "4.0.0_best_int"
)

const { createWorker, PSM } = await import("tesseract.js")
comeAfterOthers(documentLimits.niceness)
const worker = await createWorker("eng", undefined, {
  langPath: letters,
  cacheMethod: "none",
  gzip: true,
  // Without a handler the package throws a failed job into the process besides; the job's own promise fails as well.
  errorHandler: () => {}
})

const isPrinted = new RegExp(String.raw`^[\p{L}\p{N}.,:/<-]{${documentLimits.shortestWord},}$`, "u")

await answerAll({ _tag: "Ready" }, async (question) => {
  const { isScattered, photo, turn } = documentLookIn(question)
  await worker.setParameters({
    tessedit_pageseg_mode: isScattered ? PSM.SPARSE_TEXT : PSM.AUTO,
    // What it says about its work would stand between the answers.
    debug_file: "/dev/null"
  })
  const turned = turn === null ? { rotateAuto: true } : { rotateRadians: turn }
  const { data } = await worker.recognize(Buffer.from(photo), turned, { text: true, blocks: true })
  const lines = (data.blocks ?? []).flatMap(({ paragraphs }) => paragraphs.flatMap(({ lines }) => lines))
  const words = lines
    .flatMap(({ words }) => words)
    .filter(({ confidence, text }) => confidence >= documentLimits.leastCertainty && isPrinted.test(text))
  return { line: { text: data.text, words: words.length } satisfies DocumentText, parts: [] }
})
