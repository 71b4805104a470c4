/** What tells the secrets of webhook endpoints apart without telling them: a fast hash is enough, because the secrets are random. */
import { hash } from "node:crypto"

export const secretHash = (secret: string): string => hash("sha256", `webhook secret|${secret}`, "hex")
