/**
 * The page where members ask for a link to sign in, at /console/sign-in. Whoever asks sees the same page after the same time, whether
 * the address belongs to a member or not: what is done about the address is done after the answer. The link itself is in
 * `signInLink.ts`; the operator signs in elsewhere.
 */
import { Duration, Effect, Schema } from "effect"
import type { HttpServerRequest } from "effect/http"
import { Mailbox } from "../../../actors/mail/Mailbox.ts"
import { ConsoleLinks } from "../../../actors/members/ConsoleLinks.ts"
import { ConsoleSessions } from "../../../actors/members/ConsoleSessions.ts"
import { memberLimits } from "../../../actors/members/limits.ts"
import { EmailAddress } from "../../../schema/start/contact.ts"
import { demoFor, mailboxPath } from "../../home/homeFrame.ts"
import { addressCountedOf } from "../../server/callers/clientAddress.ts"
import { readCookie } from "../../server/answers/cookies.ts"
import { html } from "../../server/pages/html.ts"
import { pageQuery } from "../../server/pages/pageQuery.ts"
import { problem } from "../../server/answers/problems.ts"
import { RateLimiter } from "../../server/admission/RateLimiter.ts"
import { signInPath, type ConsoleContent } from "../frame/consoleFrame.ts"
import { asFirstShown, type ConsoleFormState, formOf, statusWith } from "../frame/forms.ts"
import { flashOf, withoutFlash } from "../frame/flash.ts"
import { bareResponse, nonceForm, rememberWayBack, withNonce } from "./linkPage.ts"

type Request = HttpServerRequest.HttpServerRequest

const askPage =
  (state: ConsoleFormState, note: string | null = null) =>
  (formToken: string): ConsoleContent => ({
    heading: "Sign in",
    status: statusWith(state),
    content: html`${note !== null && html`<p role="status">${note}</p>`}
      <p>We mail you a link that signs you in. There is no password.</p>
      ${formOf(
        { formToken },
        {
          id: "sign-in",
          action: signInPath,
          button: "Mail me a link",
          state,
          whenRefused: "No link was mailed.",
          fields: [
            {
              is: "email",
              name: "email",
              label: "Your email address",
              hint: "The one that you were invited with",
              required: true,
              autocomplete: "username webauthn"
            }
          ]
        }
      )}
      <p><a href="/console/operator">Sign in as the operator of this service</a></p>`
  })

/** The same for everybody: it does not say whether the address is known, and does not repeat it. */
const askedPage = (hasMailbox: boolean): ConsoleContent => ({
  heading: "Look at your mail",
  content: html`<p>If the address belongs to a member of a company here, a mail with a link is on its way to it.</p>
    ${
      hasMailbox &&
      html`<p>No SMTP server is set, so the mail comes to the <a href="${mailboxPath}">mailbox of this service</a>.</p>`
    }
    <p>
      The link works once, within ${Duration.toMinutes(memberLimits.linkLifetime)} minutes. Open it in this browser, or
      in any other.
    </p>
    <p>
      No mail? Look among the unwanted mail, and check the address. If the company does not know the address, ask an
      owner of the company to invite you.
    </p>
    <p><a href="${signInPath}">Try another address</a></p>`
})

/** The browser still has the cookie of a session that has ended: by time, by somebody else, or by a later sign-in. */
const hasEnded = Effect.fnUntraced(function* (request: Request) {
  const secret = yield* readCookie(request, "console")
  if (secret === null) return false
  const sessions = yield* ConsoleSessions
  return yield* Effect.orElseSucceed(
    Effect.map(sessions.find(secret, false), (session) => session === null),
    () => false
  )
})

const showSignIn = (request: Request) =>
  Effect.gen(function* () {
    const said = yield* flashOf(request)
    const isOver = said === null && (yield* hasEnded(request))
    const note = isOver ? "You are not signed in any more: your session has ended." : (said?.sentence ?? null)
    const shown = yield* rememberWayBack(
      yield* withNonce(request, askPage(asFirstShown, note)),
      pageQuery({ request })("to")
    )
    return said === null ? shown : yield* withoutFlash(shown)
  })

const enterAddress = "Enter the email address that you were invited with, such as ann@harbourcars.example"

const isAddress = Schema.is(EmailAddress)

/** Too many in this minute, for this address: nobody is told. */
const mailLink = Effect.fnUntraced(
  function* (email: string) {
    const limiter = yield* RateLimiter
    const links = yield* ConsoleLinks
    const { admitted } = yield* limiter.take(`console link:${email.toLowerCase()}`, memberLimits.linksAskedAMinute)
    if (admitted) yield* links.mail(email)
  },
  // The failure names no address; whoever asked will ask again.
  Effect.catchTag("StoreUnavailable", (failure) => Effect.logWarning("A link to sign in was not mailed", failure.cause))
)

const askForLink = nonceForm((request, fields) =>
  Effect.gen(function* () {
    const limiter = yield* RateLimiter
    const place = yield* limiter.take(
      `console sign-in:${yield* addressCountedOf(request)}`,
      memberLimits.linksAskedAMinuteFromOnePlace
    )
    if (!place.admitted) {
      return yield* problem("RATE_LIMITED", "address", "Too many links were asked for. Please wait a minute.", {
        "retry-after": String(Math.max(1, place.resetSeconds))
      })
    }
    const email = (fields.get("email") ?? "").trim()
    if (!isAddress(email)) {
      const errors = [{ field: "email", code: "VALIDATION_FAILED", message: enterAddress }] as const
      return yield* withNonce(request, askPage({ typed: fields, errors }))
    }
    // The answer is on its way before anything is looked up: it takes as long for an unknown address.
    yield* Effect.forkDetach(mailLink(email))
    const { list } = yield* Mailbox
    return bareResponse(askedPage(list !== null && (yield* demoFor(request)) !== null))
  })
)

export const signInRoutesOfConsole = [
  { method: "GET", path: signInPath, handle: showSignIn },
  { method: "POST", path: signInPath, handle: askForLink }
] as const
