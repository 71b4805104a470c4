/**
 * Everything that customers read, in Welsh (Cymraeg). The customer is addressed formally (*chi*). Texts in ordinary formal
 * Welsh: *nid oes*, *rydych*, no dialect.
 *
 * One word for one thing: journey *pryniant* (the purchase; *taith* would be a trip), step *cam*, identity check *gwiriad
 * hunaniaeth*, handover *trosglwyddo*, handover video *fideo trosglwyddo*, delivery address *cyfeiriad danfon*, vehicle
 * *cerbyd*, seller *gwerthwr*, team *tîm*, link *dolen*, email *e-bost*, photo *llun*, identity document *dogfen adnabod*,
 * camera *camera*, selfie *hunlun*, service *gwasanaeth*, finance *cyllid*, sign in *mewngofnodi*, sign out *allgofnodi*, try
 * again *rhoi cynnig arall arni*.
 */
import type { Rooms } from "../en/english.ts"
import { welshAddress } from "./address.ts"
import { welshCompany } from "./company.ts"
import { welshConsent } from "./consent.ts"
import { welshEnding } from "./ending.ts"
import { welshFrame } from "./frame.ts"
import { welshMail } from "./mail.ts"
import { welshNotices } from "./notices.ts"
import { welshProblems } from "./problems.ts"
import { welshSteps } from "./steps.ts"
import { welshLink } from "./link.ts"
import { welshTelephone } from "./telephone.ts"
import { welshTestOutcomes } from "./testOutcomes.ts"
import { welshIdentity } from "./identity.ts"
import { welshJourney } from "./journey.ts"
import { welshVideo } from "./video.ts"

export const welsh: Rooms = {
  address: welshAddress,
  company: welshCompany,
  consent: welshConsent,
  ending: welshEnding,
  frame: welshFrame,
  mail: welshMail,
  notices: welshNotices,
  problems: welshProblems,
  steps: welshSteps,
  link: welshLink,
  testOutcomes: welshTestOutcomes,
  identity: welshIdentity,
  journey: welshJourney,
  video: welshVideo,
  telephone: welshTelephone
}
