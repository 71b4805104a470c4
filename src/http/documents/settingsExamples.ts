/** Example requests and answers of the settings API. Companies and keys are invented; no key here opens anything. */
import type {
  ApiKeyResource,
  AuditEntryResource,
  CompanyResource,
  LedgerEntryResource,
  NewApiKeyResource,
  WalletResource
} from "../../schema/company/Company.ts"
import { KeyScope } from "../../schema/company/Company.ts"
import type { MailResource } from "../../schema/mail/MailResource.ts"
import { defaultSandboxSwitches } from "../../schema/journey/sandbox.ts"
import type {
  ApiKeyBody,
  ApiKeyPatch,
  CompanyBody,
  CompanyPatch,
  CreditsBody
} from "../../schema/company/settingsBodies.ts"
import { contentOf } from "../../actors/mail/wording/Email.ts"
import { endpointEmail } from "../../actors/mail/wording/endpoint.ts"
import { answered, pageOf, type Answer, type Answers, type Requests } from "../server/exampleAnswer.ts"
import { exampleId } from "./exampleId.ts"

const at = "2026-01-05T09:00:00.000Z"
const later = "2026-01-15T10:31:07.218Z"

const company: CompanyResource = {
  id: exampleId("company", 1),
  name: "Harbour Cars",
  kind: "DEALER",
  adminEmail: "owner@harbourcars.example",
  active: true,
  identityProvider: { kind: "BUILT_IN" },
  financePanel: { name: "PanelOne", url: "https://panel.example/applications" },
  identityWindowDays: 30,
  handoverWindowDays: 30,
  mediaRetentionDays: 30,
  sandbox: defaultSandboxSwitches,
  createdAt: at
}

const apiKey: ApiKeyResource = {
  id: exampleId("apiKey", 1),
  mode: "TEST",
  name: "Showroom system",
  last4: "7Qx2",
  scopes: KeyScope.literals,
  developer: true,
  expiresAt: "2027-01-05T09:00:00.000Z",
  revokedAt: null,
  createdAt: at
}

const newApiKey: NewApiKeyResource = { ...apiKey, key: "svc_test_<32 random characters>7Qx2" }
const wallet: WalletResource = { wallet: "IDENTITY", balance: 120, held: 3 }

const entry: LedgerEntryResource = {
  id: exampleId("ledgerEntry", 2),
  amount: -1,
  journeyId: exampleId("journey", 1),
  note: "Identity check",
  at: later
}

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

const change: AuditEntryResource = {
  id: exampleId("change", 1),
  actor: "operator",
  action: "wallet.credited",
  details: { wallet: "IDENTITY", amount: 100 },
  at
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
  listChanges: page("Audit log", change),
  createApiKey: { 201: one("The key with its text", "API key created; its text is shown only now", newApiKey) },
  listApiKeys: page("API keys", apiKey),
  changeApiKey: { 200: one("The key as it is now", "API key changed", apiKey) },
  revokeApiKey: { 200: one("The revoked key", "API key revoked", { ...apiKey, revokedAt: later }) },
  rotateApiKey: { 200: one("The key with its new text", "API key rotated; its text is shown only now", newApiKey) },
  listWallets: page("Wallets", { wallet: "APPLICATION", balance: 40, held: 0 } satisfies WalletResource, wallet),
  addCredits: { 201: one("The wallet with the credits in it", "Credits added", wallet) },
  listLedger: page("Ledger", entry),
  listMail: page("Mail", mail)
}

const json = (summary: string, value: unknown) => ({ "application/json": { Example: { summary, value } } })

export const settingsRequests: Requests = {
  createCompany: json("A dealer", {
    name: "Harbour Cars",
    kind: "DEALER",
    adminEmail: "owner@harbourcars.example"
  } satisfies CompanyBody),
  changeCompany: json("What live journeys need", {
    identityProvider: { kind: "BUILT_IN" },
    financePanel: { name: "PanelOne", url: "https://panel.example/applications", secret: "agreed-with-the-panel" }
  } satisfies CompanyPatch),
  createApiKey: json("A key that expires", {
    mode: "TEST",
    name: "Showroom system",
    expiresAt: "2027-01-05T09:00:00Z"
  } satisfies ApiKeyBody),
  changeApiKey: json("A key that only reads", { scopes: ["journeys:read"] } satisfies ApiKeyPatch),
  addCredits: json("A hundred credits", { amount: 100, note: "Invoice 2026-118" } satisfies CreditsBody)
}
