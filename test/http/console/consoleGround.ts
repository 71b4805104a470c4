/**
 * A service with a company whose people are signed in to the console: an owner, somebody of the team, and the operator. How
 * people sign in is tested elsewhere; here their sessions are written as a sign-in writes them. Not a test itself.
 */
import { Effect } from "effect"
import { ConsoleSessions } from "../../../src/actors/members/ConsoleSessions.ts"
import { CompanyId } from "../../../src/schema/ids.ts"
import type { Role } from "../../../src/schema/members/Role.ts"
import { makeCompany, type CompanyWishes, type TestCompany } from "../../support/companies.ts"
import { addMember, openSession } from "../../support/members.ts"
import { startService, type Service } from "../../support/service.ts"
import { CustomerBrowser, tokenIn, type Seen } from "../app/CustomerBrowser.ts"

/** A browser in which somebody is signed in to the console. */
export class ConsoleBrowser extends CustomerBrowser {
  constructor(service: Pick<Service, "baseUrl">, secret: string | null) {
    super(service)
    if (secret !== null) this.cookies.set("journeys-console", secret)
  }

  /** Opens the page, fills in the form there and sends it to `to`, by default to the page's own path. */
  async submit(path: string, fields: Readonly<Record<string, string>>, to = path): Promise<Seen> {
    return this.send(to, { token: tokenIn(await this.ask(path)), ...fields })
  }

  /** Sends a form, and follows the redirect that answers it. */
  async submitAndFollow(path: string, fields: Readonly<Record<string, string>>, to = path): Promise<Seen> {
    const answer = await this.submit(path, fields, to)
    return answer.location === null ? answer : this.ask(answer.location)
  }
}

/** What makes a form one that is carried out once, however often it is sent. */
export const formIn = ({ text }: Seen): string => /name="form" value="([^"]+)"/.exec(text)?.[1] ?? ""

export interface ConsoleGround {
  readonly service: Service
  readonly company: TestCompany
  readonly owner: ConsoleBrowser
  readonly team: ConsoleBrowser
  readonly operator: ConsoleBrowser
  readonly nobody: ConsoleBrowser
}

/** Somebody who is signed in to a company. */
export const signInMember = async (
  service: Service,
  companyId: string,
  role: Role,
  email = `${role.toLowerCase()}@people.example`
): Promise<ConsoleBrowser> =>
  new ConsoleBrowser(service, await openSession(service, await addMember(service, companyId, { role, email })))

/** The operator, looking at the company if one is given. */
export const signInOperator = async (service: Service, companyId: string | null = null): Promise<ConsoleBrowser> => {
  const secret = await service.run(
    Effect.gen(function* () {
      const sessions = yield* ConsoleSessions
      const opened = yield* sessions.openForOperator(null)
      if (companyId !== null) yield* sessions.choose(opened, CompanyId.make(companyId))
      return opened
    })
  )
  return new ConsoleBrowser(service, secret)
}

export const startConsole = async (
  wishes: CompanyWishes = {},
  environment: Readonly<Record<string, string>> = {}
): Promise<ConsoleGround> => {
  const service = await startService(environment)
  const company = await makeCompany(service, wishes)
  return {
    service,
    company,
    owner: await signInMember(service, company.id, "OWNER"),
    team: await signInMember(service, company.id, "TEAM"),
    operator: await signInOperator(service, company.id),
    nobody: new ConsoleBrowser(service, null)
  }
}
