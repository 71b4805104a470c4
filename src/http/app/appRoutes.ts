/** All routes of the customer's app, under /app. Each step, the link and the journey's page bring their own routes. */
import { Effect } from "effect"
import type { ServiceAddress } from "../../actors/mail/ServiceAddress.ts"
import type { CustomerStep } from "../../schema/journey/steps.ts"
import type { Route, ServicesOf } from "../server/answers/answering.ts"
import { addressStepRoutes } from "./steps/addressStep.ts"
import { appRoute } from "./frame/appRoute.ts"
import { assetRoutes } from "./frame/assets.ts"
import { brandFileRoutes } from "./frame/brandFiles.ts"
import { consentRoutes } from "./steps/consentStep.ts"
import { identityStepRoutes } from "./steps/identityStep.ts"
import { journeyPageRoutes } from "./journeyPage.ts"
import { languageChoiceRoutes } from "./session/languageChoice.ts"
import { unknownOutcomePage } from "./frame/problemPages.ts"
import { runOutRoutes } from "./session/runOutSession.ts"
import { sessionEndRoutes } from "./session/sessionEnd.ts"
import { sampleRoutes } from "./testJourney/samples.ts"
import { signInRoutes } from "./session/signInLink.ts"
import { telephoneRoutes } from "./session/telephone.ts"
import { testOutcomeRoutes } from "./testJourney/testOutcomes.ts"
import { videoStepRoutes } from "./steps/videoStep.ts"

/** A step without its page is a compile error. */
const stepRoutes = {
  VERIFY_IDENTITY: identityStepRoutes,
  CONFIRM_ADDRESS: addressStepRoutes,
  RECORD_VIDEO: videoStepRoutes
} as const satisfies Readonly<Record<CustomerStep, unknown>>

const pages = [
  ...signInRoutes,
  ...runOutRoutes,
  ...sessionEndRoutes,
  ...languageChoiceRoutes,
  ...journeyPageRoutes,
  ...consentRoutes,
  ...Object.values(stepRoutes).flat(),
  ...telephoneRoutes,
  ...sampleRoutes,
  ...testOutcomeRoutes,
  ...brandFileRoutes
] as const

/** A page instead of a dropped connection, when nobody knows whether a commit happened. */
const saysWhenUnknown =
  <R>(handle: Route<R>["handle"]): Route<R>["handle"] =>
  (request) =>
    Effect.catchTag(handle(request), "OutcomeUnknown", (unknown) => {
      const page = unknownOutcomePage(request)
      return page === null
        ? Effect.fail(unknown)
        : Effect.as(Effect.logError("A commit's outcome is unknown; the customer is asked to look"), page)
    })

type Needed = ServicesOf<typeof pages>

export const appRoutes: ReadonlyArray<Route<Needed | ServiceAddress>> = [...pages, ...assetRoutes].map(
  // The list has lost which handler needs which service; together the handlers need all of them.
  ({ handle, method, path }) => appRoute(method, path, saysWhenUnknown(handle as Route<Needed>["handle"]))
)
