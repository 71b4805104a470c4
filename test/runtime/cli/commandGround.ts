/** The ground of tests of commands: a running service, an empty folder, and `journeys ...` as a process of its own in it. */
import { afterAll, beforeAll, expect, vi } from "vitest"
import { commandsScript, run, temporaryFolder, type Ended } from "../../support/processes.ts"
import { operatorToken, startService, type Service } from "../../support/service.ts"

type Environment = Readonly<Record<string, string>>

/** Starts the ground before the tests of the file, and stops it after them. */
export const useCommands = (settings: Environment = {}) => {
  // Each command is a process of its own, which on a loaded machine takes ten seconds and more to begin.
  vi.setConfig({ testTimeout: 300_000 })

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

  const journeysWith = (environment: Environment, ...parameters: ReadonlyArray<string>): Promise<Ended> =>
    run(process.execPath, [commandsScript, ...parameters], { cwd: folder.path, environment })

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
