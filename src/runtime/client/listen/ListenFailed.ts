/** Why `listen` ended before anybody stopped it, in words for whoever runs it. */
import { JourneysError } from "../lib/errors.ts"

export class ListenFailed extends JourneysError {
  override name: string = "ListenFailed"
}
