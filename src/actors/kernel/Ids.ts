/** The port to new ids. Ids are time-ordered UUIDs (version 7), so that rows of one time lie together in the database. */
import { Context } from "effect"

export class Ids extends Context.Service<
  Ids,
  {
    readonly next: () => string
    /** A random UUID (version 4) for an id that nobody may guess, such as the reference of a customer. */
    readonly unguessable: () => string
  }
>()("journeys/actors/Ids") {}
