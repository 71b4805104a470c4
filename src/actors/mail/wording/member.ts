/**
 * The words of mail to a company's people: the invitation, the link with which they sign in to the console, and that they are members no
 * more. The words say who invites or removes, and for which company; who may do so, and when a mail is owed, is decided elsewhere.
 */
import { Duration } from "effect"
import type { Role } from "../../../schema/members/Role.ts"
import { mailedMoment } from "../../../schema/teamTime.ts"
import { memberLimits } from "../../members/limits.ts"
import { counted, type Email, type EmailButton } from "./Email.ts"
import { unlinked } from "./unlinked.ts"

export interface Invitation {
  readonly company: string
  readonly role: Role
  /** Who invites, in words. */
  readonly by: string
  readonly link: string
  /** The end of the link, in epoch milliseconds. */
  readonly until: number
  /** Where members sign in later. */
  readonly signInUrl: string
}

export const invitationEmail = ({ by, company, link, role, signInUrl, until }: Invitation): Email => {
  const name = unlinked(company)
  return {
    subject: `You are invited to ${name} on Journeys`,
    paragraphs: [
      `You are invited to work for ${name} on Journeys, ${asWhat[role]}, by ${by}.`,
      mayDo[role],
      signInButton(link),
      `The link works once, within ${counted(Duration.toDays(memberLimits.invitationLifetime), "day")}: until ${mailedMoment(until)}.`,
      { words: "Later, and whenever you need a new link, sign in with this address at", url: signInUrl }
    ],
    smallPrint: ["If you did not expect this mail, do nothing: nobody is signed in until somebody presses the button."]
  }
}

const asWhat: Readonly<Record<Role, string>> = { OWNER: "as an owner", TEAM: "as a member of the team" }

const mayDo: Readonly<Record<Role, string>> = {
  OWNER:
    "As an owner you make API keys, set webhooks and the company's settings, invite others, and do everything that the team does.",
  TEAM: "In the team you follow the journeys of customers, look at what no machine could decide, and help customers on."
}

const signInButton = (link: string): EmailButton => ({
  button: "Sign in",
  instead: "If the button does not work, open this address:",
  url: link
})

export const signInEmail = (link: string): Email => ({
  subject: "Your link to sign in to Journeys",
  paragraphs: [
    "Somebody, we hope you, wants to sign in to the console of Journeys with this address.",
    signInButton(link),
    `The link works once, within ${counted(Duration.toMinutes(memberLimits.linkLifetime), "minute")}. A newer link ends it.`
  ],
  smallPrint: ["If it was not you, do nothing: nobody is signed in until somebody presses the button."]
})

export interface MemberRemoval {
  readonly company: string
  /** What they were. */
  readonly role: Role
  /** Who has removed them, in words. */
  readonly by: string
}

export const removalEmail = ({ by, company, role }: MemberRemoval): Email => {
  const name = unlinked(company)
  return {
    subject: `You are no longer a member of ${name} on Journeys`,
    paragraphs: [
      `You were ${wasWhat[role]} at ${name} on Journeys, and have been removed by ${by}.`,
      `You cannot sign in for ${name} any more: your sessions there have ended, and your passkeys there are gone.`,
      "If you know of this, there is nothing to do.",
      `If you do not, ask ${by.includes("@") ? `${by} or ` : ""}an owner of ${name}. If nobody there knows of it, tell the operator of this service: somebody may be using an account that is not theirs.`
    ]
  }
}

const wasWhat: Readonly<Record<Role, string>> = { OWNER: "an owner", TEAM: "a member of the team" }
