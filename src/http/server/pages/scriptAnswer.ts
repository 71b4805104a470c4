/** The answers to scripts of our own pages: small JSON for those scripts alone and no part of the REST API. */
import { HttpServerResponse } from "effect/http"

/** The codes on which the scripts act, each with its status. */
const answers = {
  DONE: 200,
  BEGUN: 201,
  /** Somebody has signed in since the page was made: its forms are not taken any more. */
  ANOTHER_SESSION: 200,
  /** Sign in again, or reload the page. */
  NOT_ALLOWED: 403,
  /** Begin a new upload. */
  GONE: 404,
  /** The journey asks for no such upload, or the customer has not agreed to it: the customer sees where it stands. */
  NOT_ASKED: 409,
  /** Send the missing or damaged parts again. */
  SEND_AGAIN: 422,
  /** The service will never take this file. */
  REFUSED: 422
} as const

export const scriptAnswer = (code: keyof typeof answers, more: object = {}): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.jsonUnsafe({ code, ...more }, { status: answers[code] })
