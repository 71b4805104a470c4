/**
 * Who may call, as the documents say it and as the typed client needs it: callers with an API key, and the operator.
 * How a key is judged is `authentication.ts`'s business.
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

export class ApiKeyRequired extends HttpApiMiddleware.Service<ApiKeyRequired>()(
  "journeys/http/documents/ApiKeyRequired",
  { requiredForClient: true, security: { apiKey } }
) {}

export class OperatorTokenRequired extends HttpApiMiddleware.Service<OperatorTokenRequired>()(
  "journeys/http/documents/OperatorTokenRequired",
  { requiredForClient: true, security: { operatorToken } }
) {}
