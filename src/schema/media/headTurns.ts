/**
 * The words of the challenge in a handover video: the customer turns the head in an order that the service has drawn. Sides are
 * the customer's own.
 */
import { Schema } from "effect"

export const HeadTurn = Schema.Literals(["LEFT", "RIGHT"])
export type HeadTurn = typeof HeadTurn.Type

/**
 * What the frames of a video say about the turns that were asked for. MET: they were seen in their order, and the customer's face
 * between them. OTHERS: other turns, or the same in another order. NOT_SEEN: too few, or too unsure.
 */
export const TurnsOutcome = Schema.Literals(["MET", "OTHERS", "NOT_SEEN"])
export type TurnsOutcome = typeof TurnsOutcome.Type
