import { describe, expect, it } from "vitest"
import { formTokenOf, hashSecret, isSecret, newNonce } from "../../../src/actors/kernel/secrets.ts"

describe("a customer's secret", () => {
  it("is 256 bits as 43 characters, new each time", () => {
    const secrets = Array.from({ length: 1000 }, newNonce)
    expect(new Set(secrets).size).toBe(1000)
    expect(secrets.every(isSecret)).toBe(true)
    expect(secrets.every((secret) => Buffer.from(secret, "base64url").length === 32)).toBe(true)
  })

  it("is the only text of its bytes", () => {
    const secret = "A".repeat(43)
    expect(isSecret(secret)).toBe(true)
    for (const other of [
      "",
      `${secret}A`,
      secret.slice(1),
      `${secret.slice(1)}B`,
      `${secret.slice(1)}=`,
      `${secret} `
    ]) {
      expect(isSecret(other), other).toBe(false)
    }
  })

  it("is told by neither its hash nor the token of its forms, which differ", () => {
    const secret = newNonce()
    const hashed = Buffer.from(hashSecret(secret)).toString("base64url")
    expect(new Set([secret, hashed, formTokenOf(secret)]).size).toBe(3)
    expect(formTokenOf(secret)).toBe(formTokenOf(secret))
  })
})
