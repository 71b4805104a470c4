/** All that a database holds, as text: for tests that look for what must be nowhere. */
import type { Service } from "./service.ts"

/** Every row of every table, by table, as text; bytes as hexadecimal. */
const rowsOfEachTable = async (service: Service): Promise<ReadonlyMap<string, string>> => {
  const tables = await service.query<{ readonly name: string }>(
    "select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'"
  )
  const texts = await Promise.all(
    tables.map(async ({ name }) => {
      const rows = await service.query<{ readonly line: string }>(`select t::text as line from ${name} t`)
      return [name, rows.map(({ line }) => line).join("\n")] as const
    })
  )
  return new Map(texts)
}

/** The tables whose rows hold one of these texts, as it is or as bytes. */
export const tablesWith = async (service: Service, ...texts: ReadonlyArray<string>): Promise<ReadonlyArray<string>> => {
  const wanted = texts.flatMap((text) => [text, Buffer.from(text).toString("hex")])
  return [...(await rowsOfEachTable(service))]
    .filter(([, lines]) => wanted.some((text) => lines.includes(text)))
    .map(([name]) => name)
    .toSorted()
}
