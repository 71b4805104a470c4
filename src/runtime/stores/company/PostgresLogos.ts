/** The logos that companies show, in PostgreSQL, by their digest. `PostgresCompanyStore.ts` writes them. */
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { Logos } from "../../../actors/company/Logos.ts"
import { KeptLogo } from "../../../schema/company/Brand.ts"
import { column, rowModel } from "../../postgres/rows.ts"
import { storeRead } from "../../postgres/storeCalls.ts"

const LogoRow = rowModel({ type: column.oneOf(KeptLogo.fields.type), bytes: column.bytes })

export const layer = Layer.effect(
  Logos,
  Effect.map(SqlClient.SqlClient, (sql) =>
    Logos.of({
      // Two companies may show the same image.
      find: (digest) =>
        storeRead(LogoRow.first(sql`select type, bytes from company_logos where digest = ${digest} limit 1`))
    })
  )
)
