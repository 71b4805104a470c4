/** The thread in which Tesseract reads a document: the package's own, with a lower priority. `TesseractDocumentReader.ts` starts it. */
import { createRequire } from "node:module"
import { lowerPriority } from "../threads/lowPriority.ts"

lowerPriority()
// The package's script has no types, and nothing to import: it waits for messages.
createRequire(import.meta.url)("tesseract.js/src/worker-script/node/index.js")
