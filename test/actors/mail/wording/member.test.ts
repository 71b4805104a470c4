import { expect, it } from "vitest"
import { contentOf } from "../../../../src/actors/mail/wording/emailContent.ts"
import {
  invitationEmail,
  removalEmail,
  signInEmail,
  type Invitation
} from "../../../../src/actors/mail/wording/member.ts"

const link = "https://journeys.example/console/sign-in/token"
const invitation: Invitation = {
  company: "Harbour Cars",
  role: "TEAM",
  by: "ann@harbour.example",
  link,
  until: Date.UTC(2026, 6, 4, 23, 5),
  signInUrl: "https://journeys.example/console/sign-in"
}

it("an invitation says who invites, for which company and as what, and how to sign in now and later", () => {
  const { html, subject, text } = contentOf(invitationEmail(invitation))
  expect(subject).toBe("You are invited to Harbour Cars on Journeys")
  expect(text).toContain(
    "You are invited to work for Harbour Cars on Journeys, as a member of the team, by ann@harbour.example."
  )
  expect(text).toContain(`Sign in: ${link}`)
  expect(text).toContain("within 3 days: until 4 Jul 2026, 23:05 UTC (00:05 in London, the next day).")
  expect(html).toContain(`href="${link}"`)
})

it("a company's name makes no line and no markup of its own", () => {
  const { html, subject } = contentOf(invitationEmail({ ...invitation, company: "<b>Cars</b>\r\nBcc: x@y.example" }))
  expect(subject.replaceAll("\u200c", "")).toBe("You are invited to <b>Cars</b> Bcc: x@y.example on Journeys")
  expect(html).not.toContain("<b>Cars")
})

it("a link to sign in says how long it works, and names no company", () => {
  const { text } = contentOf(signInEmail(link))
  expect(text).toContain(`Sign in: ${link}`)
  expect(text).toContain("within 10 minutes")
})

it("who was removed reads by whom and from which company, what ended, and whom to ask", () => {
  const { subject, text } = contentOf(
    removalEmail({ company: "Harbour Cars", role: "OWNER", by: "ann@harbour.example" })
  )
  expect(subject).toBe("You are no longer a member of Harbour Cars on Journeys")
  expect(text).toMatch(
    /^You were an owner at Harbour Cars on Journeys, and have been removed by ann@harbour\.example\./
  )
  expect(text).toContain("your sessions there have ended, and your passkeys there are gone")
  expect(text).toContain("ask ann@harbour.example or an owner of Harbour Cars.")
  expect(text).toContain("tell the operator of this service")
})

it("who was removed by the operator is sent to the owners first", () => {
  const { text } = contentOf(
    removalEmail({ company: "Harbour Cars", role: "TEAM", by: "the operator of this service" })
  )
  expect(text).toMatch(/^You were a member of the team at .* removed by the operator of this service\./)
  expect(text).toContain("If you do not, ask an owner of Harbour Cars.")
})
