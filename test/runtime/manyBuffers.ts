/**
 * A process with a heap like the service's that fills buffers and drops them, as bodies and videos do. It prints how often the garbage
 * of the whole heap was collected meanwhile. `v8Flags.int.test.ts` runs it.
 */
import { countWholeHeapCollections } from "../support/wholeHeapCollections.ts"

const objects = 1_200_000
const megabytes = 1024
const mebibyte = 2 ** 20

const turn = () => new Promise((resolve) => setImmediate(resolve))

const heap = Array.from({ length: objects }, (_, at) => ({ at, of: [at] }))
// What building it left behind is no matter of the buffers.
globalThis.gc?.()
await turn()
const collections = countWholeHeapCollections()
for (let filled = 0; filled < megabytes; filled += 1) {
  Buffer.alloc(mebibyte)
  await turn()
}
await turn()
// The heap is named after the loop, so it is alive all the time.
process.stdout.write(JSON.stringify({ collections: collections(), objects: heap.length }))
