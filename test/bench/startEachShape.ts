/** One journey of each shape that needs no photo: what benches copy into many. */
import { randomBytes } from "node:crypto"
import { startExamples } from "../../src/schema/start/examples.ts"
import type { Running } from "./running.ts"

/** `name` begins the Idempotency-Keys, by which the bench finds the journeys again. */
export const startEachShape = async ({ key, port }: Running, name: string): Promise<void> => {
  for (const [shape, body] of Object.entries(startExamples).filter(([one]) => one !== "FINANCE_SALE")) {
    const answer = await fetch(`http://127.0.0.1:${port}/api/v1/journeys`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${key}`,
        "content-type": "application/json",
        "idempotency-key": `${name}-${shape}-${randomBytes(4).toString("hex")}`
      },
      body: JSON.stringify(body)
    })
    if (answer.status !== 202) throw new Error(`${shape}: ${answer.status} ${await answer.text()}`)
  }
}
