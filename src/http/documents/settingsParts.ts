/** What the pages of the settings contract share: the paths everything is under, and how an operation is described. */
import type { Schema } from "effect"
import { HttpApiSchema, OpenApi } from "effect/http-api"
import { JourneyResource } from "../../schema/journey/resource.ts"
import { answerOf, listPageOf } from "../server/envelope.ts"

export const uuid = JourneyResource.fields.id
export const ofCompany = { companyId: uuid.annotate({ description: "The company's id" }) }

export const companies = "/settings/v1/companies"
export const company = `${companies}/:companyId` as const

export const accepted = HttpApiSchema.status(202)

/** The answer of a list that is read page by page. */
export const pages = <const Entry extends Schema.Top>(name: string, entry: Entry) =>
  answerOf(`${name}Answer`, listPageOf(name, entry))

export const says = (summary: string, description: string) => OpenApi.annotations({ summary, description })
