/** The language of customers in PostgreSQL, in the customer's own row. The stores that open sessions and write mails read it there. */
import { Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { CustomerLanguage, type KnownLanguages } from "../../../actors/customer/CustomerLanguage.ts"
import { Language } from "../../../schema/words/locale/languages.ts"
import { column } from "../../postgres/rows.ts"
import { repeatableWrite } from "../../postgres/storeCalls.ts"

const rememberStatement = `
update customers c set language = $2, language_chosen = $3 from journeys j
where j.id = $1 and c.id = j.customer_id and ($3 or not c.language_chosen)
  and (c.language, c.language_chosen) is distinct from ($2, $3)`

const languageColumn = column.oneOf(Schema.Literals(Language.literals))

/** The columns of a statement that knows a customer and a company by the given names. */
export const languageColumns = (customer: string, company: string): string =>
  `${customer}.language as customer_language, coalesce(${customer}.language_chosen, false) as is_language_chosen, ${company}.language as company_language`

/** The same columns in a row's model. */
export const languageFields = {
  customerLanguage: column.orNull(languageColumn),
  isLanguageChosen: column.bool,
  companyLanguage: languageColumn
}

interface LanguageRow {
  readonly customerLanguage: Language | null
  readonly isLanguageChosen: boolean
  readonly companyLanguage: Language
}

export const knownLanguages = (row: LanguageRow): KnownLanguages => ({
  customer: row.customerLanguage,
  isChosen: row.isLanguageChosen,
  company: row.companyLanguage
})

export const layer = Layer.effect(
  CustomerLanguage,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    return CustomerLanguage.of({
      remember: (journeyId, language, isChosen) =>
        Effect.asVoid(repeatableWrite(sql.unsafe(rememberStatement, [journeyId, language, isChosen])))
    })
  })
)
