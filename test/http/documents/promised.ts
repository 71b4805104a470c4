/** Judges an answer of the service by what the document promises. Not a test itself. */
import { Schema } from "effect"
import { expect } from "vitest"
import { Failure } from "../../../src/http/server/answers/envelope.ts"
import type { Answer } from "../../support/companies.ts"
import { codesAt, operationOf, responseOf } from "./document.ts"

/** The envelope as its schema reads it, with no member that the schema does not name. */
export const strictly = (
  schema: Schema.ConstraintDecoder<unknown>,
  { data, errors, message, success }: Answer
): unknown => Schema.decodeUnknownSync(schema, { onExcessProperty: "error" })({ success, data, message, errors })

/** Headers that only some answers of a status have: those to a wrong method, and to a request that was carried out before. */
const sometimes: ReadonlySet<string> = new Set(["Allow", "Idempotent-Replayed"])

/** The status is declared, with the code if there is one, and every header declared for it has come. */
export const isPromised = (operationId: string, answer: Answer): void => {
  const operation = operationOf(operationId)
  const status = Object.hasOwn(operation.responses, answer.status) ? answer.status : "default"
  if (answer.success) expect(status).toBe(answer.status)
  else {
    strictly(Failure, answer)
    expect(codesAt(operation, status)).toContain(answer.errors?.[0]?.code)
  }
  const declared = Object.keys(responseOf(operation, status).headers)
  expect(declared).toContain("Request-Id")
  expect(declared.filter((name) => !sometimes.has(name) && !answer.headers.has(name))).toEqual([])
}
