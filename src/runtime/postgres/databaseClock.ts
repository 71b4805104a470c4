/** The time of the database's clock in epoch milliseconds, as a column of a statement. It goes on within a transaction. */
export const databaseMillis = "(extract(epoch from clock_timestamp()) * 1000)::float8"
