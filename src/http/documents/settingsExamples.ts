/** Example requests and answers of the settings API. Companies and keys are invented; no key here opens anything. */
import { contentOf } from "../../actors/mail/wording/Email.ts"
import { endpointEmail } from "../../actors/mail/wording/endpoint.ts"
import { ApiKeyBody, ApiKeyResource, NewApiKeyResource, type ApiKeyPatch } from "../../schema/company/ApiKey.ts"
import { AuditEntryResource } from "../../schema/company/AuditEntry.ts"
import { CompanyBody, CompanyResource, type CompanyPatch } from "../../schema/company/Company.ts"
import { CreditsBody, LedgerEntryResource, WalletResource } from "../../schema/company/Wallet.ts"
import { exampleId } from "../../schema/exampleId.ts"
import type { MailResource } from "../../schema/mail/MailResource.ts"
import { exampleOf } from "../../schema/model.ts"
import { answered, pageOf, type Answer, type Answers, type Requests } from "../server/exampleAnswer.ts"

const later = "2026-01-15T10:31:07.218Z"

const company = exampleOf(CompanyResource)
const apiKey = exampleOf(ApiKeyResource)
const newApiKey = exampleOf(NewApiKeyResource)
const wallet = exampleOf(WalletResource)

const mail: MailResource = {
  id: exampleId("mail", 1),
  kind: "ENDPOINT_OFF",
  companyId: company.id,
  journeyId: null,
  to: company.adminEmail,
  ...contentOf(
    endpointEmail(
      {
        kind: "ENDPOINT_OFF",
        facts: {
          endpointId: exampleId("endpoint", 1),
          mode: "LIVE",
          url: "https://hooks.harbourcars.example",
          failingSince: "2026-01-12T10:31:07.218Z",
          offSince: later
        }
      },
      company,
      "https://journeys.example"
    )
  ),
  createdAt: later
}

const one = (description: string, message: string, data: unknown): Answer => ({
  description,
  examples: { Example: answered(description, message, data) }
})

const page = (message: string, ...content: ReadonlyArray<unknown>) => ({
  200: one("One page of the list", message, pageOf(content))
})

export const settingsAnswers: Answers = {
  createCompany: { 201: one("The company", "Company created", company) },
  listCompanies: page("Companies", company),
  getCompany: { 200: one("The company", "Company", company) },
  changeCompany: { 200: one("The company as it is now", "Company changed", company) },
  listChanges: page("Audit log", exampleOf(AuditEntryResource)),
  createApiKey: { 201: one("The key with its text", "API key created; its text is shown only now", newApiKey) },
  listApiKeys: page("API keys", apiKey),
  changeApiKey: { 200: one("The key as it is now", "API key changed", apiKey) },
  revokeApiKey: { 200: one("The revoked key", "API key revoked", { ...apiKey, revokedAt: later }) },
  rotateApiKey: { 200: one("The key with its new text", "API key rotated; its text is shown only now", newApiKey) },
  listWallets: page("Wallets", { wallet: "APPLICATION", balance: 40, held: 0 } satisfies WalletResource, wallet),
  addCredits: { 201: one("The wallet with the credits in it", "Credits added", wallet) },
  listLedger: page("Ledger", exampleOf(LedgerEntryResource)),
  listMail: page("Mail", mail)
}

const json = (summary: string, value: unknown) => ({ "application/json": { Example: { summary, value } } })

export const settingsRequests: Requests = {
  createCompany: json("A dealer", exampleOf(CompanyBody)),
  changeCompany: json("What live journeys need", {
    identityProvider: { kind: "BUILT_IN" },
    financePanel: { name: "PanelOne", url: "https://panel.example/applications", secret: "agreed-with-the-panel" }
  } satisfies CompanyPatch),
  createApiKey: json("A key that expires", exampleOf(ApiKeyBody)),
  changeApiKey: json("A key that only reads", { scopes: ["journeys:read"] } satisfies ApiKeyPatch),
  addCredits: json("A hundred credits", exampleOf(CreditsBody))
}
