/** Multipart bodies for tests, written byte by byte, correct ones and wrong ones. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { eventually } from "./eventually.ts"
import { call, freshKey, type Reply } from "./requests.ts"

export interface SentPart {
  /** Header lines, without the empty line after them. */
  readonly headers: ReadonlyArray<string>
  readonly content: string | Uint8Array
}

const fixture = (name: string): Buffer => readFileSync(join(import.meta.dirname, "../fixtures/photos", name))
const faceJpeg = fixture("face.jpg")
const facePng = fixture("face.png")

/**
 * Bytes after the end of an image do not belong to it. They make photos of one picture differ, and give them the size
 * that a test wants.
 */
const padded = (image: Buffer, size: number): Buffer =>
  Buffer.concat([image, Buffer.alloc(size > image.length ? size - image.length : Math.max(0, size - smallest))])
const smallest = 64

/** A photo of one face. It has `size` bytes if the picture itself has no more. */
export const jpeg = (size = smallest): Buffer => padded(faceJpeg, size)
export const png = (size = smallest): Buffer => padded(facePng, size)

export const jsonPart = (json: unknown, name = "journey"): SentPart => ({
  headers: [`Content-Disposition: form-data; name="${name}"`, "Content-Type: application/json"],
  content: typeof json === "string" ? json : JSON.stringify(json)
})

export const photoPart = (photo: Uint8Array = jpeg(), type = "image/jpeg"): SentPart => ({
  headers: ['Content-Disposition: form-data; name="customerFace"; filename="face.jpg"', `Content-Type: ${type}`],
  content: photo
})

export const part = (headers: ReadonlyArray<string>, content: string | Uint8Array): SentPart => ({ headers, content })

export const multipartBytes = (parts: ReadonlyArray<SentPart>, boundary = "a-boundary"): Buffer =>
  Buffer.concat([
    ...parts.flatMap(({ content, headers }) => [
      Buffer.from(`--${boundary}\r\n${headers.map((line) => `${line}\r\n`).join("")}\r\n`, "latin1"),
      Buffer.from(content),
      Buffer.from("\r\n")
    ]),
    Buffer.from(`--${boundary}--\r\n`)
  ])

interface SentForm {
  readonly impatient?: boolean
  readonly parts: ReadonlyArray<SentPart>
  readonly boundary?: string
  readonly idempotencyKey?: string
  readonly path?: string
  readonly method?: string
}

interface SentBytes {
  readonly impatient?: boolean
  readonly contentType: string
  readonly bytes: Uint8Array
  readonly idempotencyKey: string
  readonly path?: string
  readonly method?: string
}

/** Milliseconds for which a form is sent again. On a busy machine a photo may take longer than a request waits. */
const patience = 45_000

/**
 * A request with a content type and bytes of the test's choice. An `impatient` caller gets the 503; otherwise the
 * request is sent again.
 */
export const sendFormBytes = (
  base: { readonly baseUrl: string },
  key: string,
  { bytes, contentType, idempotencyKey, impatient = false, method = "POST", path }: SentBytes
): Promise<Reply> =>
  eventually(
    () =>
      call(base, {
        key,
        method,
        ...(path === undefined ? {} : { path }),
        headers: { "content-type": contentType, "idempotency-key": idempotencyKey },
        body: bytes
      }),
    ({ status }) => status !== 503 || impatient,
    patience
  )

/** A multipart request with an API key. It is a POST that starts a journey unless the test says otherwise. */
export const sendForm = (
  base: { readonly baseUrl: string },
  key: string,
  { boundary = "a-boundary", idempotencyKey = freshKey(), parts, ...where }: SentForm
): Promise<Reply> =>
  sendFormBytes(base, key, {
    contentType: `multipart/form-data; boundary=${boundary}`,
    bytes: multipartBytes(parts, boundary),
    idempotencyKey,
    ...where
  })

/** A FINANCE_SALE start: the journey and the customer's photo. */
export const startWithPhoto = (
  base: { readonly baseUrl: string },
  key: string,
  journey: unknown,
  photo: Uint8Array = jpeg(),
  idempotencyKey: string = freshKey(),
  impatient = false
): Promise<Reply> => sendForm(base, key, { parts: [jsonPart(journey), photoPart(photo)], idempotencyKey, impatient })
