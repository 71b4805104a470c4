/** A small DNS server over UDP that answers what a test says, question by question. */
import { createSocket } from "node:dgram"
import ipaddr from "ipaddr.js"

export interface Question {
  readonly host: string
  readonly type: "A" | "AAAA" | "NS" | "OTHER"
}

/** Addresses of the type that was asked for, a response code, or nothing at all. */
export type Reply = ReadonlyArray<string> | "NXDOMAIN" | "SERVFAIL" | "REFUSED" | "SILENCE"

const types: Readonly<Record<number, Question["type"]>> = { 1: "A", 28: "AAAA", 2: "NS" }
const codes = { NXDOMAIN: 3, SERVFAIL: 2, REFUSED: 5 } as const

const questionOf = (packet: Buffer): Question & { readonly end: number } => {
  const labels: Array<string> = []
  let at = 12
  for (let length = packet[at] ?? 0; length > 0; length = packet[at] ?? 0) {
    labels.push(packet.toString("latin1", at + 1, at + 1 + length))
    at += 1 + length
  }
  return { host: labels.join(".").toLowerCase(), type: types[packet.readUInt16BE(at + 1)] ?? "OTHER", end: at + 5 }
}

const answerTo = (packet: Buffer, end: number, reply: Exclude<Reply, "SILENCE">): Buffer => {
  const addresses = typeof reply === "string" ? [] : reply
  const head = Buffer.from(packet.subarray(0, 12))
  head.writeUInt16BE(0x8180 + (typeof reply === "string" ? codes[reply] : 0), 2)
  head.writeUInt16BE(addresses.length, 6)
  head.writeUInt32BE(0, 8)
  const records = addresses.map((address) => {
    const bytes = Buffer.from(ipaddr.parse(address).toByteArray())
    const record = Buffer.alloc(12)
    record.writeUInt16BE(0xc00c, 0)
    record.writeUInt16BE(bytes.length === 4 ? 1 : 28, 2)
    record.writeUInt16BE(1, 4)
    record.writeUInt16BE(bytes.length, 10)
    return Buffer.concat([record, bytes])
  })
  return Buffer.concat([head, packet.subarray(12, end), ...records])
}

/** Asked for the root's name servers it says that there are none, which shows that it is there. */
export const startNameServer = async (reply: (question: Question) => Reply) => {
  const socket = createSocket("udp4")
  const questions: Array<Question> = []
  socket.on("message", (packet, { address, port }) => {
    const { end, host, type } = questionOf(packet)
    if (host !== "") questions.push({ host, type })
    const answer = reply({ host, type })
    if (answer !== "SILENCE") socket.send(answerTo(packet, end, answer), port, address)
  })
  await new Promise<void>((resolve) => socket.bind(0, "127.0.0.1", resolve))
  const { port } = socket.address()
  return {
    server: `127.0.0.1:${port}`,
    questions,
    close: () => new Promise<void>((resolve) => socket.close(() => resolve()))
  }
}
