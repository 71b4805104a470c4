/**
 * What an endpoint says of itself beside its schemas, as annotations of the endpoint: its sentences, its examples and
 * the permission that a key needs. The server reads the message and the permission, the documents read the rest. The
 * codes of an endpoint's refusals are in `envelope.ts`, with the schemas of its errors.
 */
import { Context } from "effect"
import { OpenApi, type HttpApiEndpoint } from "effect/http-api"
import { firstPage, usualPageSize } from "../../../schema/decoding/parameters.ts"
import type { Role } from "../../../schema/members/Role.ts"
import type { Permission } from "../callers/authentication.ts"

/** An example of what is sent or answered. `message` stands in for the answer's usual one. */
export interface DescribedExample {
  readonly summary: string
  readonly value: unknown
  readonly message?: string
}

export type DescribedExamples = Readonly<Record<string, DescribedExample>>

/** A success: what it means, the sentence of its envelope, and examples of its data. */
export interface DescribedAnswer {
  readonly description: string
  /** Empty where the answer is no envelope. */
  readonly message: string
  readonly examples: DescribedExamples
}

export interface Description {
  readonly summary: string
  readonly description: string
  /** Of the settings API: the least role of a member that may ask. Without it only the operator may. */
  readonly allowedTo?: Role
  /** The success, or the successes by their status where there are several. */
  readonly answer: DescribedAnswer | Readonly<Record<number, DescribedAnswer>>
  /** Examples of the body by content type. */
  readonly request?: Readonly<Record<string, DescribedExamples>>
}

export class Described extends Context.Service<Described, Description>()("journeys/http/Described") {}

/** The annotations of an endpoint. */
export const described = (description: Description) =>
  Context.merge(
    OpenApi.annotations({ summary: description.summary, description: description.description }),
    Context.make(Described, description)
  )

/** The permission that an endpoint asks of an API key. */
export class Permitted extends Context.Service<Permitted, Permission>()("journeys/http/Permitted") {}

/** The JSON body of an endpoint may be left out; it then counts as an empty object. */
export class OptionalBody extends Context.Service<OptionalBody, true>()("journeys/http/OptionalBody") {}

/** The largest JSON body of an endpoint, in bytes, where it is not that of every endpoint. */
export class LargestJson extends Context.Service<LargestJson, number>()("journeys/http/LargestJson") {}

/** A success with one example, which is described by the same words. */
export const answer = (description: string, message: string, data: unknown): DescribedAnswer => ({
  description,
  message,
  examples: { Example: { summary: description, value: data } }
})

/** A first page that holds all there is. */
export const pageOfAll = <A>(content: ReadonlyArray<A>) => ({
  content,
  page: firstPage,
  size: usualPageSize,
  totalElements: content.length,
  totalPages: 1
})

/** The success of a list that is read page by page. */
export const pageAnswer = (message: string, ...content: ReadonlyArray<unknown>): DescribedAnswer =>
  answer("One page of the list", message, pageOfAll(content))

/** The success of a list that is read piece by piece. */
export const pieceAnswer = (message: string, ...content: ReadonlyArray<unknown>): DescribedAnswer =>
  answer("One piece of the list", message, { content, next: null })

/** One example of a JSON body. */
export const jsonExample = (summary: string, value: unknown, name = "Example") => ({
  "application/json": { [name]: { summary, value } }
})

const isOne = (answer: Description["answer"]): answer is DescribedAnswer => "examples" in answer

/** What an endpoint says of its success at a status. */
export const answerAt = (
  { annotations }: Pick<HttpApiEndpoint.Top, "annotations">,
  status: number
): DescribedAnswer | undefined => {
  const described = Context.getOrUndefined(annotations, Described)?.answer
  return described === undefined || isOne(described) ? described : described[status]
}
