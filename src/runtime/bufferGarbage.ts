/**
 * Has V8 count buffers with the heap when it decides to collect the garbage of the whole heap. Otherwise it does so after each 64 MB
 * of buffers, however large the heap is: bodies, photos and videos fill them within moments, and everybody's requests wait for
 * the collections. It is imported before anything else, because it holds for what is allocated afterwards. What is allocated, and
 * how much of it at once, is bounded elsewhere (`BodyBudget.ts`).
 */
import { setFlagsFromString } from "node:v8"

setFlagsFromString("--external-memory-accounted-in-global-limit")
