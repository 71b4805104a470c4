/** The statements that change a company's stock of vehicles. Who may, and when a journey sells one, is decided elsewhere. */
import { audited } from "./companyStatements.ts"

/**
 * Parts of a statement that mark vehicles sold, from a part `sold` with the columns journey_id, company_id, vehicle_id
 * and at. Each journey does it once; of two that sell one vehicle at once the first by id does. What came of it is in
 * the part `sale`, and kept: what is not MARKED is a note for the team.
 */
export const markSold = (sold: string): string => `
stock as (
  select s.*, v.status, row_number() over (partition by s.company_id, s.vehicle_id order by s.journey_id) as turn
  from ${sold} s left join lateral (
    select status from vehicles where company_id = s.company_id and id = s.vehicle_id for update
  ) v on true
), sale as (
  insert into vehicle_sales (journey_id, company_id, vehicle_id, outcome, at)
  select journey_id, company_id, vehicle_id,
    case when status is null then 'UNKNOWN' when status = 'IN_STOCK' and turn = 1 then 'MARKED' else 'ALREADY_SOLD' end, at
  from stock
  on conflict (journey_id) do nothing
  returning *
), marked as (
  update vehicles v set status = 'SOLD', sold_by = sale.journey_id, changed_at = sale.at
  from sale where sale.outcome = 'MARKED' and v.company_id = sale.company_id and v.id = sale.vehicle_id
  returning v.*
), marked_line as (
  insert into audit (company_id, actor, action, details, at)
  select company_id, 'service', 'vehicle.sold', json_build_object('vehicleId', id, 'journeyId', sold_by), changed_at
  from marked
)`

/** After the five parameters of a change: the vehicle's id and status. What is saved as it was stays as it was. */
export const saveVehicleStatement = audited(`
  insert into vehicles as old (company_id, id, status, changed_at) values ($1, $6, $7, $5)
  on conflict (company_id, id) do update
  set status = excluded.status, sold_by = null, changed_at = excluded.changed_at
  where old.status <> excluded.status`)
