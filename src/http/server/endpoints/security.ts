/**
 * Who may call, as the documents say it and as the typed client needs it: callers with an API key, the operator and
 * signed-in members, and outside providers by their signature. How a key is judged is `authentication.ts`'s business.
 */
import { HttpApiMiddleware, HttpApiSecurity, OpenApi } from "effect/http-api"

const apiKey = HttpApiSecurity.bearer.pipe(
  HttpApiSecurity.annotateMerge(
    OpenApi.annotations({
      description:
        "`Authorization: Bearer <key>` with a developer key of the company: `svc_live_...` for live journeys, `svc_test_...` for the sandbox.",
      format: "svc_live_... or svc_test_..."
    })
  )
)

const operatorToken = HttpApiSecurity.bearer.pipe(
  HttpApiSecurity.annotateMerge(
    OpenApi.annotations({
      description:
        "`Authorization: Bearer <token>` with the operator token of this installation, for the settings API only."
    })
  )
)

const memberSession = HttpApiSecurity.apiKey({ key: "journeys-console", in: "cookie" }).pipe(
  HttpApiSecurity.annotateMerge(
    OpenApi.annotations({
      description:
        "The cookie of a browser in which somebody is signed in to the console; over https its name is `__Host-journeys-console`. A member may ask about the own company, as each operation says. A request that changes something comes from one of our own pages, with the token of the session in `X-Form-Token`."
    })
  )
)

const providerSignature = HttpApiSecurity.apiKey({ key: "Service-Signature", in: "header" }).pipe(
  HttpApiSecurity.annotateMerge(
    OpenApi.annotations({
      description:
        "`t=<unix seconds>,v1=<64 lower-case hex characters>`: the HMAC-SHA256 of `t`, a full stop and the exact body, keyed with the provider's secret, and not older than 5 minutes. `Service-Timestamp` carries `t` too."
    })
  )
)

export class ApiKeyRequired extends HttpApiMiddleware.Service<ApiKeyRequired>()(
  "journeys/http/documents/ApiKeyRequired",
  { requiredForClient: true, security: { apiKey } }
) {}

export class OperatorTokenRequired extends HttpApiMiddleware.Service<OperatorTokenRequired>()(
  "journeys/http/documents/OperatorTokenRequired",
  { requiredForClient: true, security: { operatorToken, memberSession } }
) {}

export class SignatureRequired extends HttpApiMiddleware.Service<SignatureRequired>()(
  "journeys/http/documents/SignatureRequired",
  { security: { providerSignature } }
) {}
