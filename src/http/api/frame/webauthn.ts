/**
 * What an authenticator is asked, and whether what it answers holds (WebAuthn). A challenge is kept with the session, and taken before
 * the answer is judged: an answer is judged once. The name of the service's own host is what passkeys are bound to.
 */
import type {
  AuthenticationResponseJSON,
  AuthenticatorTransport,
  RegistrationResponseJSON
} from "@simplewebauthn/server"
import { Duration, Effect, Schema } from "effect"
import { isIP } from "node:net"
import { ServiceAddress } from "../../../actors/mail/ServiceAddress.ts"
import type { SignedInMember } from "../../../actors/members/ConsoleSessions.ts"
import { memberLimits } from "../../../actors/members/limits.ts"
import { Passkeys, type Credential } from "../../../actors/members/Passkeys.ts"
import type { ConsoleSessionId, MemberId } from "../../../schema/ids.ts"
import { problem } from "../../server/answers/problems.ts"

/** Loaded when the first passkey is asked for: with all that it needs the library is hundreds of files, and no command uses it. */
const library = Effect.promise(() => import("@simplewebauthn/server"))

interface Site {
  readonly rpID: string
  readonly origin: string
}

const withoutBrackets = (host: string): string => host.replaceAll(/^\[|\]$/g, "")

/** Null: passkeys are not possible here. Browsers want a name instead of an address, and https or their own machine. */
export const passkeySite = Effect.map(ServiceAddress, ({ baseUrl }): Site | null => {
  if (baseUrl === null) return null
  const { hostname, origin, protocol } = new URL(baseUrl)
  const isSafe = protocol === "https:" || hostname === "localhost" || hostname.endsWith(".localhost")
  return isSafe && isIP(withoutBrackets(hostname)) === 0 ? { rpID: hostname, origin } : null
})

/** `field`: what of the request needs passkeys. */
export const passkeySiteOrRefused = (field: "passkey" | "passkeysRequired") =>
  Effect.flatMap(passkeySite, (site) =>
    site === null
      ? Effect.fail(problem("CONFLICT", field, "Passkeys need a service with a name and https, or http://localhost"))
      : Effect.succeed(site)
  )

/** What a browser is told to ask its authenticator for a new passkey, as the documents show it. */
export const PasskeyOptions = Schema.Struct({
  challenge: Schema.String.annotate({ description: "What the authenticator signs; it counts for this session, once" }),
  rp: Schema.Struct({ name: Schema.String, id: Schema.optionalKey(Schema.String) }),
  user: Schema.Struct({ id: Schema.String, name: Schema.String, displayName: Schema.String }),
  pubKeyCredParams: Schema.Array(Schema.Struct({ alg: Schema.Int, type: Schema.String })),
  timeout: Schema.optionalKey(Schema.Int),
  attestation: Schema.optionalKey(Schema.String),
  excludeCredentials: Schema.optionalKey(Schema.Array(Schema.Struct({ id: Schema.String, type: Schema.String })))
}).annotate({ identifier: "PasskeyOptions" })

const timeout = Duration.toMillis(memberLimits.challengeLifetime)

const listed = (credentials: ReadonlyArray<Credential>) =>
  credentials.map(({ credentialId, transports }) => ({
    id: credentialId,
    // The browser says which, and knows what it said.
    transports: [...transports] as Array<AuthenticatorTransport>
  }))

/** What to ask the authenticator for a new passkey of this member. */
export const optionsToAdd = Effect.fnUntraced(function* (site: Site, member: SignedInMember) {
  const passkeys = yield* Passkeys
  const known = yield* passkeys.credentials(member.memberId)
  const { generateRegistrationOptions } = yield* library
  const options = yield* Effect.promise(() =>
    generateRegistrationOptions({
      rpName: "Journeys",
      rpID: site.rpID,
      userID: new Uint8Array(Buffer.from(member.memberId)),
      userName: member.email,
      attestationType: "none",
      timeout,
      excludeCredentials: listed(known),
      authenticatorSelection: { residentKey: "discouraged", userVerification: "preferred" }
    })
  )
  yield* passkeys.keepChallenge(member.sessionId, "ADD", options.challenge)
  return options
})

/** What to ask the authenticator at the second step of a sign-in. */
export const optionsToShow = Effect.fnUntraced(function* (site: Site, member: SignedInMember) {
  const passkeys = yield* Passkeys
  const known = yield* passkeys.credentials(member.memberId)
  const { generateAuthenticationOptions } = yield* library
  const options = yield* Effect.promise(() =>
    generateAuthenticationOptions({
      rpID: site.rpID,
      timeout,
      allowCredentials: listed(known),
      userVerification: "preferred"
    })
  )
  yield* passkeys.keepChallenge(member.sessionId, "SHOW", options.challenge)
  return options
})

const readAnswer = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null

/** The library throws for whatever does not hold. It is not said what: it would help nobody but an attacker. */
const judged = <A>(judge: () => Promise<A>) => Effect.orElseSucceed(Effect.tryPromise(judge), () => null)

/** The new passkey; null when the answer does not hold, or its challenge was taken or is too old. */
export const addedPasskey = Effect.fnUntraced(function* (site: Site, sessionId: ConsoleSessionId, text: string) {
  const passkeys = yield* Passkeys
  const challenge = yield* passkeys.takeChallenge(sessionId, "ADD")
  const response = readAnswer(text)
  if (challenge === null || !isObject(response)) return null
  const { verifyRegistrationResponse } = yield* library
  const verified = yield* judged(() =>
    verifyRegistrationResponse({
      // The library judges its shape.
      response: response as RegistrationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: site.origin,
      expectedRPID: site.rpID,
      requireUserVerification: false
    })
  )
  if (verified?.verified !== true) return null
  const { counter, id, publicKey, transports = [] } = verified.registrationInfo.credential
  return { credentialId: id, publicKey, signCount: counter, transports } satisfies Credential
})

/** The passkey of the member that was shown, with its new count; null in the same cases. */
export const shownPasskey = Effect.fnUntraced(function* (
  site: Site,
  sessionId: ConsoleSessionId,
  memberId: MemberId,
  text: string
) {
  const passkeys = yield* Passkeys
  const challenge = yield* passkeys.takeChallenge(sessionId, "SHOW")
  const response = readAnswer(text)
  const known = yield* passkeys.credentials(memberId)
  const id = isObject(response) && "id" in response ? response.id : null
  const credential = known.find(({ credentialId }) => credentialId === id)
  if (challenge === null || !isObject(response) || credential === undefined) return null
  const { verifyAuthenticationResponse } = yield* library
  const verified = yield* judged(() =>
    verifyAuthenticationResponse({
      // The library judges its shape.
      response: response as AuthenticationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: site.origin,
      expectedRPID: site.rpID,
      requireUserVerification: false,
      credential: {
        id: credential.credentialId,
        publicKey: new Uint8Array(credential.publicKey),
        counter: credential.signCount
      }
    })
  )
  return verified?.verified === true
    ? { credentialId: credential.credentialId, signCount: verified.authenticationInfo.newCounter }
    : null
})
