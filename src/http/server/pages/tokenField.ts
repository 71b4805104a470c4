/** The field that proves that a form is ours (`forgery.ts`). */
import { html, type Html } from "./html.ts"

export const tokenField = (formToken: string): Html => html`<input type="hidden" name="token" value="${formToken}" />`
