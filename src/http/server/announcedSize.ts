/** What the headers of a request say of the size of its body. */
import type { IncomingHttpHeaders } from "node:http"

/** Whether the body says that it is larger, or does not say how large it is. */
export const mayBeLarger = (headers: IncomingHttpHeaders, bytes: number): boolean =>
  headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > bytes
