/**
 * The step CONFIRM_ADDRESS at /app/address: the page offers the addresses on file, or asks for one. A confirmed address is
 * stored, sealed, before the journey hears of it: the handover never stands without its address. Until the video is sent the
 * customer may correct the address; the journey need not hear of that. Which address is wrong or unlikely is decided in
 * `actors/customer/confirmedAddress.ts`.
 */
import { Effect, Result } from "effect"
import type { HttpServerRequest } from "effect/http"
import { journeyPagePath } from "../../../actors/customer/appPaths.ts"
import { judgeAddress } from "../../../actors/customer/confirmedAddress.ts"
import { CustomerDetails } from "../../../actors/customer/CustomerDetails.ts"
import { mayCorrectAddress } from "../../../actors/customer/customerStep.ts"
import { addressFields, isSameAddress, type DeliveryAddress } from "../../../schema/requests/deliveryAddress.ts"
import { STEPS } from "../../../schema/journey/steps.ts"
import {
  addressChoice,
  addressCorrection,
  doubtfulAddress,
  isMeant,
  typedForm,
  wrongAddress,
  type AddressPage,
  type GivenAddress
} from "./addressForm.ts"
import { appRoute } from "../frame/appRoute.ts"
import type { Html } from "../../server/pages/html.ts"
import { pageResponse, toJourneyPage } from "../frame/page.ts"
import { pageStatus, type PageStatus } from "../../server/pages/pageStatus.ts"
import { askAsCustomer } from "../session/askAsCustomer.ts"
import { chosenIn, inChosenLanguage } from "../session/languageChoice.ts"
import { customerForm, customerPage, frameOf, isAskedFor, type CustomerSession } from "../session/CustomerSession.ts"

const { path } = STEPS.CONFIRM_ADDRESS.app

const shown = (customer: CustomerSession, content: Html, status: PageStatus = pageStatus.shown) =>
  pageResponse({
    ...frameOf(customer),
    typedForm,
    heading: customer.visitor.words.steps.CONFIRM_ADDRESS.name,
    isProblem: status !== pageStatus.shown,
    status,
    content
  })

const addressPageOf = ({ formToken, visitor }: CustomerSession): AddressPage => ({
  words: visitor.words.address,
  formToken
})

/** A customer who is asked for the address, or may still correct it; anybody else is sent to the journey's page. */
const whenOpen =
  <Input, R, E>(handle: (input: Input, customer: CustomerSession) => Effect.Effect<ReturnType<typeof shown>, E, R>) =>
  (input: Input, customer: CustomerSession) =>
    isAskedFor("CONFIRM_ADDRESS", customer) || mayCorrectAddress(customer.journey)
      ? handle(input, customer)
      : Effect.succeed(toJourneyPage())

/** `typed`: what the customer had typed on the page before. */
const addressPage = (customer: CustomerSession, typed?: GivenAddress) => {
  const { addressesOnFile, confirmedAddress } = customer.details
  const page = addressPageOf(customer)
  return shown(
    customer,
    confirmedAddress === null || isAskedFor("CONFIRM_ADDRESS", customer)
      ? addressChoice(page, addressesOnFile, typed)
      : addressCorrection(page, confirmedAddress, journeyPagePath, typed)
  )
}

const showAddress = whenOpen((_request: HttpServerRequest.HttpServerRequest, customer) =>
  Effect.succeed(addressPage(customer))
)

/** What the form says: the fields, or an address on file. */
const givenIn = (form: URLSearchParams, onFile: ReadonlyArray<DeliveryAddress>): Readonly<Record<string, string>> => {
  const chosen = form.get("choice")
  const address = chosen !== null && /^\d{1,2}$/.test(chosen) ? onFile[Number(chosen)] : undefined
  return address ?? Object.fromEntries(addressFields.map((name) => [name, form.get(name) ?? ""]))
}

const confirmAddress = whenOpen(
  Effect.fnUntraced(function* (form: URLSearchParams, customer) {
    const { addressesOnFile, confirmedAddress } = customer.details
    const page = addressPageOf(customer)
    const given = givenIn(form, addressesOnFile)
    const language = chosenIn(form)
    if (language !== null) return yield* inChosenLanguage(customer, language, (reader) => addressPage(reader, given))
    const judged = judgeAddress(given, addressesOnFile)
    if (Result.isFailure(judged)) {
      return shown(customer, wrongAddress(page, given, judged.failure), pageStatus.unusable)
    }
    const { address, doubts } = judged.success
    if (!isMeant(doubts, form.get("meant"))) {
      return shown(customer, doubtfulAddress(page, judged.success), pageStatus.unusable)
    }
    const isNew = confirmedAddress === null || !isSameAddress(address, confirmedAddress)
    const file = yield* CustomerDetails
    // False: the journey has gone on, or the customer was erased. The journey's page says which.
    if (isNew && !(yield* file.keepAddress(customer.journey.id, address))) return toJourneyPage()
    if (isAskedFor("CONFIRM_ADDRESS", customer)) {
      // Of two confirmations at once the journey refuses the second: both customers see the journey.
      yield* Effect.catchTag(
        askAsCustomer(customer, { _tag: "LocationConfirmed" }),
        "JourneyRefused",
        () => Effect.void
      )
    }
    return toJourneyPage()
  })
)

export const addressStepRoutes = [
  appRoute("GET", path, customerPage(showAddress)),
  appRoute("POST", path, customerForm(confirmAddress))
] as const
