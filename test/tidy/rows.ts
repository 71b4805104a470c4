/**
 * Rows: what a statement answers is decoded by a row model (`runtime/postgres/rows.ts`), and never said to have a type. The check finds
 * types that are given to a statement; whether a decoded row is cast later, only a reader can judge.
 */
import type { SourceFile } from "./sources.ts"

const typedStatement = /\bsql(?:\.unsafe)?</

/** The files in which a statement's answer has a type by assertion. */
export const assertedRows = (files: ReadonlyArray<SourceFile>): ReadonlyArray<string> =>
  files.filter(({ text }) => typedStatement.test(text)).map(({ path }) => path)
