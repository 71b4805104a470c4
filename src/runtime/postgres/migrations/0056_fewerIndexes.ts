/**
 * Two indexes fewer that every start and every mail wrote and that only a number for operators read. What an active journey waits on
 * is counted and listed by one index, and the mail that has been due for longest is found company by company.
 */
export const sql = `
drop index journeys_waiting;
drop index journeys_longest_waiting;
create index journeys_longest_waiting on journeys (waiting_on, type, waiting_since, id) where status = 'ACTIVE';
drop index mails_due;
`
