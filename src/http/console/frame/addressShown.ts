/** The address of the service as a command on a page names it: the one that is set, else the one that the browser has asked. */
import { Effect } from "effect"
import { ServiceAddress } from "../../../actors/mail/ServiceAddress.ts"
import type { ConsoleUser } from "./consolePage.ts"

export const addressShown = ({ request }: Pick<ConsoleUser, "request">) =>
  Effect.map(ServiceAddress, ({ baseUrl }) => baseUrl ?? `http://${request.headers["host"] ?? ""}`)
