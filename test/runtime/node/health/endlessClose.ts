/** Loaded before the service by a test: a server that never says that it has closed, so that a stop hangs. */
import { Server } from "node:http"

Server.prototype.close = function close(): Server {
  return this
}
