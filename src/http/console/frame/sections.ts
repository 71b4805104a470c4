/**
 * The sections of the console, in the order of its navigation. Who may do what on the pages of a section is decided by the
 * operations that the pages ask; the navigation only leaves out what somebody could not open.
 */
import type { AskerIdentity } from "../../server/endpoints/Asker.ts"

interface Section {
  readonly path: `/console${string}`
  readonly label: string
}

/** The sections about a company. */
const ofCompany: ReadonlyArray<Section> = [
  { path: "/console", label: "Overview" },
  { path: "/console/journeys", label: "Journeys" },
  { path: "/console/reviews", label: "Reviews" },
  { path: "/console/handovers", label: "Handovers" },
  { path: "/console/keys", label: "API keys" },
  { path: "/console/requests", label: "Requests" },
  { path: "/console/webhooks", label: "Webhooks" },
  { path: "/console/wallets", label: "Wallets" },
  { path: "/console/vehicles", label: "Vehicles" },
  { path: "/console/team", label: "Team" },
  { path: "/console/company", label: "Company" },
  { path: "/console/audit", label: "Audit log" }
]

/** The sections about the whole installation, for the operator alone. */
const ofInstallation: ReadonlyArray<Section> = [
  { path: "/console/operator", label: "Installation" },
  { path: "/console/operator/companies", label: "Companies" },
  { path: "/console/operator/waiting", label: "Waiting" },
  { path: "/console/operator/set-aside", label: "Set aside" },
  { path: "/console/operator/endpoints", label: "Failing endpoints" },
  { path: "/console/operator/runners", label: "Runners" },
  { path: "/console/operator/mailbox", label: "Mailbox" },
  { path: "/console/operator/tokens", label: "Operator tokens" }
]

export interface Navigation {
  readonly company: ReadonlyArray<Section>
  readonly installation: ReadonlyArray<Section>
}

/** What somebody can open. An operator sees a company's sections while looking at a company. */
export const navigationOf = (asker: AskerIdentity, isAtCompany: boolean): Navigation => ({
  company: isAtCompany ? ofCompany : [],
  installation: asker._tag === "Operator" ? ofInstallation : []
})

/** The path of the section that a page belongs to: the longest that the page's path begins with. */
export const sectionOf = (path: string, { company, installation }: Navigation): string | undefined =>
  [...company, ...installation]
    .map((section) => section.path)
    .filter((section) => path === section || path.startsWith(`${section}/`))
    .toSorted((one, other) => other.length - one.length)[0]
