/**
 * Companies as the operator makes, reads and changes them. What a company can be told is the
 * model's; the company's keys, wallets and webhook endpoints are resources of their own.
 */
import { Effect } from "effect"
import { HttpApiEndpoint, HttpApiSchema } from "effect/http-api"
import { actionOfChange, newDemandOf } from "../../../actors/company/companyAction.ts"
import { auditDetailsOf, companyChange } from "../../../actors/company/companyChange.ts"
import { CompanyStore } from "../../../actors/company/CompanyStore.ts"
import { LogoCheck } from "../../../actors/company/LogoCheck.ts"
import { Ids } from "../../../actors/kernel/Ids.ts"
import { Vault } from "../../../actors/kernel/Vault.ts"
import { Passkeys } from "../../../actors/members/Passkeys.ts"
import {
  Company,
  CompanyBody,
  CompanyPatch,
  CompanyQuery,
  CompanyResource,
  companyResource
} from "../../../schema/company/Company.ts"
import { companyLimits } from "../../../schema/company/limits.ts"
import { exampleOf } from "../../../schema/model.ts"
import { ofAnyBody, ofAnyCompany, ofAnyToken } from "../../server/answers/commonRefusals.ts"
import { answer, described, jsonExample, LargestJson, pageAnswer } from "../../server/endpoints/described.ts"
import { answerOf, refusedWith } from "../../server/answers/envelope.ts"
import { problem, success, unavailable } from "../../server/answers/problems.ts"
import { pageAsked, pageOf } from "../../server/endpoints/query.ts"
import { Asker } from "../../server/endpoints/Asker.ts"
import { operatorResource } from "../../server/endpoints/serve.ts"
import { auditLine, changing } from "../frame/change.ts"
import { signInFreshOrRefused } from "../frame/freshSignIn.ts"
import { companiesPath, companyPath, companyAsked, notFound, ofCompany, pages } from "../frame/ofCompany.ts"
import { passkeySiteOrRefused } from "../frame/webauthn.ts"
import { CompanyId } from "../../../schema/ids.ts"

const CompanyAnswer = answerOf("CompanyAnswer", CompanyResource)
const example = exampleOf(CompanyResource)

const createCompany = HttpApiEndpoint.post("createCompany", companiesPath, {
  payload: CompanyBody,
  success: CompanyAnswer.pipe(HttpApiSchema.status(201)),
  error: refusedWith(ofAnyToken, ...ofAnyBody)
}).annotateMerge(
  described({
    summary: "Create a company",
    description:
      "A dealer or a broker. The administrator is the first owner of its console and is invited by mail. Its sandbox works at once; live journeys need what they check configured first.",
    request: jsonExample("A dealer", exampleOf(CompanyBody)),
    answer: answer("The company", "Company created", example)
  })
)

const listCompanies = HttpApiEndpoint.get("listCompanies", companiesPath, {
  query: CompanyQuery,
  success: pages("CompanyPage", CompanyResource),
  error: refusedWith(ofAnyToken, "VALIDATION_FAILED")
}).annotateMerge(
  described({
    summary: "List companies",
    description: "Every company of this installation, the newest first, or those that a search finds.",
    answer: pageAnswer("Companies", example)
  })
)

const getCompany = HttpApiEndpoint.get("getCompany", companyPath, {
  params: ofCompany,
  success: CompanyAnswer,
  error: refusedWith(ofAnyCompany)
}).annotateMerge(
  described({
    summary: "Get a company",
    allowedTo: "TEAM",
    description: "The company with its configuration; a provider's secret is never shown.",
    answer: answer("The company", "Company", example)
  })
)

const changeCompany = HttpApiEndpoint.patch("changeCompany", companyPath, {
  params: ofCompany,
  payload: CompanyPatch,
  success: CompanyAnswer,
  error: refusedWith(ofAnyCompany, ...ofAnyBody, "CONFLICT", "SIGN_IN_AGAIN")
})
  .annotateMerge(
    described({
      summary: "Change a company",
      allowedTo: "OWNER",
      description:
        "Only the fields that are sent change, and of `brand` and `sandbox` only the members that are sent. `active: false` makes all its API keys invalid.",
      request: jsonExample("What live journeys need", {
        identityProvider: { kind: "BUILT_IN" },
        financePanel: { name: "PanelOne", url: "https://panel.example/applications", secret: "agreed-with-the-panel" }
      } satisfies CompanyPatch),
      answer: answer("The company as it is now", "Company changed", example)
    })
  )
  .annotate(LargestJson, companyLimits.largestChangeBytes)

/** The image of a body, cleaned. Null takes the logo away; undefined leaves the logo as it is. */
const cleanedLogo = Effect.fnUntraced(function* ({ brand }: CompanyPatch) {
  const logo = brand?.logo
  if (logo == null) return logo
  const logos = yield* LogoCheck
  return yield* logos.clean(Buffer.from(logo, "base64")).pipe(
    Effect.catchTags({
      LogoUnusable: ({ rule }) => Effect.fail(problem("VALIDATION_FAILED", "brand.logo", `brand.logo ${rule}`)),
      LogoCheckUnavailable: () => Effect.fail(unavailable())
    })
  )
})

/**
 * Whether members need a passkey is how they sign in, so it is changed after a fresh sign-in. Nobody locks everybody out with it, or themselves:
 * passkeys must work here, and a member has one already.
 */
const judgeDemand = Effect.fnUntraced(function* (newDemand: boolean | undefined) {
  if (newDemand === undefined) return
  yield* signInFreshOrRefused
  if (!newDemand) return
  yield* passkeySiteOrRefused("passkeysRequired")
  const asker = yield* Asker
  const passkeys = yield* Passkeys
  if (asker._tag === "Member" && (yield* passkeys.credentials(asker.memberId)).length === 0) {
    return yield* problem(
      "CONFLICT",
      "passkeysRequired",
      "Add a passkey of your own first, on the page Team: you would be asked for it at once"
    )
  }
})

/** A company that the operator has turned off must not turn itself on again. */
const activeIsTheOperators = problem(
  "ROLE_NOT_PERMITTED",
  "active",
  "Only the operator of this installation turns a company on or off"
)

export const companyOperations = operatorResource([createCompany, listCompanies, getCompany, changeCompany], {
  createCompany: (asked) =>
    Effect.gen(function* () {
      const { invite = true, ...body } = yield* asked.body
      const store = yield* CompanyStore
      const id = CompanyId.make((yield* Ids).next())
      const line = yield* auditLine("company.created", { name: body.name, kind: body.kind })
      const made = Company.row.make({ ...body, id, createdAt: line.at })
      yield* changing(store.add([{ company: made, line, keys: [], invitedBy: invite ? line.actor : null }]))
      return companyResource(made)
    }),

  listCompanies: (asked) =>
    Effect.gen(function* () {
      const { search, ...query } = yield* asked.query
      const page = pageAsked(query)
      const store = yield* CompanyStore
      return pageOf(page, yield* store.list(page, search), companyResource)
    }),

  getCompany: (asked) => Effect.map(companyAsked(asked), companyResource),

  changeCompany: (asked) =>
    Effect.gen(function* () {
      const before = yield* companyAsked(asked)
      const patch = yield* asked.body
      if (patch.active !== undefined && (yield* Asker)._tag === "Member") return yield* activeIsTheOperators
      if (Object.keys(patch).length === 0) return success(200, companyResource(before), "Nothing changed")
      yield* judgeDemand(newDemandOf(before, patch))
      const logo = yield* cleanedLogo(patch)
      const store = yield* CompanyStore
      const change = companyChange(before.id, patch, yield* Vault, logo)
      const line = yield* auditLine(actionOfChange(before, patch), auditDetailsOf(patch, change))
      const changed = yield* changing(store.change(before.id, change, line, logo))
      return companyResource(changed ?? (yield* notFound("company")))
    })
})
