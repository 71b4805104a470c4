/**
 * What the pages before the sign-in have in common: nobody is known yet, so a form is ours if it has the token of the nonce that the
 * same browser was given. Who is signed in, and how, is in `signIn.ts` and `signInLink.ts`.
 */
import { Effect } from "effect"
import { HttpServerResponse, type HttpServerRequest } from "effect/http"
import { formTokenOf, newNonce } from "../../../actors/kernel/secrets.ts"
import type { HandlerFailure } from "../../server/answers/answering.ts"
import { cookieOptions, isSecure, readCookie, writeCookie } from "../../server/answers/cookies.ts"
import { refuseForeign, refuseWithoutToken } from "../../server/callers/forgery.ts"
import { readForm } from "../../server/bodies/form.ts"
import { consoleResponse, signInPath, type ConsoleContent } from "../frame/consoleFrame.ts"
import { pageQuery } from "../../server/pages/pageQuery.ts"
import { wayBackOf } from "../frame/wayBack.ts"
import { forgedContent, problemContent } from "../frame/problemPages.ts"

type Request = HttpServerRequest.HttpServerRequest
type Response = HttpServerResponse.HttpServerResponse

export const bareResponse = (content: ConsoleContent): Response => consoleResponse(null, content)

/** The browser keeps a nonce that it has already: the page may be open in another tab. */
export const withNonce = (request: Request, content: (formToken: string) => ConsoleContent) =>
  Effect.flatMap(readCookie(request, "consoleNonce"), (known) => {
    const nonce = known ?? newNonce()
    return writeCookie(bareResponse(content(formTokenOf(nonce))), "consoleNonce", nonce)
  })

/** A form of a page before the sign-in. */
export const nonceForm =
  <R>(handle: (request: Request, fields: URLSearchParams) => Effect.Effect<Response, HandlerFailure, R>) =>
  (request: Request) =>
    Effect.gen(function* () {
      yield* refuseForeign(request)
      const fields = yield* readForm(request)
      yield* refuseWithoutToken(request, yield* readCookie(request, "consoleNonce"), fields.get("token"))
      return yield* handle(request, fields)
    }).pipe(
      Effect.catchTags({
        Forged: () => Effect.succeed(bareResponse(forgedContent)),
        Problem: (failure) => Effect.succeed(bareResponse(problemContent(failure)))
      })
    )

/** Where somebody wanted to go before they were asked to sign in. It is a path of the console, and no secret. */
const wayBackCookie = "journeys-console-to"

export const rememberWayBack = (response: Response, to: string | null) =>
  Effect.map(isSecure, (secure) => {
    const way = wayBackOf(to)
    return way === null
      ? response
      : HttpServerResponse.setCookieUnsafe(response, wayBackCookie, way, { ...cookieOptions(secure), path: signInPath })
  })

/** Of a page that stands before what was asked for, as its address says (`to`); without it what was remembered before stays. */
export const rememberAskedFor = (response: Response, { request }: { readonly request: Request }) =>
  rememberWayBack(response, pageQuery({ request })("to"))

/** The browser may send any cookie: it leads to a page of the console or nowhere. */
export const wayBackIn = ({ cookies }: Request): string | null => wayBackOf(cookies[wayBackCookie] ?? null)

export const forgetWayBack = (response: Response) =>
  Effect.map(isSecure, (secure) =>
    HttpServerResponse.setCookieUnsafe(response, wayBackCookie, "", {
      ...cookieOptions(secure),
      path: signInPath,
      maxAge: 0
    })
  )
