/**
 * Takes away again what a company and its keys had before: the administrator's address that was changed, the service of a company that was
 * turned off, the rights of API keys that got fewer. What they had after was lost with the database: the company, or the operator,
 * tells it anew. A key reaches nothing until then, because nobody knows how little it was left.
 */
import { endedAddress } from "../../actors/mail/writers/endedAddress.ts"
import { byStatement, isBefore, timesOf, uuidsOf, withLine } from "./ending.ts"

const ofCompany = (field: string, values: string) =>
  `json_build_object('fields', json_build_array('${field}'), 'values', ${values})`

export const endCompanies = byStatement<"COMPANY">(
  withLine(
    `update companies c set active = false from unnest($1::uuid[], $2::timestamptz[]) t (id, since)
     where c.id = t.id and c.active and ${isBefore("c.active_since")} returning c.id, c.id as company_id`,
    "company.changed",
    ofCompany("active", "json_build_object('active', false)")
  ),
  (lines) => [uuidsOf(lines, ({ companyId }) => companyId), timesOf(lines)]
)

export const endAdministrators = byStatement<"ADMINISTRATOR">(
  withLine(
    `update companies c set admin_email = '${endedAddress}' from unnest($1::uuid[], $2::timestamptz[]) t (id, since)
     where c.id = t.id and ${isBefore("c.admin_email_since")} returning c.id, c.id as company_id`,
    "company.changed",
    ofCompany("adminEmail", "json_build_object()")
  ),
  (lines) => [uuidsOf(lines, ({ companyId }) => companyId), timesOf(lines)]
)

export const endKeyRights = byStatement<"KEY_RIGHTS">(
  withLine(
    `update api_keys k set developer = false from unnest($1::uuid[], $2::timestamptz[]) t (id, since)
     where k.id = t.id and k.developer and k.revoked_at is null and ${isBefore("k.narrowed_since")}
     returning k.id, k.company_id`,
    "api_key.changed",
    "json_build_object('keyId', id, 'fields', json_build_array('developer'), 'values', json_build_object('developer', false))"
  ),
  (lines) => [uuidsOf(lines, ({ keyId }) => keyId), timesOf(lines)]
)
