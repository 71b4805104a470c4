/** All routes of the customer's app, under /app. Each step, the link and the journey's page bring their own routes. */
import { Effect } from "effect"
import type { ServiceAddress } from "../../actors/mail/ServiceAddress.ts"
import type { CustomerStep } from "../../schema/journey/steps.ts"
import type { Route, ServicesOf } from "../server/answering.ts"
import { addressStepRoutes } from "./addressStep.ts"
import { appRoute } from "./appRoute.ts"
import { assetRoutes } from "./assets.ts"
import { brandFileRoutes } from "./brandFiles.ts"
import { consentRoutes } from "./consentStep.ts"
import { identityStepRoutes } from "./identityStep.ts"
import { journeyPageRoutes } from "./journeyPage.ts"
import { languageChoiceRoutes } from "./languageChoice.ts"
import { unknownOutcomePage } from "./problemPages.ts"
import { runOutRoutes } from "./runOutSession.ts"
import { sessionEndRoutes } from "./sessionEnd.ts"
import { sampleRoutes } from "./samples.ts"
import { signInRoutes } from "./signInLink.ts"
import { telephoneRoutes } from "./telephone.ts"
import { testOutcomeRoutes } from "./testOutcomes.ts"
import { videoStepRoutes } from "./videoStep.ts"

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
