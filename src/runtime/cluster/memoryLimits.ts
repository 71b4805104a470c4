/** How actors are spread over nodes, and how many one node keeps. */
import { mostJourneysInMemory } from "../../actors/journey/actor/supervision.ts"
import { webhookLimits } from "../../schema/webhook/limits.ts"

/** Actors a node keeps in memory, of both kinds together. */
export const mostActorsInMemory = mostJourneysInMemory + webhookLimits.residentEndpoints

/** Spread evenly over some ten runners, and few enough to renew all of them in one step of Redis. The same on all nodes. */
export const shards = 300
