/** The connection to the SMTP server: whose certificate is trusted, and when a password travels. */
import { readFileSync } from "node:fs"
import { getCACertificates, setDefaultCACertificates } from "node:tls"
import { describe, expect, it } from "vitest"
import { smtpAnswer, type startMailServer } from "../../support/mailServer.ts"
import { mailServers, sending } from "./smtpGround.ts"

const { bareServer, started } = mailServers()

const certificate = (name: string) => readFileSync(new URL(`../certificates/${name}`, import.meta.url), "utf8")
const offeringTls = (name: string) => ({
  disabledCommands: [],
  cert: certificate(`${name}.pem`),
  key: certificate(`${name}.key`)
})

/** Has this process trust the authority of the good certificate while `use` runs. */
const trusting = async (use: () => Promise<void>): Promise<void> => {
  const before = getCACertificates("default")
  setDefaultCACertificates([...before, certificate("authority.pem")])
  try {
    await use()
  } finally {
    setDefaultCACertificates(before)
  }
}

const withPassword = (port: number, scheme = "smtp") => `${scheme}://journeys:pass%20word@127.0.0.1:${port}`

describe("the connection", () => {
  it("is used by no mail when the server's certificate is nobody's, whether TLS comes first or is offered", async () => {
    const offered = await started(offeringTls("selfSigned"))
    expect(await sending(offered.url)).toMatch(/^MailNotSent: (?:ETLS|ESOCKET)/)
    const first = await started({ ...offeringTls("selfSigned"), secure: true })
    expect(await sending(`smtps://127.0.0.1:${first.port}`)).toMatch(/^MailNotSent: (?:ETLS|ESOCKET)/)
    expect([...offered.received, ...first.received]).toEqual([])
  })

  it("is used when the certificate is trusted, and the password then goes over it", async () => {
    const seen: Array<unknown> = []
    const auth = {
      ...offeringTls("good"),
      authOptional: false,
      onAuth: ({ password, username }, session, done) => {
        seen.push([username, password, session.secure])
        done(null, { user: username })
      }
    } satisfies Parameters<typeof startMailServer>[0]
    await trusting(async () => {
      const offered = await started(auth)
      expect(await sending(withPassword(offered.port))).toBe("sent")
      const first = await started({ ...auth, secure: true })
      expect(await sending(withPassword(first.port, "smtps"))).toBe("sent")
      expect([...offered.received, ...first.received].map(({ isSecure }) => isSecure)).toEqual([true, true])
    })
    expect(seen).toEqual([
      ["journeys", "pass word", true],
      ["journeys", "pass word", true]
    ])
  })

  it("never carries a password in the clear, though the server asks for one", async () => {
    const server = await bareServer((socket, said) => {
      if (said === "") socket.write("220 hello\r\n")
      else if (said.startsWith("EHLO")) socket.write("250-hello\r\n250 AUTH PLAIN LOGIN\r\n")
      else socket.write("502 no\r\n")
    })
    const url = server.url.replace("//", "//journeys:password@")
    expect(await sending(url)).toMatch(/^MailNotSent: ETLS/)
    expect(server.said()).not.toMatch(/AUTH|MAIL/)
  })

  it("lets a mail wait when the password is wrong", async () => {
    await trusting(async () => {
      const server = await started({ ...offeringTls("good"), onAuth: (_auth, _session, done) => done(smtpAnswer(535)) })
      expect(await sending(withPassword(server.port))).toMatch(/^MailNotSent: EAUTH 535/)
      expect(server.received).toEqual([])
    })
  })
})
