/** The statements that change a company's stock of vehicles. Who may, and when a journey sells one, is decided elsewhere. */
import { audited } from "./companyStatements.ts"

/** After the five parameters of a change: the vehicle's id and status. What is saved as it was stays as it was. */
export const saveVehicleStatement = audited(`
  insert into vehicles as old (company_id, id, status, changed_at) values ($1, $6, $7, $5)
  on conflict (company_id, id) do update
  set status = excluded.status, sold_by = null, changed_at = excluded.changed_at
  where old.status <> excluded.status`)
