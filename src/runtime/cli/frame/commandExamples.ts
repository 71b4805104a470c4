/**
 * The examples in the help of each command: what follows the command's own words. A test holds that every command has one,
 * and that every flag of an example is a flag of its command.
 */
import { exampleId } from "../../../schema/exampleId.ts"
import { teamButtons } from "../../../schema/journey/actions.ts"

const company = '"Harbour Cars"'
const journey = exampleId("journey", 1)
const event = exampleId("event", 1)
const clock = exampleId("clock", 1)
const key = exampleId("apiKey", 1)
const member = exampleId("member", 1)

export const commandExamples: Readonly<Record<string, ReadonlyArray<string>>> = {
  "companies create": [`--name ${company} --kind DEALER --admin-email owner@harbour.example`],
  "companies list": ["", "--search Harb", "--page 1 --size 50 --json"],
  "companies show": [company, exampleId("company", 1)],
  "companies overview": [company],
  "companies update": [`${company} --identity built-in --identity-window-days 14`],
  "brand set": [`${company} --logo logo.png --colour "#1a56ab" --telephone "+44 113 496 0000"`],
  "keys create": [`${company} --mode TEST --name "Build server"`],
  "keys list": [company],
  "keys show": [`${company} ${key}`],
  "keys update": [`${company} ${key} --expires-at 2030-01-31T09:30:00Z`],
  "keys rotate": [`${company} ${key}`],
  "keys revoke": [`${company} ${key}`],
  "sandbox set": [`${company} --pace 2 --no-credits`],
  "sandbox start": [`${company} CASH_SALE`, `${company} IDENTITY_DELIVERY --clock ${clock}`],
  "clocks create": [company, `${company} --starts-at 2030-01-31T09:30:00Z`],
  "clocks list": [company],
  "clocks show": [`${company} ${clock}`],
  "clocks advance": [`${company} ${clock} --by P30D`, `${company} ${clock} --to 2030-03-01T00:00:00Z`],
  "clocks end": [`${company} ${clock}`],
  "wallets show": [company],
  "wallets credit": [
    `${company} IDENTITY 100 --note "Invoice 2041"`,
    `${company} IDENTITY 100 --note "Invoice 2041" --once invoice-2041`
  ],
  "wallets ledger": [
    `${company} IDENTITY`,
    `${company} IDENTITY --since 2026-01-01T00:00:00Z --until 2026-02-01T00:00:00Z`
  ],
  "webhooks set": [
    `${company} live https://hooks.harbour.example/journeys --event "identity.*" --event journey.completed`
  ],
  "webhooks show": [`${company} live`],
  "webhooks remove": [`${company} test`],
  "webhooks roll-secret": [`${company} live --overlap-hours 24`],
  "webhooks ping": [`${company} live`],
  "webhooks check": [`${company} test`],
  "webhooks sample": [`${company} delivery.completed`],
  "webhooks deliveries": [`${company} live --status GIVEN_UP`],
  "webhooks delivery": [`${company} live ${event}`],
  "webhooks resend": [`${company} live ${event}`],
  "webhooks resend-since": [`${company} live 2026-01-15T00:00:00Z --type journey.completed`],
  "webhooks resends": [`${company} live`],
  "webhooks resend-task": [`${company} live ${exampleId("resend", 1)}`],
  "webhooks statistics": [`${company} live --hours 48`],
  "request-errors": [company, `${company} --mode LIVE`],
  requests: [company, `${company} --mode LIVE --code VALIDATION_FAILED`],
  "reviews list": [company],
  "reviews show": [`${company} ${event}`],
  "reviews approve": [`${company} ${event} --reason "Passport and selfie show one person"`],
  "reviews reject": [`${company} ${event} --reason "The passport has expired"`],
  "journeys list": [`${company} --waiting-on DEALER_TO_REVIEW --mode LIVE`, `${company} --search "AB12 CDE" --json`],
  "journeys case": [`${company} ${journey} --reason review`],
  "journeys export-case": [`${company} ${journey} --json`],
  "journeys timeline": [`${company} ${journey}`, `${company} ${journey} --newest`],
  "journeys show": [`${company} ${journey}`, `${company} deal-1003`, `${company} "AB12 CDE"`],
  "journeys actions": [`${company} ${journey}`],
  ...Object.fromEntries(Object.values(teamButtons).map(({ as }) => [`journeys ${as}`, [`${company} ${journey}`]])),
  "journeys cancel": [`${company} ${journey} --reason "The customer buys no car"`],
  "journeys cancel-handover": [
    `${company} ${journey}`,
    `${company} ${journey} --reason "The customer collects another vehicle"`
  ],
  "journeys simulate": [`${company} ${journey} identity.under_review`],
  "vehicles list": [company, `${company} --search stock-4 --status IN_STOCK`],
  "handovers list": [`${company} --size 50`],
  "handovers show": [`${company} ${journey}`],
  "vehicles set": [`${company} stock-4711 SOLD`],
  "customers sessions": [`${company} ${journey}`],
  "customers end-session": [`${company} ${journey} ${exampleId("customerSession", 1)}`],
  "customers correct": [
    `${company} ${exampleId("customer", 1)} --mobile "07700 900456"`,
    `${company} ${exampleId("customer", 1)} --email sam.taylor@example.com`
  ],
  "customers erase": [`${company} ${exampleId("customer", 1)}`],
  "customers erasure-proof": [`${company} ${exampleId("customer", 1)} > erased.json`],
  "customers check-proof": ["erased.json --key 11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"],
  audit: [company, `${company} --action wallet.credited --since 2026-01-15T00:00:00Z`],
  "audit verify": [
    "",
    `${company} --number 2041 --hash 5feceb66ffc86f38d952786c6d696c79c2dbc239dd4e91b46729d73a27fb57e9`
  ],
  "members list": [company],
  "members invite": [`${company} --email ann@harbour.example --role TEAM`],
  "members role": [`${company} ${member} --role OWNER`],
  "members notices": [`${company} ${member} off`],
  "members remove": [`${company} ${member}`],
  "members passkeys": [`${company} ${member}`],
  "members remove-passkey": [`${company} ${member} ${exampleId("passkey", 1)}`],
  "sessions list": [company],
  "sessions end-all": [`${company} ${member}`],
  "sessions end": [`${company} ${exampleId("consoleSession", 1)}`],
  "mail list": [`--journey ${journey} --json`],
  "mail standing": [company],
  "mail start": [company],
  "mail stop": [company],
  "mail allow": [`${company} --per-day 5000`, company],
  "mail returned": [`${exampleId("mail", 1)} BOUNCE`],
  "installation work": [""],
  "installation runners": [""],
  "installation waiting": ["--on CUSTOMER_TO_VERIFY_IDENTITY --older-than 48"],
  "installation set-aside": [""],
  "installation retry": [journey],
  "installation endpoints": ["--size 50 --json"],
  "encryption status": ["", "--json"],
  "months list": ["", "--json"],
  "operator-tokens create": [
    "prometheus --scope metrics:read",
    "deploy --scope companies:read --scope companies:write --scope keys:write"
  ],
  "operator-tokens list": [""],
  "operator-tokens revoke": [exampleId("operatorToken", 1)],
  listen: ["--forward-to http://localhost:8080/webhooks"],
  doctor: ["", "--json"],
  "export-case": [journey],
  diagram: ["--table"]
}
