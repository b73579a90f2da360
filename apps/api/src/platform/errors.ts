import type { ErrorCode } from '@tidings/contracts/errors'

/** A failure that the caller sees: a stable code, an HTTP status and a text for people. */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly status: number
  /** Headers of the error response, such as Retry-After. */
  readonly headers: Readonly<Record<string, string>>
  /** Further fields of the error response, beside `code` and `message`. */
  readonly details: Readonly<Record<string, unknown>>

  constructor(code: ErrorCode, status: number, message: string, options: ErrorOptions = {}) {
    super(message, { cause: options.cause })
    this.name = 'AppError'
    this.code = code
    this.status = status
    this.headers = options.headers ?? {}
    this.details = options.details ?? {}
  }
}

type ErrorOptions = { headers?: Record<string, string>; cause?: unknown; details?: Record<string, unknown> }

/** One error of a catalog: its status, its text and, where it has them, headers, details and a cause. */
type ErrorDefinition = readonly [status: number, message: string, options?: ErrorOptions]

/**
 * Returns the `fail` of a feature, as in `throw fail('memo-not-found')`. The catalog maps each code to a function that
 * returns its status and text from the facts that `fail` takes after the code.
 */
export function createFail<Facts extends Record<string, unknown[]>>(
  catalog: {
    [Code in keyof Facts]: (...facts: Facts[Code]) => ErrorDefinition
  },
) {
  return function fail<Code extends keyof Facts & ErrorCode>(code: Code, ...facts: Facts[Code]): AppError {
    return new AppError(code, ...catalog[code](...facts))
  }
}

/** Returns whether an error is an {@link AppError} with one of these codes. */
export function hasCode(error: unknown, ...codes: ErrorCode[]): error is AppError {
  return error instanceof AppError && codes.includes(error.code)
}

const retrySoon = { 'Retry-After': '2' }

export const fail = createFail({
  // The reason is for the log: it says nothing to readers.
  'sending-held': (reason: string) => [
    503,
    'This is paused while we do maintenance. Nothing was sent or charged. Try again in a few minutes.',
    { headers: { 'Retry-After': '60' }, cause: reason },
  ],
  'service-unavailable': (cause?: unknown) => [
    503,
    'Something isn’t working on our side. Try again in a moment.',
    { headers: retrySoon, cause },
  ],
  'service-busy': () => [
    503,
    'It’s very busy here right now. Try again in a moment.',
    { headers: retrySoon },
  ],
})
