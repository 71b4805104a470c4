/**
 * Indexes of lists that are long at big companies: journeys by their customer and by their end, and the deliveries of an endpoint
 * that are not delivered yet, newest first. Each replaces an index, but for that of ended journeys, which only the last
 * commit of a journey writes.
 */
export const sql = `
-- The journeys of a customer in the order of the list.
create index journeys_by_customer on journeys (customer_id, created_at desc, id desc);
drop index journeys_of_customer;

create index journeys_by_end on journeys (company_id, livemode, listed_as, type, ended_at desc, id desc)
  where ended_at is not null;

-- A large endpoint may have a million deliveries that wait.
create index deliveries_unfinished on deliveries (endpoint_id, status, event_id) where status <> 'DELIVERED';
drop index deliveries_missed;
`
