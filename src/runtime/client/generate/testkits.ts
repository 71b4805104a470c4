/**
 * The test kits in the packages: for tests of a receiver whole lives of journeys, and for tests of a caller the refusals of each
 * code. Both languages have the same. What is the same for every contract stands in `lib` and in `python/journeys_client`.
 */
import { failureExamples } from "../../../http/documents/failureExamples.ts"
import { exampleId } from "../../../schema/exampleId.ts"
import { errorCatalogue, type ErrorCode } from "../../../schema/problems.ts"
import { laterType } from "./apiContract.ts"
import type { ExampleLife } from "./exampleLives.ts"

/** What the service says with each code, as the document's examples show it. */
const usualProblems = (codes: ReadonlyArray<ErrorCode>) =>
  Object.fromEntries(
    Object.values(failureExamples(codes))
      .flatMap(({ value }) => value.errors)
      .map(({ code, field, message }) => [code, { status: errorCatalogue[code].status, field, message }])
  )

const namesOf = (lives: ReadonlyArray<ExampleLife>, between: string): string =>
  lives.map(({ name }) => JSON.stringify(name)).join(between)

export const typeScriptTestkitOf = (codes: ReadonlyArray<ErrorCode>, lives: ReadonlyArray<ExampleLife>): string =>
  [
    "/** For tests: whole lives of journeys, deliveries of their events, and refusals of the service. Needs no service. */",
    'import type { ErrorCode, Event, StartJourney, StartJourneyWithPhoto } from "./contract.ts"',
    'import { refusalFrom, type Refused, type RefusalWishes, type UsualProblem } from "./refusals.ts"\n',
    'export * from "./deliveries.ts"',
    'export type { Refused, RefusedProblem, RefusalWishes } from "./refusals.ts"\n',
    "/** The shape of the journey, or the scenario that it plays. */",
    `export type LifeName = ${namesOf(lives, " | ")}\n`,
    "export interface Life {",
    "  readonly name: LifeName",
    "  /** The body that starts such a journey; with a photo where the shape needs one. */",
    '  readonly start: StartJourney | StartJourneyWithPhoto["journey"]',
    "  /** In the order in which they happen. */",
    "  readonly events: readonly [Event, ...ReadonlyArray<Event>]",
    "}\n",
    `export const lives: readonly [Life, ...ReadonlyArray<Life>] = ${JSON.stringify(lives, null, 2)}\n`,
    "export const lifeOf = (name: LifeName): Life => lives.find((life) => life.name === name) ?? lives[0]\n",
    "/** An event of a type that is newer than this package, as it may come at any time. */",
    `export const eventToCome: Event = { ...lives[0].events[0], id: "${exampleId("event", 0)}", type: "${laterType}" }\n`,
    `const usual: Readonly<Record<ErrorCode, UsualProblem>> = ${JSON.stringify(usualProblems(codes), null, 2)}\n`,
    "/**",
    " * A refusal as the service answers it: of a code, or of every problem of the request, whose first decides the status. Give it",
    " * to a client as the answer of its `fetch`.",
    " */",
    "export const refusal = (refused: Refused<ErrorCode>, wishes: RefusalWishes = {}): Response =>",
    "  refusalFrom(usual, refused, wishes)\n"
  ].join("\n")

/** A text of Python: every escape of JSON is one of Python, too. */
const pythonText = (value: unknown): string => JSON.stringify(JSON.stringify(value))

export const pythonTestkitOf = (codes: ReadonlyArray<ErrorCode>, lives: ReadonlyArray<ExampleLife>): string =>
  [
    '"""For tests: whole lives of journeys, deliveries of their events, and refusals of the service. Needs no service."""',
    "from __future__ import annotations\n",
    "import json",
    "from typing import Dict, List, Literal, Optional, Sequence, TypedDict, Union, cast\n",
    "from .contract import ErrorCode, Event, StartFinanceSale, StartJourney",
    "from .deliveries import SignedDelivery, disturbed, signed_delivery",
    "from .errors import ApiProblem",
    "from .refusals import Refusal, UsualProblem, refusal_from\n",
    "__all__ = [",
    ...[
      "Life",
      "LifeName",
      "Refusal",
      "SignedDelivery",
      "disturbed",
      "event_to_come",
      "life_of",
      "lives",
      "refusal"
    ].map((name) => `    "${name}",`),
    '    "signed_delivery",',
    "]\n",
    "# The shape of the journey, or the scenario that it plays.",
    `LifeName = Literal[${namesOf(lives, ", ")}]\n\n`,
    "class Life(TypedDict):",
    "    name: LifeName",
    "    # The body that starts such a journey; with a photo where the shape needs one.",
    "    start: Union[StartJourney, StartFinanceSale]",
    "    # In the order in which they happen.",
    "    events: List[Event]\n\n",
    `lives: List[Life] = json.loads(${pythonText(lives)})\n\n`,
    "def life_of(name: LifeName) -> Life:",
    '    return next(life for life in lives if life["name"] == name)\n\n',
    "# An event of a type that is newer than this package, as it may come at any time.",
    `event_to_come = cast(Event, {**lives[0]["events"][0], "id": "${exampleId("event", 0)}", "type": "${laterType}"})\n`,
    `_usual: Dict[str, UsualProblem] = json.loads(${pythonText(usualProblems(codes))})\n\n`,
    "def refusal(refused: Union[ErrorCode, Sequence[ApiProblem]], *, retry_after: Optional[int] = None) -> Refusal:",
    '    """A refusal as the service answers it: of a code, or of every problem of the request, whose first decides the status.',
    "",
    "    `retry_after` is what Retry-After says, in seconds. Unless given it is 0 of a 429 and a 503, so that no test waits.",
    '    """',
    "    return refusal_from(_usual, refused, retry_after)\n"
  ].join("\n")
