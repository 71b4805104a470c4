/** What came of one exchange with an endpoint: an answer, or a failure with its class. How an exchange is made is the sender's business. */
import type { FailureClass } from "../../../schema/failureClass.ts"

export type Exchange =
  /** `answer` is the beginning of the body as text. */
  | { readonly _tag: "Answered"; readonly status: number; readonly answer: string }
  /** `isOwn`: the service itself failed, and the endpoint has no part in it. */
  | { readonly _tag: "Failed"; readonly error: FailureClass; readonly isOwn: boolean }
