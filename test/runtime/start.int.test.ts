/** The start: on a Node that is too old one line, before anything that an old Node could not read; and through npm. */
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { expect, it } from "vitest"
import { commandsScript, listening, mainScript, run, startCommand } from "../support/processes.ts"
import { freshDatabase } from "../support/service.ts"

const startScript = mainScript

const settings = async () => ({
  PORT: "0",
  DATABASE_URL: await freshDatabase(),
  ENCRYPTION_KEY: Buffer.alloc(32, 7).toString("base64"),
  OPERATOR_TOKEN: "test-operator-token-of-this-file"
})

/** Makes Node say that it is of another version. */
const asVersion = (version: string): string =>
  `data:text/javascript,Object.defineProperty(process,"versions",{value:{...process.versions,node:"${version}"}})`

it.each(["20.20.2", "22.21.1", "23.11.1"])(
  "is refused on Node %s in one line that says what to do",
  async (version) => {
    const ended = await run(process.execPath, ["--import", asVersion(version), startScript], {
      cwd: import.meta.dirname
    })
    expect(ended).toEqual({
      code: 1,
      stdout: "",
      stderr: `Node 24 or newer is needed, and this is ${version}: run "npm install" and "npm start", or install Node 24\n`
    })
  }
)

it("runs the program on a newer Node", async () => {
  const ended = await run(process.execPath, ["--import", asVersion("26.1.0"), startScript], {
    cwd: import.meta.dirname,
    environment: { PORT: "none" }
  })
  expect(ended).toEqual({ code: 1, stdout: "", stderr: 'PORT must be a whole number from 0 to 65535, not "none"\n' })
})

it("a command that an older Node began finds its modules as fast as one that this Node began", async () => {
  const hooksSeen = `data:text/javascript,${encodeURIComponent(`
    import module from "node:module"
    const { registerHooks } = module
    module.registerHooks = (hooks) => (console.error("hooks are registered"), registerHooks(hooks))
    module.syncBuiltinESMExports()`)}`
  const ended = await run(process.execPath, ["--import", asVersion("20.20.2"), commandsScript, "--help"], {
    cwd: import.meta.dirname,
    environment: { NODE_OPTIONS: `--import ${hooksSeen}` }
  })
  expect(ended).toMatchObject({ code: 0, stderr: "hooks are registered\n" })
})

it("opens no debugger for whoever may send it signals", async () => {
  const root = join(import.meta.dirname, "../..")
  const { scripts } = JSON.parse(await readFile(join(root, "package.json"), "utf8"))
  // npm itself would open a debugger of its own.
  const [node = "", ...parameters] = scripts.start.replace("exec ", "").split(" ")
  expect(node).toBe("node")
  const main = startCommand(process.execPath, parameters, { cwd: root, environment: await settings() })
  await main.printed(listening)
  const ended = main.stop("SIGUSR1")
  await main.stop("SIGTERM")
  expect(await ended).toMatchObject({ code: 0, stderr: "" })
})

it("ends in good order when npm start is told to end, and leaves no process behind", async () => {
  const npm = startCommand("npm", ["start", "--silent"], {
    cwd: join(import.meta.dirname, "../.."),
    environment: await settings()
  })
  const [, baseUrl = ""] = await npm.printed(listening)
  // The outputs close when the last process that writes to them has ended.
  expect((await npm.stop("SIGTERM")).stderr).toBe("")
  await expect(fetch(baseUrl)).rejects.toThrow("fetch failed")
})
