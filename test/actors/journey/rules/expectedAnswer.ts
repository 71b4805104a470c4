/** What an actor must answer to a letter, by what the pure fold made of it. Not a test itself. */
import type { Answer } from "../../../../src/actors/journey/actor/JourneyEntity.ts"
import { journeyResource } from "../../../../src/actors/journey/rules/projection.ts"
import type { Entry } from "./histories.ts"

export const expectedAnswer = ({ outcome, settled }: Entry): Answer => {
  switch (outcome._tag) {
    case "Step":
      return { _tag: "Done", journey: journeyResource(settled) }
    case "Repeated":
      return { _tag: "Done", journey: journeyResource(settled), isReplay: true }
    case "Rejected":
      return { _tag: "Refused", code: outcome.code, message: outcome.message }
    case "Ignored":
      return { _tag: "Ignored", reason: outcome.reason }
  }
}
