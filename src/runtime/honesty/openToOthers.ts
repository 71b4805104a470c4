/** Which folders and files others on the machine can open. What should be closed is said by whoever asks. */
import { Effect } from "effect"
import * as Fs from "node:fs/promises"
import * as Path from "node:path"

/** The bits of a mode that let the group or everybody in. */
const others = 0o077

/** Windows has no such modes. What is not there can be opened by nobody. */
const isOpen = (path: string): Effect.Effect<boolean> =>
  Effect.tryPromise(() => Fs.stat(path)).pipe(
    Effect.map(({ mode }) => process.platform !== "win32" && (mode & others) !== 0),
    Effect.orElseSucceed(() => false)
  )

/** Of the data folder and the files with secrets in it; what lies in a closed folder is closed. */
export const openToOthers = (dataDir: string): Effect.Effect<ReadonlyArray<string>> =>
  Effect.flatMap(isOpen(dataDir), (folderIsOpen) =>
    folderIsOpen
      ? Effect.map(
          Effect.filter(
            ["secrets.json", "demo.json"].map((name) => Path.join(dataDir, name)),
            isOpen
          ),
          (files) => [dataDir, ...files]
        )
      : Effect.succeed([])
  )
