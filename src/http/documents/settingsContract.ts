/**
 * The settings API as a contract: companies with what is configured for them, their API keys and their wallets; their
 * webhook endpoints are in `webhookContract.ts`, the work of their team in `teamContract.ts`. It handles nothing;
 * `settings/settingsRoutes.ts` does, and a test holds the two together.
 */
import { HttpApiEndpoint } from "effect/http-api"
import { CompanyResource } from "../../schema/company/Company.ts"
import { MailQuery, MailResource } from "../../schema/mail/MailResource.ts"
import { PageQuery } from "../../schema/parameters.ts"
import { answerOf, failuresOf } from "../server/envelope.ts"
import { refusals } from "./refusals.ts"
import { companies, company, created, ofCompany, pages, says, uuid } from "./settingsParts.ts"
import { ApiKeyBody, ApiKeyPatch, ApiKeyResource, NewApiKeyResource } from "../../schema/company/ApiKey.ts"
import { AuditEntryResource } from "../../schema/company/AuditEntry.ts"
import { CreditsBody, LedgerEntryResource, WalletName, WalletResource } from "../../schema/company/Wallet.ts"
import { CompanyBody, CompanyPatch } from "../../schema/company/Company.ts"

const ofKey = { ...ofCompany, keyId: uuid.annotate({ description: "The API key's id" }) }
const ofWallet = { ...ofCompany, wallet: WalletName.annotate({ description: "Which wallet" }) }

const apiKeys = `${company}/api-keys` as const
const apiKey = `${apiKeys}/:keyId` as const
const wallets = `${company}/wallets` as const

const query = PageQuery
const CompanyAnswer = answerOf("CompanyAnswer", CompanyResource)
const ApiKeyAnswer = answerOf("ApiKeyAnswer", ApiKeyResource)
const NewApiKeyAnswer = answerOf("NewApiKeyAnswer", NewApiKeyResource)
const WalletAnswer = answerOf("WalletAnswer", WalletResource)

export const ofCompanies = [
  HttpApiEndpoint.post("createCompany", companies, {
    payload: CompanyBody,
    success: CompanyAnswer.pipe(created),
    error: failuresOf(refusals.createCompany)
  }).annotateMerge(
    says(
      "Create a company",
      "A dealer or a broker. Its sandbox works at once; live journeys need what they check configured first."
    )
  ),
  HttpApiEndpoint.get("listCompanies", companies, {
    query,
    success: pages("CompanyPage", CompanyResource),
    error: failuresOf(refusals.listCompanies)
  }).annotateMerge(says("List companies", "Every company of this installation.")),
  HttpApiEndpoint.get("getCompany", company, {
    params: ofCompany,
    success: CompanyAnswer,
    error: failuresOf(refusals.getCompany)
  }).annotateMerge(says("Get a company", "The company with its configuration; a provider's secret is never shown.")),
  HttpApiEndpoint.patch("changeCompany", company, {
    params: ofCompany,
    payload: CompanyPatch,
    success: CompanyAnswer,
    error: failuresOf(refusals.changeCompany)
  }).annotateMerge(
    says("Change a company", "Only the fields that are sent change. `active: false` makes all its API keys invalid.")
  ),
  HttpApiEndpoint.get("listChanges", `${company}/audit`, {
    params: ofCompany,
    query,
    success: pages("AuditPage", AuditEntryResource),
    error: failuresOf(refusals.listChanges)
  }).annotateMerge(says("List changes", "The audit log: who changed what, and when. It never holds a secret."))
] as const

export const ofKeys = [
  HttpApiEndpoint.post("createApiKey", apiKeys, {
    params: ofCompany,
    payload: ApiKeyBody,
    success: NewApiKeyAnswer.pipe(created),
    error: failuresOf(refusals.createApiKey)
  }).annotateMerge(
    says(
      "Create an API key",
      "The answer holds the key's text, which is shown only here. Without scopes the key may do everything its mode allows."
    )
  ),
  HttpApiEndpoint.get("listApiKeys", apiKeys, {
    params: ofCompany,
    query,
    success: pages("ApiKeyPage", ApiKeyResource),
    error: failuresOf(refusals.listApiKeys)
  }).annotateMerge(says("List API keys", "The company's keys, revoked ones included, by their last four characters.")),
  HttpApiEndpoint.patch("changeApiKey", apiKey, {
    params: ofKey,
    payload: ApiKeyPatch,
    success: ApiKeyAnswer,
    error: failuresOf(refusals.changeApiKey)
  }).annotateMerge(
    says(
      "Change an API key",
      "Its name, scopes, expiry, or whether it is a developer key. A revoked key stays as it is."
    )
  ),
  HttpApiEndpoint.delete("revokeApiKey", apiKey, {
    params: ofKey,
    success: ApiKeyAnswer,
    error: failuresOf(refusals.revokeApiKey)
  }).annotateMerge(says("Revoke an API key", "For good, and at once. Revoking a revoked key changes nothing.")),
  HttpApiEndpoint.post("rotateApiKey", `${apiKey}/rotate`, {
    params: ofKey,
    success: NewApiKeyAnswer,
    error: failuresOf(refusals.rotateApiKey)
  }).annotateMerge(
    says(
      "Rotate an API key",
      "Gives the key a new text, shown only in this answer. The old text stops working at once."
    )
  )
] as const

export const ofWallets = [
  HttpApiEndpoint.get("listWallets", wallets, {
    params: ofCompany,
    query,
    success: pages("WalletPage", WalletResource),
    error: failuresOf(refusals.listWallets)
  }).annotateMerge(
    says("List wallets", "What pays for applications and identity checks; `held` is promised to running journeys.")
  ),
  HttpApiEndpoint.post("addCredits", `${wallets}/:wallet/credits`, {
    params: ofWallet,
    payload: CreditsBody,
    success: WalletAnswer.pipe(created),
    error: failuresOf(refusals.addCredits)
  }).annotateMerge(says("Add credits", "A whole number of credits; a check costs one.")),
  HttpApiEndpoint.get("listLedger", `${wallets}/:wallet/ledger`, {
    params: ofWallet,
    query,
    success: pages("LedgerPage", LedgerEntryResource),
    error: failuresOf(refusals.listLedger)
  }).annotateMerge(
    says(
      "List a wallet's ledger",
      "Credits bought, and credits charged for journeys; the amounts add up to the balance."
    )
  )
] as const

export const ofMail = [
  HttpApiEndpoint.get("listMail", "/settings/v1/mail", {
    query: MailQuery,
    success: pages("MailPage", MailResource),
    error: failuresOf(refusals.listMail)
  }).annotateMerge(
    says(
      "List mail",
      "The built-in mailbox, newest first: mail that was kept because no SMTP server is set. With SMTP_URL there is none."
    )
  )
] as const
