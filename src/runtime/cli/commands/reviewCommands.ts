/** `journeys reviews`: what waits for a company's team, and its decisions. */
import { Clock, Effect } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { ageText } from "../../../schema/ageText.ts"
import { lengthOfReason } from "../../../schema/company/reasonText.ts"
import type { CustomerReads, Worded } from "../../../schema/review/CustomerReads.ts"
import type { ReviewVerdict } from "../../../schema/review/Review.ts"
import { companyArgument, given, page, required } from "../frame/parameters.ts"
import { printOne, printPage, printSections } from "../frame/printing.ts"
import { queryFlags } from "../frame/queryFlags.ts"
import { SettingsClient } from "../frame/SettingsClient.ts"

const review = Argument.String("review").pipe(Argument.withDescription("The review's id"))

const paramsOf = (flags: { readonly company: string; readonly review: string }) => ({
  companyId: flags.company,
  reviewId: flags.review
})

const list = Command.make(
  "list",
  {
    company: companyArgument,
    ...queryFlags("listReviews"),
    ...page
  },
  Effect.fn("reviews list")(function* ({ company, page: number, size, ...filters }) {
    const client = yield* SettingsClient
    const found = yield* client.call("listReviews", {
      params: { companyId: company },
      query: { ...given(filters), page: number, size }
    })
    const now = yield* Clock.currentTimeMillis
    yield* printPage(found, [
      ["ID", (one) => one.id],
      ["KIND", (one) => one.kind],
      ["CUSTOMER", (one) => one.customerName],
      ["REGISTRATION", (one) => one.registration],
      ["SINCE", (one) => one.since],
      ["AGE", (one) => ageText(Date.parse(one.since), now)],
      ["JOURNEY", (one) => one.journeyId],
      ["REFERENCE", (one) => one.externalReference],
      ["ATTEMPTS", (one) => one.attempts],
      ["REASONS", (one) => one.reasons]
    ])
  })
).pipe(Command.withDescription("List what waits for the team, the longest waiting first"))

const show = Command.make(
  "show",
  { company: companyArgument, review },
  Effect.fn("reviews show")(function* (flags) {
    const client = yield* SettingsClient
    const found = yield* client.call("getReview", { params: paramsOf(flags), query: {} })
    const { consents, customerReads, pictures, ...plain } = found
    yield* printSections(found, {
      ...plain,
      consents,
      pictures,
      "the customer will read": customerReads.flatMap(readLines)
    })
  })
).pipe(Command.withDescription("Show one, where its photos are, and what the customer will read"))

/** A line for each sentence that the customer reads. */
const readLines = ({ decision, mails, page, showsReason }: CustomerReads) => {
  const line = (on: string) => (one: Worded) => ({
    decision,
    on,
    text: one.text.replaceAll(/\s+/g, " "),
    english: one.english
  })
  return [
    ...page.map(line("page")),
    ...(showsReason ? [{ decision, on: "page", text: "(the reason as you write it)", english: null }] : []),
    ...mails.flatMap(({ kind, paragraphs, subject }) => [subject, ...paragraphs].map(line(kind)))
  ]
}

const decide = (name: string, decision: ReviewVerdict, description: string, reasonIsFor: string) =>
  Command.make(
    name,
    {
      company: companyArgument,
      review,
      reason: Flag.String("reason").pipe(
        required(`Why, ${lengthOfReason}; kept sealed with the journey, ${reasonIsFor}`)
      )
    },
    Effect.fn(`reviews ${name}`)(function* ({ reason, ...flags }) {
      const client = yield* SettingsClient
      const payload = { decision, reason }
      yield* printOne(yield* client.call("decideReview", { params: paramsOf(flags), payload }))
    })
  ).pipe(Command.withDescription(description))

export const reviewsCommand = Command.make("reviews").pipe(
  Command.withDescription("Reviews of a company"),
  Command.withSubcommands([
    list,
    show,
    decide("approve", "APPROVE", "Approve an identity check or a video", "for the team"),
    decide("reject", "REJECT", "Reject one; the customer tries again", "and shown to the customer of an identity check")
  ])
)
