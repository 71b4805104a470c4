/** `npm run package:client [-- folder]`: makes the packages for integrators and says where they are. */
import { makeClientPackages } from "./packages.ts"

const [, , folder = "."] = process.argv
const { tarball, wheel } = await makeClientPackages(folder)
process.stdout.write(`npm install ${tarball}\n`)
process.stdout.write(
  wheel === null ? "No wheel was made: there is no python3 on PATH\n" : `pip install --no-index ${wheel}\n`
)
