/**
 * The sections of the console, in the order of its navigation. Who may see the pages of a section is decided by the operations
 * that the pages ask; the navigation only leaves out what somebody could not open.
 */
import { suffices, type Role } from "../../../schema/members/Role.ts"
import type { AskerIdentity } from "../../server/endpoints/Asker.ts"

interface Section {
  readonly path: `/console${string}`
  readonly label: string
  readonly least: Role
}

/** The sections about a company. */
const ofCompany: ReadonlyArray<Section> = [
  { path: "/console", label: "Overview", least: "TEAM" },
  { path: "/console/journeys", label: "Journeys", least: "TEAM" },
  { path: "/console/reviews", label: "Reviews", least: "TEAM" },
  { path: "/console/handovers", label: "Handovers", least: "TEAM" },
  { path: "/console/keys", label: "API keys", least: "TEAM" },
  { path: "/console/requests", label: "Requests", least: "TEAM" },
  { path: "/console/webhooks", label: "Webhooks", least: "TEAM" },
  { path: "/console/wallets", label: "Wallets", least: "TEAM" },
  { path: "/console/vehicles", label: "Vehicles", least: "TEAM" },
  { path: "/console/team", label: "Team", least: "TEAM" },
  { path: "/console/company", label: "Company", least: "TEAM" },
  { path: "/console/audit", label: "Audit log", least: "TEAM" }
]

/** The sections about the whole installation, for the operator alone. */
const ofInstallation: ReadonlyArray<Section> = [
  { path: "/console/operator", label: "Installation", least: "OWNER" },
  { path: "/console/operator/companies", label: "Companies", least: "OWNER" },
  { path: "/console/operator/waiting", label: "Waiting", least: "OWNER" },
  { path: "/console/operator/set-aside", label: "Set aside", least: "OWNER" },
  { path: "/console/operator/endpoints", label: "Failing endpoints", least: "OWNER" },
  { path: "/console/operator/runners", label: "Runners", least: "OWNER" },
  { path: "/console/operator/mailbox", label: "Mailbox", least: "OWNER" },
  { path: "/console/operator/tokens", label: "Operator tokens", least: "OWNER" }
]

export interface Navigation {
  readonly company: ReadonlyArray<Section>
  readonly installation: ReadonlyArray<Section>
}

/** What somebody can open. An operator sees a company's sections while looking at a company. */
export const navigationOf = (asker: AskerIdentity, isAtCompany: boolean): Navigation => ({
  company: isAtCompany ? ofCompany.filter(({ least }) => asker._tag === "Operator" || suffices(asker.role, least)) : [],
  installation: asker._tag === "Operator" ? ofInstallation : []
})

/** The path of the section that a page belongs to: the longest that the page's path begins with. */
export const sectionOf = (path: string, { company, installation }: Navigation): string | undefined =>
  [...company, ...installation]
    .map((section) => section.path)
    .filter((section) => path === section || path.startsWith(`${section}/`))
    .toSorted((one, other) => other.length - one.length)[0]
