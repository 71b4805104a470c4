/** The part of the client for Python that is not generated, run as it stands in the tree against a server. Not a test itself. */
import { spawnSync } from "node:child_process"
import { resolve } from "node:path"
import { run, temporaryFolder } from "../../support/processes.ts"
import { answeringServer, type Reply } from "./standIns.ts"

const isThere = spawnSync("python3", ["--version"], { stdio: "ignore" }).status === 0
export const canSkipPython = !isThere && process.env["CI"] !== "true"

/** `outcome` says what came of a call, `mistake` of a call that is one: its class, and what it says. */
const beginning = `
import json, sys, types
package = types.ModuleType("journeys_client"); package.__path__ = [sys.argv[1]]; sys.modules["journeys_client"] = package
from journeys_client import errors, listing, request, transport
url = sys.argv[2]
transport.SHORTEST_PAUSE = 0.001
class NotFound(errors.ApiError): pass
def client_of(base_url=url, api_key="svc_test_x", timeout=30):
    return transport.Transport(base_url, request.judged_api_key(api_key), timeout, 5, {"JOURNEY_NOT_FOUND": NotFound})
client = client_of()
def outcome(method, path, by=client, **given):
    try: return by.call(method, path, **given)
    except errors.JourneysError as error: return {"name": type(error).__name__, "message": str(error), **vars(error)}
def mistake(work):
    try: return work()
    except Exception as error: return f"{type(error).__name__}: {error}"
`

/** Runs lines that end with an expression; gives its value, and the server that was asked. */
export const inPython = async (
  replies: Readonly<Record<string, ReadonlyArray<Reply>>>,
  expression: string
): Promise<{ readonly value: unknown; readonly server: Awaited<ReturnType<typeof answeringServer>> }> => {
  if (!isThere) throw new Error("CI needs python3 on PATH")
  const server = await answeringServer(replies)
  const folder = await temporaryFolder()
  const source = resolve(import.meta.dirname, "../../../src/runtime/client/python/journeys_client")
  const program = `${beginning}\nprint(json.dumps(${expression}))`
  const { stderr, stdout } = await run("python3", ["-B", "-c", program, source, server.baseUrl], { cwd: folder.path })
  server.close()
  await folder.remove()
  if (stdout === "") throw new Error(stderr)
  return { value: JSON.parse(stdout), server }
}
