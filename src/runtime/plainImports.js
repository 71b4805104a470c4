/**
 * Which module a relative import means that names a file of this tree or of Effect whole: itself. Node would ask the file system about each
 * of some 8,000 of them at every start: for the file, for what its path really is, and for a package.json in every folder above.
 */
const root = new URL("../../", import.meta.url)
const sources = new URL("src/", root).href

/** Packages whose package.json says that their files are modules. */
const effect = ["effect", "@effect/platform-node", "@effect/platform-node-shared", "@effect/sql-pg"].map(
  (name) => new URL(`node_modules/${name}/dist/`, root).href
)

/**
 * @param {string} specifier what the import names
 * @param {string | undefined} parent the address of the module that imports
 * @returns {{ url: string, format: string, shortCircuit: true } | null} as a hook of Node answers; null where Node has to look
 */
export const meantBy = (specifier, parent) => {
  if (parent === undefined || !/^\.\.?\//.test(specifier)) return null
  const isWithin = (/** @type {string} */ folder) => parent.startsWith(folder) && url.startsWith(folder)
  const { href: url } = new URL(specifier, parent)
  if (url.endsWith(".ts")) return isWithin(sources) ? { url, format: "module-typescript", shortCircuit: true } : null
  return url.endsWith(".js") && effect.some(isWithin) ? { url, format: "module", shortCircuit: true } : null
}
