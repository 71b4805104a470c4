/**
 * The port to leadership: which node looks for due work of one kind, so that the nodes do not all ask the database the
 * same question and start the same work. Leadership saves work and decides nothing: two leaders at once do no harm.
 */
import { Context, type Effect } from "effect"

/** The kinds of work that have a leader. */
export type LedWork = "journeys" | "deliveries" | "erasures" | "retention" | "months" | "keys"

/** `ALONE`: this node knows of no other node, so it does all the work itself. */
export type LeadershipRole = "LEADER" | "FOLLOWER" | "ALONE"

export interface Candidate {
  /** The role of this node. Asked before each look; asking keeps the leadership, or takes it when nobody has it. */
  readonly role: Effect.Effect<LeadershipRole>
  /** This node cannot look: another node leads for a while. */
  readonly stepDown: Effect.Effect<void>
}

export const isLeader = (role: LeadershipRole): boolean => role !== "FOLLOWER"

export class Leadership extends Context.Service<Leadership, { readonly of: (work: LedWork) => Candidate }>()(
  "journeys/actors/Leadership"
) {}
