/**
 * Three companies and everybody who might ask: the ground on which every route is asked by every role. Not a test itself. The
 * broker has something of every kind; its journey names the dealer; the other company has nothing to do with either.
 */
import { randomUUID } from "node:crypto"
import { formTokenOf, hashSecret } from "../../../src/actors/kernel/secrets.ts"
import { addCustomerSession } from "../../support/addCustomerSession.ts"
import { askSettings, makeCompany, type TestCompany } from "../../support/companies.ts"
import { sayAsCustomer } from "../../support/consents.ts"
import { writeEndpoint } from "../../support/endpoints.ts"
import { addMember, newSecret, openSession } from "../../support/members.ts"
import { operatorToken, startService, type Service } from "../../support/service.ts"
import { deliveryOf, makeBroker, namedHandover } from "../api/settings/handoverGround.ts"

export interface Answered {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

export interface RouteGround {
  readonly service: Service
  readonly broker: TestCompany
  readonly dealer: TestCompany
  readonly other: TestCompany
  /** What the broker has, by the name that paths give it. */
  readonly ids: Readonly<Record<string, string>>
  /** Texts that nobody but the broker and the operator may read. */
  readonly secrets: ReadonlyArray<string>
}

/** What words of a path may be, where they are no ids: everybody may say them. */
const words: Readonly<Record<string, string>> = { mode: "live", wallet: "IDENTITY", name: "selfie", number: "0" }

/** A path whose parts are filled in; a part that `ids` does not have gets an id that nobody has. */
export const filled = (path: string, ids: Readonly<Record<string, string>> = {}): string =>
  path.replaceAll(/:(\w+)/g, (_, name: string) => ids[name] ?? words[name] ?? randomUUID())

/** The parts of a path that name something of a company. */
export const namesIn = (path: string): ReadonlyArray<string> =>
  Array.from(path.matchAll(/:(\w+)/g), ([, name = ""]) => name).filter((name) => words[name] === undefined)

const email = "canary.customer@example.com"
const registration = "CAN 4RY"

interface Wishes {
  readonly companyName?: string
  /** Changes the start of the broker's journey. */
  // oxlint-disable-next-line typescript/no-explicit-any -- a test may change any member
  readonly change?: (body: any) => void
}

export const startRouteGround = async ({
  change = () => {},
  companyName = "Canary Brokers"
}: Wishes = {}): Promise<RouteGround> => {
  const service = await startService()
  const broker = await makeBroker(service, companyName)
  const dealer = await makeCompany(service, { name: "Named Cars" })
  const other = await makeCompany(service, { name: "Other Cars" })
  const settings = async (path: string, given: Parameters<typeof askSettings>[2] = {}) =>
    (await askSettings(service, `/companies/${broker.id}${path}`, given)).data
  await writeEndpoint(service.query, { companyId: broker.id, livemode: true, url: "https://hooks.example.com/canary" })
  await settings("/vehicles/canary-stock", { method: "PUT", body: { status: "IN_STOCK" } })
  const { customerReference, id } = await namedHandover(service, broker, dealer.id, (body) => {
    Object.assign(body.customer, { email, firstName: "Canaryfirst", lastName: "Canarylast" })
    Object.assign(body.vehicle, { registration, inventoryVehicleId: "canary-stock" })
    Object.assign(body, { externalReference: "canary-reference", externalCompanyName: "Canary Seller" })
    change(body)
  })
  const { status } = await deliveryOf(service, broker, id)
  if (status === "AWAITING_LOCATION") await sayAsCustomer(service, id, { _tag: "LocationConfirmed" })
  await sayAsCustomer(service, id, { _tag: "ConsentRefused", step: "video", notice: "video-1-en" })
  const { content: reviews } = await settings("/reviews")
  const { content: deliveries } = await settings("/webhook-endpoints/live/deliveries")
  const memberId = await addMember(service, broker.id, { role: "TEAM", email: "canary.clerk@example.com" })
  await openSession(service, memberId)
  const [session] = await service.query<{ readonly id: string }>(
    "select id from console_sessions where member_id = $1",
    [memberId]
  )
  const { id: clockId } = await settings("/clocks", { method: "POST" })
  const ids = {
    clockId,
    companyId: broker.id,
    journeyId: id,
    of: id,
    customerReference,
    reviewId: reviews[0].id,
    eventId: reviews[0].id,
    deliveryId: deliveries[0].id,
    keyId: broker.liveKeyId,
    vehicleId: "canary-stock",
    memberId,
    sessionId: session?.id ?? "",
    customerSessionId: await addCustomerSession(service, id),
    passkeyId: await addPasskey(service, memberId)
  }
  const secrets = [email, registration, "Canary", "canary", broker.id, ids.reviewId, broker.liveKeyId]
  return { service, broker, dealer, other, ids, secrets }
}

const addPasskey = async (service: Service, memberId: string): Promise<string> => {
  const id = randomUUID()
  await service.query(
    `insert into passkeys (id, member_id, credential_id, public_key, sign_count, transports, name, added_at)
     values ($1, $2, $3, ''::bytea, 0, '{}', 'Canary key', now())`,
    [id, memberId, id]
  )
  return id
}

/** Who asks: a session of their own for each request, because one of them may end it. */
export type Asking = "nobody" | "token" | "operator" | "owner" | "team" | "waiting" | "dealer" | "other"

const sessionOf = async ({ broker, dealer, other, service }: RouteGround, who: Asking): Promise<string | null> => {
  const member = (company: TestCompany, role: "OWNER" | "TEAM", name: string) =>
    addMember(service, company.id, { role, email: `${name}@people.example` })
  switch (who) {
    case "nobody":
    case "token":
      return null
    case "operator": {
      const secret = newSecret()
      await service.query(
        `insert into console_sessions (id, secret_hash, company_id, opened_at, seen_at, is_marked)
         values ($1, decode($2, 'base64'), $3, now(), now(), true)`,
        [randomUUID(), Buffer.from(hashSecret(secret)).toString("base64"), broker.id]
      )
      return secret
    }
    case "owner":
      return openSession(service, await member(broker, "OWNER", "owner"))
    case "team":
      return openSession(service, await member(broker, "TEAM", "team"))
    case "dealer":
      return openSession(service, await member(dealer, "OWNER", "dealer"))
    case "other":
      return openSession(service, await member(other, "OWNER", "other"))
    case "waiting": {
      const id = await member(broker, "OWNER", "waiting")
      await addPasskey(service, id)
      const secret = await openSession(service, id)
      await service.query("update console_sessions set is_waiting_for_passkey = true where member_id = $1", [id])
      return secret
    }
  }
}

interface Sent {
  readonly method: string
  readonly path: string
  /** A form, as a page sends it; else JSON, as its script does. */
  readonly isForm?: boolean
  /** What the JSON says; else nothing. */
  readonly body?: unknown
  /** What a forged request has in place of what our own pages send. */
  readonly headers?: Readonly<Record<string, string>>
  readonly token?: string
}

const formTypes = { form: "application/x-www-form-urlencoded", json: "application/json" } as const

/** A form as its page sends it: one with a file comes in parts. */
const formOf = (path: string, token: string): URLSearchParams | FormData => {
  if (!path.endsWith("/logo")) return new URLSearchParams({ token })
  const form = new FormData()
  form.set("token", token)
  form.set("brand.logo", new Blob(["no picture"]), "logo.png")
  return form
}

/** Asks, and reads the answer; of a stream only the beginning counts. */
export const askAs = async (ground: RouteGround, who: Asking, sent: Sent): Promise<Answered> => {
  const { baseUrl } = ground.service
  const { body: said = {}, headers = {}, isForm = false, method, path } = sent
  const secret = await sessionOf(ground, who)
  const token = sent.token ?? (secret === null ? "" : formTokenOf(secret))
  const isChange = method !== "GET"
  const own = isChange ? { origin: baseUrl, "sec-fetch-site": "same-origin" } : {}
  const body = isForm ? formOf(path, token) : JSON.stringify(said)
  // A form says its type by itself, with the boundary of its parts.
  const type = body instanceof FormData ? {} : { "content-type": formTypes[isForm ? "form" : "json"] }
  const leaving = new AbortController()
  const response = await fetch(`${baseUrl}${path}`, {
    method,
    redirect: "manual",
    signal: leaving.signal,
    headers: {
      ...own,
      ...(secret === null ? {} : { cookie: `journeys-console=${secret}` }),
      ...(who === "token" ? { authorization: `Bearer ${operatorToken}` } : {}),
      ...(isChange ? { ...type, ...(isForm ? {} : { "x-form-token": token }) } : {}),
      ...headers
    },
    ...(isChange ? { body } : {})
  })
  const answered = { status: response.status, headers: response.headers }
  if (response.headers.get("content-type")?.startsWith("text/event-stream") !== true) {
    return { ...answered, text: await response.text() }
  }
  leaving.abort()
  return { ...answered, text: "" }
}

/** What an answer says, without the ids that the request itself had named. */
export const sayingOf = ({ status, text }: Answered, path: string): string => {
  const asked = path.match(/[0-9a-f]{8}-[0-9a-f-]{27}|canary-stock/g) ?? []
  return `${status} ${asked.reduce((said, id) => said.replaceAll(id, "ID"), text).replaceAll(/(?:name="token" value|data-token)="[^"]*"/g, "")}`
}
