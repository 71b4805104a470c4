/**
 * Everything that customers read, in Romanian (română). The customer is addressed formally (*dumneavoastră*, verbs in the
 * plural) and without a gender. The letters are ș and ț with a comma, never with a cedilla.
 *
 * One word for one thing: journey *achiziție* (the purchase), step *pas*, identity check *verificarea identității*, handover
 * *predarea vehiculului*, handover video *înregistrarea predării*, delivery address *adresa de livrare*, vehicle *vehicul*,
 * seller *vânzător*, team *echipă*, link *link*, email *e-mail*, photo *fotografie*, identity document *act de identitate*,
 * camera *cameră*, service *serviciu*, consent *acord*, finance *finanțare*, sign in *a se conecta*, sign out *a se
 * deconecta*, try again *a încerca din nou*.
 */
import type { Rooms } from "../en/english.ts"
import { romanianAddress } from "./address.ts"
import { romanianCompany } from "./company.ts"
import { romanianConsent } from "./consent.ts"
import { romanianEnding } from "./ending.ts"
import { romanianFrame } from "./frame.ts"
import { romanianMail } from "./mail.ts"
import { romanianNotices } from "./notices.ts"
import { romanianProblems } from "./problems.ts"
import { romanianSteps } from "./steps.ts"
import { romanianLink } from "./link.ts"
import { romanianTelephone } from "./telephone.ts"
import { romanianTestOutcomes } from "./testOutcomes.ts"
import { romanianIdentity } from "./identity.ts"
import { romanianJourney } from "./journey.ts"
import { romanianVideo } from "./video.ts"

export const romanian: Rooms = {
  address: romanianAddress,
  company: romanianCompany,
  consent: romanianConsent,
  ending: romanianEnding,
  frame: romanianFrame,
  mail: romanianMail,
  notices: romanianNotices,
  problems: romanianProblems,
  steps: romanianSteps,
  link: romanianLink,
  testOutcomes: romanianTestOutcomes,
  identity: romanianIdentity,
  journey: romanianJourney,
  video: romanianVideo,
  telephone: romanianTelephone
}
