/** Why a start is refused: every problem that was found. Where problems are found is in the files beside it. */
import { errorCatalogue, type ErrorCode, type FieldError } from "../../../../schema/problems.ts"

/** The request is refused with these errors; nothing was kept. */
export class StartRefused {
  readonly _tag = "StartRefused"
  readonly errors: ReadonlyArray<FieldError>
  constructor(errors: ReadonlyArray<FieldError>) {
    this.errors = errors
  }
}

export const startRefusal = (code: ErrorCode, field: string) =>
  new StartRefused([{ field, code, message: errorCatalogue[code].meaning }])
