/** The source of new ids: time-ordered UUIDs (version 7), so that rows of one time lie together. */
import { Context } from "effect"

export class Ids extends Context.Service<
  Ids,
  {
    readonly next: () => string
    /** A random UUID (version 4) for what must not be guessed: the reference of a customer. */
    readonly unguessable: () => string
  }
>()("journeys/actors/Ids") {}
