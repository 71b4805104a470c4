/**
 * Where DATABASE_URL leads to, and whether by TLS, as the client of `@effect/sql-pg` reads it: a parameter of the URL goes before the
 * place where a URL names its host, and of two of one name the last counts.
 */
const lastOf = (url: URL, name: string): string | undefined => url.searchParams.getAll(name).at(-1)

/** A host name, an address, or the folder of a socket. The client takes this machine where the URL names none. */
export const databaseHostOf = (url: URL): string =>
  lastOf(url, "host") ?? (url.hostname === "" ? "localhost" : url.hostname)

const secureModes = new Set(["require", "verify-ca", "verify-full"])

export const isDatabaseByTls = (url: URL): boolean => secureModes.has(lastOf(url, "sslmode") ?? "")
