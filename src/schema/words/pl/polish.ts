/**
 * Everything that customers read, in Polish (polski). The customer is addressed formally and without a gender: *Państwo* and
 * *proszę* with an infinitive (in mails *prosimy*). Buttons are in the imperative, as is usual in Polish (*Wyślij*).
 *
 * One word for one thing: journey *zakup* (the purchase), step *krok*, identity check *weryfikacja tożsamości*, handover
 * *przekazanie pojazdu*, handover video *nagranie z przekazania*, delivery address *adres dostawy*, vehicle *pojazd*, seller
 * *sprzedawca*, team *zespół*, link *link*, email *wiadomość e-mail*, photo *zdjęcie*, identity document *dokument
 * tożsamości*, camera *aparat* (for photos) and *kamera* (for the video), service *usługa*, finance *finansowanie*, sign in
 * *zalogować się*, sign out *wylogować się*, try again *spróbować ponownie*.
 */
import type { Rooms } from "../en/english.ts"
import { polishAddress } from "./address.ts"
import { polishCompany } from "./company.ts"
import { polishConsent } from "./consent.ts"
import { polishEnding } from "./ending.ts"
import { polishFrame } from "./frame.ts"
import { polishMail } from "./mail.ts"
import { polishNotices } from "./notices.ts"
import { polishProblems } from "./problems.ts"
import { polishSteps } from "./steps.ts"
import { polishLink } from "./link.ts"
import { polishTelephone } from "./telephone.ts"
import { polishTestOutcomes } from "./testOutcomes.ts"
import { polishIdentity } from "./identity.ts"
import { polishJourney } from "./journey.ts"
import { polishVideo } from "./video.ts"

export const polish: Rooms = {
  address: polishAddress,
  company: polishCompany,
  consent: polishConsent,
  ending: polishEnding,
  frame: polishFrame,
  mail: polishMail,
  notices: polishNotices,
  problems: polishProblems,
  steps: polishSteps,
  link: polishLink,
  testOutcomes: polishTestOutcomes,
  identity: polishIdentity,
  journey: polishJourney,
  video: polishVideo,
  telephone: polishTelephone
}
