/**
 * The ground of tests of commands: a running service, an empty folder, and `journeys ...` in this process, because a process of
 * its own takes a second to begin. What only a process has, exit codes and signals, is tested by `commandProcess.int.test.ts`
 * and the tests of `listen`.
 */
import { ConfigProvider, Console, Effect, Exit } from "effect"
import { Console as NodeConsole } from "node:console"
import { join } from "node:path"
import { Writable } from "node:stream"
import { afterAll, beforeAll, expect } from "vitest"
import { program } from "../../../src/runtime/cli/program.ts"
import { temporaryFolder, type Ended } from "../../support/processes.ts"
import { operatorToken, startService, type Service } from "../../support/service.ts"

type Environment = Readonly<Record<string, string>>

/** Starts the ground before the tests of the file, and stops it after them. */
export const useCommands = (settings: Environment = {}) => {
  let service: Service
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  beforeAll(async () => {
    service = await startService(settings)
    folder = await temporaryFolder()
  })
  afterAll(async () => {
    await service.stop()
    await folder.remove()
  })

  /** Nothing but `environment` reaches the command, and its data folder is in the ground's folder. */
  const journeysWith = async (environment: Environment, ...parameters: ReadonlyArray<string>): Promise<Ended> => {
    const [stdout, stderr] = [new Collected(), new Collected()]
    const env = { DATA_DIR: join(folder.path, ".journeys"), PROFILE: "development", ...environment }
    const exit = await Effect.runPromiseExit(
      program(parameters).pipe(
        Effect.provideService(Console.Console, new NodeConsole(stdout, stderr)),
        Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromEnvRecord(env))
      )
    )
    return { code: Exit.isSuccess(exit) ? 0 : 1, stdout: stdout.text, stderr: stderr.text }
  }

  /** Runs a command as the operator of the service. */
  const journeys = (...parameters: ReadonlyArray<string>): Promise<Ended> =>
    journeysWith({ BASE_URL: service.baseUrl, OPERATOR_TOKEN: operatorToken }, ...parameters)

  return {
    get service() {
      return service
    },
    /** The path of the folder in which commands run. */
    get folder() {
      return folder.path
    },
    journeys,
    journeysWith,
    /** The command's data; it must have succeeded. */
    json: async (...parameters: ReadonlyArray<string>) => {
      const { code, stderr, stdout } = await journeys(...parameters, "--json")
      expect([code, stderr]).toEqual([0, ""])
      return JSON.parse(stdout)
    }
  }
}

class Collected extends Writable {
  text = ""
  override _write(chunk: Buffer, _encoding: string, done: () => void) {
    this.text += chunk.toString()
    done()
  }
}
