/**
 * What the service sets differently in V8, the engine of Node. This module is imported before anything else, because a flag holds for
 * what is allocated and compiled afterwards.
 *
 * - V8 counts buffers with the heap when it decides to collect the garbage of the whole heap. Otherwise it does so after each 64 MB
 *   of buffers, however large the heap is: bodies, photos and videos fill them within moments, and everybody's requests wait for
 *   the collections. What is allocated, and how much of it at once, is bounded elsewhere (`BodyBudget.ts`).
 * - V8 compiles a function to fast code after a third of the calls that it waits for by default. Many functions run once for each
 *   request, and some once for many requests, so that the first ten thousand requests after a start cost more than they need. The
 *   first few hundred requests cost more with these flags: they share the cores with the compiler.
 */
import { setFlagsFromString } from "node:v8"

setFlagsFromString("--external-memory-accounted-in-global-limit")
setFlagsFromString("--invocation-count-for-maglev=200")
setFlagsFromString("--invocation-count-for-turbofan=1000")
setFlagsFromString("--minimum-invocations-after-ic-update=200")
