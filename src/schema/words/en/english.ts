/**
 * Everything that customers read, in English. The other languages say the same, room by room; what English has, each of them
 * must have. Short sentences, plain words, no contractions.
 *
 * One word for one thing: *journey* for what the customer goes through, *step* for what is asked of them, *identity check*,
 * *handover*, *handover video*, *delivery address*, *vehicle*, *seller*, *team* (the company's people), *link* (in a mail),
 * *email* (the thing; *to mail* is what we do), *photo* (never "picture"), *identity document*, *sign in* and *sign out*.
 */
import { englishAddress } from "./address.ts"
import { englishCompany } from "./company.ts"
import { englishConsent } from "./consent.ts"
import { englishEnding } from "./ending.ts"
import { englishFrame } from "./frame.ts"
import { englishMail } from "./mail.ts"
import { englishNotices } from "./notices.ts"
import { englishProblems } from "./problems.ts"
import { englishSteps } from "./steps.ts"
import { englishLink } from "./link.ts"
import { englishTelephone } from "./telephone.ts"
import { englishTestOutcomes } from "./testOutcomes.ts"
import { englishIdentity } from "./identity.ts"
import { englishJourney } from "./journey.ts"
import { englishVideo } from "./video.ts"

export const english = {
  address: englishAddress,
  company: englishCompany,
  consent: englishConsent,
  ending: englishEnding,
  frame: englishFrame,
  mail: englishMail,
  notices: englishNotices,
  problems: englishProblems,
  steps: englishSteps,
  link: englishLink,
  testOutcomes: englishTestOutcomes,
  identity: englishIdentity,
  journey: englishJourney,
  video: englishVideo,
  telephone: englishTelephone
}

/** What every language must say. */
export type Rooms = typeof english
