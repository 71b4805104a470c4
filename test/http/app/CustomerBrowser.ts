/**
 * A customer with a browser, as far as tests need one: opens pages, keeps cookies, sends forms with what browsers say
 * beside. And the link that a mail would have brought them.
 */
import type { HeadTurn } from "../../../src/schema/media/headTurns.ts"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { randomUUID } from "node:crypto"
import { ErasureJournal, noJournal } from "../../../src/actors/erasure/ErasureJournal.ts"
import { Vault } from "../../../src/actors/kernel/Vault.ts"
import type { ConsentStep } from "../../../src/schema/journey/consents.ts"
import type { CustomerStep } from "../../../src/schema/journey/steps.ts"
import { linkPath } from "../../../src/actors/customer/appPaths.ts"
import { SignInLinks } from "../../../src/actors/customer/SignInLinks.ts"
import * as AesVault from "../../../src/runtime/keys/AesVault.ts"
import * as NodeIds from "../../../src/runtime/node/NodeIds.ts"
import * as PostgresSignInLinks from "../../../src/runtime/stores/customer/PostgresSignInLinks.ts"
import type { Service } from "../../support/service.ts"
import { JourneyId } from "../../../src/schema/ids.ts"
import { MailId } from "../../../src/schema/ids.ts"

/** The key that `startService` gives its services. */
const vault = AesVault.make(new Uint8Array(32).fill(7))

/** The mail that the journey owes for a step, as long as nothing has its link; else one that never was. */
const mailOf = async (service: Pick<Service, "query">, journeyId: string, step: CustomerStep): Promise<string> => {
  const [mail] = await service.query<{ id: string }>(
    `select id from mails where journey_id = $1 and kind = $2
      and not exists (select from sign_in_links where journey_id = $1 and step = $2)`,
    [journeyId, step]
  )
  return mail?.id ?? randomUUID()
}

/** The links of the service's database. */
const linksOf = ({ sql }: Pick<Service, "sql">) =>
  PostgresSignInLinks.layer.pipe(
    Layer.provide([
      Layer.succeed(SqlClient.SqlClient, sql),
      Layer.succeed(Vault, vault),
      Layer.succeed(ErasureJournal, noJournal),
      NodeIds.layer
    ])
  )

/** The path of a link that a page would show as a QR code. */
export const telephoneLink = (service: Pick<Service, "sql">, journeyId: string, step: CustomerStep): Promise<string> =>
  Effect.runPromise(
    Effect.flatMap(SignInLinks, (links) =>
      links.issueForTelephone({ id: randomUUID(), journeyId: JourneyId.make(journeyId), step })
    ).pipe(
      Effect.map((token) => linkPath(token ?? "none")),
      Effect.provide(linksOf(service))
    )
  )

/** The path of a new link: what the mail of a step would hold. */
export const newLink = async (
  service: Pick<Service, "sql" | "query">,
  journeyId: string,
  step: CustomerStep,
  mailId?: string
): Promise<string> => {
  const mail = mailId ?? (await mailOf(service, journeyId, step))
  return Effect.runPromise(
    Effect.flatMap(SignInLinks, (links) =>
      links.issue({
        mailId: MailId.make(mail),
        journeyId: JourneyId.make(journeyId),
        step,
        clock: null,
        issuedAt: Date.now()
      })
    ).pipe(Effect.map(linkPath), Effect.provide(linksOf(service)))
  )
}

export interface Seen {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly location: string | null
}

type Sent = Readonly<Record<string, string>> | FormData

export class CustomerBrowser {
  readonly #baseUrl: string
  readonly cookies = new Map<string, string>()
  /** What the last page with turns of the head had in its form; a form of the video's page is sent with it, as by a browser. */
  challenge = ""

  constructor(service: Pick<Service, "baseUrl">) {
    this.#baseUrl = service.baseUrl
  }

  async ask(path: string, init: RequestInit = {}): Promise<Seen> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; ")
    const response = await fetch(new URL(path, this.#baseUrl), {
      redirect: "manual",
      ...init,
      headers: { ...(cookie === "" ? {} : { cookie }), ...(init.headers as Readonly<Record<string, string>>) }
    })
    for (const line of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (value === "") this.cookies.delete(name)
      else this.cookies.set(name, value)
    }
    const text = await response.text()
    this.challenge = challengeIn({ text }) || this.challenge
    return {
      status: response.status,
      headers: response.headers,
      text,
      location: response.headers.get("location")
    }
  }

  /** A form as browsers send it from a page of this service. */
  send(path: string, form: Sent, headers: Readonly<Record<string, string>> = {}): Promise<Seen> {
    if (path === "/app/video" && form instanceof FormData && !form.has("challenge")) {
      form.append("challenge", this.challenge)
    }
    return this.ask(path, {
      method: "POST",
      headers: { origin: this.#baseUrl, "sec-fetch-site": "same-origin", ...headers },
      body: form instanceof FormData ? form : new URLSearchParams(form)
    })
  }

  /** Reads the notice before a camera and agrees, as far as the customer is asked. */
  async agree(step: ConsentStep): Promise<Seen> {
    const path = `/app/consent/${step}`
    const page = await this.ask(path)
    return page.status === 200 ? this.send(path, { token: tokenIn(page), notice: noticeIn(page) }) : page
  }

  /** Opens the link, presses its button, and is signed in. */
  async signIn(link: string): Promise<Seen> {
    return this.send(link, { token: tokenIn(await this.ask(link)) })
  }
}

/** The token of the first form on a page. */
export const tokenIn = ({ text }: Pick<Seen, "text">): string => /name="token" value="([^"]+)"/.exec(text)?.[1] ?? ""

/** What names the turns of the head on a page. */
export const challengeIn = ({ text }: Pick<Seen, "text">): string =>
  /name="challenge"[^>]* value="([^"]+)"/.exec(text)?.[1] ?? ""

/** The turns of the head that a page asks for, in English. */
export const turnsIn = ({ text }: Pick<Seen, "text">): ReadonlyArray<HeadTurn> =>
  Array.from(text.matchAll(/<li>To your (left|right)<\/li>/g), ([, side]) => (side === "left" ? "LEFT" : "RIGHT"))

/** The version of the notice on a page. */
export const noticeIn = ({ text }: Pick<Seen, "text">): string => /name="notice" value="([^"]+)"/.exec(text)?.[1] ?? ""

/** A page's words, without its markup. */
export const wordsOf = ({ text }: Pick<Seen, "text">): string =>
  text
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll(/\s+/g, " ")
    .trim()
