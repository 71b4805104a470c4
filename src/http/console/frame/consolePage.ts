/**
 * What every page and every form of the console has in common: somebody is signed in, a form comes from one of our own pages, and
 * a problem becomes a page. What somebody may do is judged by the operations that a page asks (`server/endpoints/ask.ts`), and by nothing here.
 */
import { Effect } from "effect"
import { HttpServerResponse, type HttpServerRequest } from "effect/http"
import { formTokenOf } from "../../../actors/kernel/secrets.ts"
import { CurrentWorkFor } from "../../../actors/kernel/WorkFor.ts"
import { ConsoleSessions, type ConsoleSession } from "../../../actors/members/ConsoleSessions.ts"
import type { CompanyResource } from "../../../schema/company/Company.ts"
import type { CompanyId } from "../../../schema/ids.ts"
import { companyOperations } from "../../api/company/companies.ts"
import type { HandlerFailure } from "../../server/answers/answering.ts"
import { ask } from "../../server/endpoints/ask.ts"
import { Asker, type AskerIdentity } from "../../server/endpoints/Asker.ts"
import { readCookie } from "../../server/answers/cookies.ts"
import { hasToken, refuseForeign, type Forged } from "../../server/callers/forgery.ts"
import { readForm } from "../../server/bodies/form.ts"
import { isLook } from "../../server/pages/looks.ts"
import { pageStatus } from "../../server/pages/pageStatus.ts"
import { problem, type Problem } from "../../server/answers/problems.ts"
import { isChange, takeTurn } from "../../server/admission/RequestTurns.ts"
import { workOf } from "../../server/endpoints/settingsGate.ts"
import {
  consolePath,
  consoleResponse,
  operatorPath,
  operatorSignInPath,
  passkeyPaths,
  seeOther,
  signInPath,
  type ConsoleContent,
  type ConsoleFrame
} from "./consoleFrame.ts"
import { flashOf, withFlash, withoutFlash, type Flash } from "./flash.ts"
import { wayBackOf } from "./wayBack.ts"
import {
  forgedContent,
  outdatedContent,
  problemContent,
  sessionEndedContent,
  unknownOutcomeContent
} from "./problemPages.ts"

type Request = HttpServerRequest.HttpServerRequest
type Response = HttpServerResponse.HttpServerResponse

/** Somebody who is signed in, at a page of the console. */
export interface ConsoleUser {
  readonly request: Request
  readonly session: ConsoleSession
  /** The secret of the session. */
  readonly secret: string
  readonly asker: AskerIdentity
  readonly formToken: string
  readonly frame: ConsoleFrame
}

/** Somebody at a page about a company. */
export interface CompanyUser extends ConsoleUser {
  readonly company: CompanyResource
  /** What every operation of the company is asked with. */
  readonly path: { readonly companyId: CompanyId }
}

/** A page shows nothing but this response: nobody is signed in, or no company is chosen. */
class Elsewhere {
  readonly _tag = "Elsewhere"
  readonly response: Response
  constructor(response: Response) {
    this.response = response
  }
}

const pathOf = ({ url }: Request): string => url.split("?", 1)[0] ?? ""

const isByScript = ({ headers }: Request): boolean => headers["hx-request"] !== undefined

/** Whoever wants a page of the installation signs in with the operator token. */
const signInOf = (request: Request): string =>
  `${pathOf(request)}/`.startsWith(`${operatorPath}/`) ? operatorSignInPath : signInPath

/** The page that a form stands on, or whose script asks, is the one that its browser comes from. */
const pageOf = (request: Request): string | null => {
  const { referer } = request.headers
  if (!isChange(request) && !isByScript(request)) return request.url
  if (referer === undefined || !URL.canParse(referer)) return null
  const { pathname, search } = new URL(referer)
  return `${pathname}${search}`
}

/** The page of a form that was sent; null: nothing was sent, or the page is not known. */
const formPageOf = (request: Request): string | null => (isChange(request) ? wayBackOf(pageOf(request)) : null)

/** The sign-in at `path`, and the way back. */
const signInWith = (request: Request, path: string): string => {
  const back = wayBackOf(pageOf(request))
  return back === null || back === consolePath || back === operatorPath
    ? path
    : `${path}?to=${encodeURIComponent(back)}`
}

/** A script is told to load the page of the sign-in as a whole. */
const signInFirst = (request: Request, path: string = signInOf(request)): Elsewhere => {
  const to = signInWith(request, path)
  return new Elsewhere(
    isByScript(request)
      ? HttpServerResponse.empty({ status: pageStatus.signInFirst, headers: { "hx-redirect": to } })
      : seeOther(to)
  )
}

/** For what asks for a fresh sign-in. The session goes on until the new one begins. */
const signInAgain = (request: Request, { errors: [{ message: sentence }] }: Problem) =>
  withFlash(signInFirst(request).response, { sentence })

/** Whoever was typing loses nothing: the answer to the form repeats it, if the form comes from a page of ours. */
const sessionEnded = Effect.fnUntraced(function* (request: Request) {
  if (!isChange(request) || isByScript(request)) return signInFirst(request)
  const fields = yield* refuseForeign(request).pipe(
    Effect.andThen(readForm(request)),
    Effect.orElseSucceed(() => null)
  )
  return new Elsewhere(consoleResponse(null, sessionEndedContent(signInWith(request, signInOf(request)), fields)))
})

const userOf = Effect.fnUntraced(function* (request: Request) {
  const secret = yield* readCookie(request, "console")
  const sessions = yield* ConsoleSessions
  const session = secret === null ? null : yield* sessions.find(secret, !isLook(request))
  if (secret === null || session === null) return yield* Effect.fail(yield* sessionEnded(request))
  if (session.waitsFor !== null) return yield* Effect.fail(signInFirst(request, passkeyPaths[session.waitsFor]))
  const formToken = formTokenOf(secret)
  const frame: ConsoleFrame = {
    asker: session.who,
    companyName: null,
    formToken,
    path: pathOf(request),
    here: wayBackOf(pageOf(request)) ?? consolePath,
    signIn: signInWith(request, session.who._tag === "Operator" ? operatorSignInPath : signInPath),
    flash: request.method === "GET" && !isByScript(request) ? yield* flashOf(request) : null
  }
  return { request, session, secret, asker: session.who, formToken, frame } satisfies ConsoleUser
})

const companyOf = Effect.fnUntraced(function* (user: ConsoleUser) {
  if (user.session.company === null) return null
  const path = { companyId: user.session.company }
  const company = yield* ask(companyOperations, "getCompany", { path })
  const frame = { ...user.frame, companyName: company.name }
  return { ...user, frame, company, path } satisfies CompanyUser
})

/** An operator who looks at a company stays there on the pages of the installation. */
const anywhere = (user: ConsoleUser) => Effect.map(companyOf(user), (found): ConsoleUser => found ?? user)

const atCompany = (user: ConsoleUser) =>
  Effect.flatMap(companyOf(user), (found) =>
    found === null ? Effect.fail(new Elsewhere(seeOther(`${operatorPath}/companies`))) : Effect.succeed(found)
  )

/** To a member, the operator's pages are pages that do not exist. */
export const noSuchPage = consoleResponse(null, problemContent(problem("NOT_FOUND", "path")))

const asOperator = (user: ConsoleUser) =>
  user.asker._tag === "Operator" ? anywhere(user) : Effect.fail(new Elsewhere(noSuchPage))

type Failure = HandlerFailure | Elsewhere | Forged

/** Every failure that a person can be told becomes a page in the frame of the page. */
const answeringUser = <R>(user: ConsoleUser, answer: Effect.Effect<Response, Failure, R>) => {
  const shown = (content: ConsoleContent) => showPage(user, content)
  return answer.pipe(
    Effect.catchTags({
      Problem: (failure: Problem) =>
        failure.errors[0].code === "SIGN_IN_AGAIN"
          ? signInAgain(user.request, failure)
          : shown(problemContent(failure, formPageOf(user.request))),
      Forged: () => shown(forgedContent),
      OutcomeUnknown: () =>
        Effect.andThen(
          Effect.logError("A commit's outcome is unknown; somebody at the console is asked to look"),
          shown(unknownOutcomeContent(user.frame.path))
        )
    }),
    Effect.provideService(Asker, user.asker)
  )
}

const turnOf = ({ asker }: ConsoleUser) => Effect.provideService(takeTurn("pages"), CurrentWorkFor, workOf(asker))

const page =
  <V extends ConsoleUser, W>(enter: (user: ConsoleUser) => Effect.Effect<V, HandlerFailure | Elsewhere, W>) =>
  <R>(handle: (user: V) => Effect.Effect<Response, HandlerFailure | Forged, R>) =>
  (request: Request) =>
    userOf(request).pipe(
      // A problem of the page stands in the page's own frame, with the navigation of its company.
      Effect.flatMap((user) => {
        const answer = Effect.flatMap(enter(user), (entered) => answeringUser(entered, handle(entered)))
        return answeringUser(user, Effect.andThen(turnOf(user), answer))
      }),
      Effect.catchTag("Elsewhere", ({ response }) => Effect.succeed(response))
    )

/** A form from one of our own pages, read and with its token checked. */
const form =
  <V extends ConsoleUser, W>(enter: (user: ConsoleUser) => Effect.Effect<V, HandlerFailure | Elsewhere, W>) =>
  <R>(handle: (user: V, fields: URLSearchParams) => Effect.Effect<Response, HandlerFailure | Forged, R>) =>
    page(enter)((user) =>
      Effect.gen(function* () {
        yield* refuseForeign(user.request)
        const fields = yield* readForm(user.request)
        if (!hasToken(user.secret, fields.get("token"))) return yield* showPage(user, outdatedContent(fields))
        return yield* handle(user, fields)
      })
    )

/** A form for anybody who is signed in. */
export const consoleForm = form(anywhere)

/** A page about the installation, for the operator alone. */
export const operatorPage = page(asOperator)
export const operatorForm = form(asOperator)

/** A page about the company that the session looks at. */
export const companyPage = page(atCompany)
export const companyForm = form(atCompany)

/** The answer of a page. What it says once, the browser forgets with it. */
export const showPage = ({ frame }: ConsoleUser, content: ConsoleContent) => {
  const response = consoleResponse(frame, content)
  return frame.flash === null ? Effect.succeed(response) : withoutFlash(response)
}

/** After a form: another page, with a sentence about what was done. */
export const redirectTo = (path: string, sentence?: string, link?: Flash["link"]) =>
  sentence === undefined
    ? Effect.succeed(seeOther(path))
    : withFlash(seeOther(path), link === undefined ? { sentence } : { sentence, link })
