/**
 * Sizes: a file has at most 300 lines and a function at most 70. A layer builder may have 120, because it lists what its
 * service is made of: a function whose result is a Layer, or the generator that is handed to Layer.effect. So may a
 * function of a test tool, such as a ground that tests stand on.
 */
import { Visitor } from "oxc-parser"
import { lineAt, type SourceFile } from "./sources.ts"

const mostFileLines = 300
const mostFunctionLines = 70
const mostBuilderLines = 120

export const longFiles = (files: ReadonlyArray<SourceFile>): ReadonlyArray<string> =>
  files
    .map((file) => ({ path: file.path, lines: file.text.trimEnd().split("\n").length }))
    .filter(({ lines }) => lines > mostFileLines)
    .map(({ path }) => path)

export const longFunctions = (files: ReadonlyArray<SourceFile>): ReadonlyArray<string> =>
  files.flatMap((file) => [
    ...new Set(
      functionsOf(file)
        .filter((found) => found.lines > (found.isBuilder || isTest(file) ? mostBuilderLines : mostFunctionLines))
        .map((found) => `${file.path} ${found.name}`)
    )
  ])

const isTest = ({ path }: SourceFile): boolean => path.startsWith("test/")

interface Found {
  readonly name: string
  readonly lines: number
  readonly isBuilder: boolean
}

/** A function that the walk is inside of, or a call of Layer that it is inside of. */
interface Frame {
  readonly kind: "function" | "layerCall"
  readonly isBuilder: boolean
}

const functionsOf = (file: SourceFile): ReadonlyArray<Found> => {
  const found: Array<Found> = []
  const frames: Array<Frame> = []
  const names: Array<string> = []
  const builders = buildersOf(file)

  const enter = (node: { start: number; end: number }, ownName: string | undefined): void => {
    const name = ownName ?? names.at(-1) ?? "(anonymous)"
    const outer = frames.at(-1)
    const text = file.text.slice(node.start, node.end)
    // A generator inherits from the builder that it is the whole body of.
    const isBuilder = outer?.kind === "layerCall" || builders.has(name) || givesLayer(text)
    frames.push({ kind: "function", isBuilder })
    found.push({ name, lines: lineAt(file, node.end) - lineAt(file, node.start) + 1, isBuilder })
  }
  const leave = (): void => {
    frames.pop()
  }
  new Visitor({
    VariableDeclarator: (node) => void names.push(node.id.type === "Identifier" ? node.id.name : "(pattern)"),
    "VariableDeclarator:exit": () => void names.pop(),
    Property: (node) => void names.push(node.key.type === "Identifier" ? node.key.name : "(property)"),
    "Property:exit": () => void names.pop(),
    MethodDefinition: (node) => void names.push(node.key.type === "Identifier" ? node.key.name : "(method)"),
    "MethodDefinition:exit": () => void names.pop(),
    PropertyDefinition: (node) => void names.push(node.key.type === "Identifier" ? node.key.name : "(property)"),
    "PropertyDefinition:exit": () => void names.pop(),
    CallExpression: (node) => {
      if (isLayerCall(file.text.slice(node.callee.start, node.callee.end)))
        frames.push({ kind: "layerCall", isBuilder: true })
    },
    "CallExpression:exit": (node) => {
      if (isLayerCall(file.text.slice(node.callee.start, node.callee.end))) frames.pop()
    },
    FunctionDeclaration: (node) => enter(node, node.id?.name),
    "FunctionDeclaration:exit": leave,
    FunctionExpression: (node) => enter(node, node.id?.name),
    "FunctionExpression:exit": leave,
    ArrowFunctionExpression: (node) => enter(node, undefined),
    "ArrowFunctionExpression:exit": leave
  }).visit(file.parsed.program)
  return found
}

const isLayerCall = (callee: string): boolean =>
  /^Layer\.(?:effect|effectDiscard|effectContext|unwrap|succeed|sync)\b/.test(callee)

/** `(settings) => Layer.…`, or a function that says that it answers with a Layer. */
const givesLayer = (text: string): boolean =>
  /^[^{]*=>\s*Layer\./.test(text) || /^[^{]*\)\s*:\s*Layer\.Layer</.test(text)

/** The names that are handed to Layer.effect by name: `Layer.effect(Service, make)`, `Layer.effect(Service)(make(settings))`. */
const buildersOf = (file: SourceFile): ReadonlySet<string> =>
  new Set(
    [
      ...file.text.matchAll(/Layer\.(?:effect|effectDiscard|effectContext|unwrap)\((?:\s*[\w.]+\s*,)?\s*(\w+)\b(?!\.)/g)
    ].map((match) => match[1] ?? "")
  )
