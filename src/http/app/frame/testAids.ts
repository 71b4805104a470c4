/**
 * What a page of a test journey offers beside the step itself (S8): samples to try the step with, and one button for each
 * outcome of the step. `testOutcomes.ts` and `samples.ts` take what the buttons send.
 */
import type { Journey } from "../../../actors/journey/rules/state/Journey.ts"
import { stepAskedOf } from "../../../actors/journey/rules/state/waiting.ts"
import { STEPS, type CustomerStep, type TestOutcome } from "../../../schema/journey/steps.ts"
import type { Words } from "../../../schema/words/words.ts"
import { html, type Html, type Shown } from "../../server/pages/html.ts"

export const testOutcomesPath = "/app/test-outcomes"

/** The path of each sample. The names are those of the files in `samples`. */
export const samplePaths = {
  document: "/app/samples/document.jpg",
  selfie: "/app/samples/selfie.jpg",
  video: "/app/samples/video.mp4"
} as const
export type Sample = keyof typeof samplePaths

/** Where the samples of a step are used without a choice of files. */
export const usedSamplesPaths = { VERIFY_IDENTITY: "/app/samples/photos", RECORD_VIDEO: "/app/samples/video" } as const

interface TestPage {
  readonly journey: Journey
  readonly words: Words
  /** The field that proves that a form is ours. */
  readonly token: Html
}

/** The outcome that ends a test journey wherever it stands. */
export const endingOutcome: TestOutcome = "delivery.completed"

const outcome = (event: TestOutcome, label: string): Html =>
  html`<button name="event" value="${event}" class="quiet">
    ${label}<br /><span class="code" translate="no">${event}</span>
  </button>`

/** One button for each outcome of the step. */
const outcomesOf = (step: CustomerStep, { steps }: Words): ReadonlyArray<Html> => {
  // A step has words for just the outcomes of its row; over the union of all steps the compiler does not see that.
  const labels = steps[step].testOutcomes as Readonly<Record<TestOutcome, string>>
  return STEPS[step].app.testOutcomes.map((event) => outcome(event, labels[event]))
}

const samplesOf: Readonly<Record<keyof typeof usedSamplesPaths, ReadonlyArray<Sample>>> = {
  VERIFY_IDENTITY: ["document", "selfie"],
  RECORD_VIDEO: ["video"]
}

const hasSamples = (step: CustomerStep | null): step is keyof typeof samplesOf =>
  step !== null && Object.hasOwn(samplesOf, step)

const samples = (step: CustomerStep | null, { token, words }: TestPage): Shown => {
  if (!hasSamples(step)) return null
  const says = words.testOutcomes.samples
  return html`<p>${says.about}</p>
    <ul>
      ${samplesOf[step].map((name) => html`<li><a class="alone" href="${samplePaths[name]}" download>${says[name]}</a></li>`)}
    </ul>
    <form method="post" action="${usedSamplesPaths[step]}" class="outcomes">
      ${token}<button class="quiet">${says.use[step]}</button>
    </form>`
}

/** What can be done here, and what the journey does while nothing is done: a journey without a tick takes no step by itself. */
const whatComes = (step: CustomerStep | null, { sandbox }: Journey, { testOutcomes }: Words): string => {
  const goesOn = sandbox?.tickAt != null
  if (step === null) return goesOn ? testOutcomes.goesOn : testOutcomes.staysHere
  const choose = hasSamples(step) ? testOutcomes.orChoose : testOutcomes.choose
  return `${choose} ${goesOn ? testOutcomes.waits : testOutcomes.waitsForGood}`
}

export const testAids = (page: TestPage): Html => {
  const { journey, token, words } = page
  const { testOutcomes } = words
  const step = stepAskedOf(journey)
  return html`<section class="aids" aria-labelledby="aids">
    <h2 id="aids">${step === null ? testOutcomes.nothingAsked : words.steps[step].testTitle}</h2>
    ${samples(step, page)}
    <p>${whatComes(step, journey, words)}</p>
    <form method="post" action="${testOutcomesPath}" class="outcomes">
      ${token}${step === null ? outcome(endingOutcome, testOutcomes.toTheEnd) : outcomesOf(step, words)}
    </form>
  </section>`
}
