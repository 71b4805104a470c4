/** A customer who is signed in to a journey, as the database keeps it: nobody has its secret. The answer is the session's id. */
import type { Service } from "./service.ts"

export const addCustomerSession = async ({ query }: Pick<Service, "query">, journeyId: string): Promise<string> => {
  const [session] = await query<{ readonly id: string }>(
    `insert into customer_sessions (secret_hash, link_hash, journey_id, opened_at, seen_at, is_marked)
     values (decode(md5($1::text), 'hex'), decode(md5($1::text), 'hex'), $1::uuid, now(), now(), true) returning id`,
    [journeyId]
  )
  return session?.id ?? ""
}
