import type { ErrorCode } from '@tidings/contracts/errors'

/** A failure that the caller is told about: a stable code, an HTTP status and a sentence for people. */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly status: number
  /** Headers that belong to the refusal, such as Retry-After. */
  readonly headers: Readonly<Record<string, string>>
  /** What programs may know besides; it stands beside code and message. */
  readonly details: Readonly<Record<string, unknown>>

  constructor(
    code: ErrorCode,
    status: number,
    message: string,
    options: { headers?: Record<string, string>; cause?: unknown; details?: Record<string, unknown> } = {},
  ) {
    super(message, { cause: options.cause })
    this.name = 'AppError'
    this.code = code
    this.status = status
    this.headers = options.headers ?? {}
    this.details = options.details ?? {}
  }
}

/** The database cannot be reached at the moment; the caller may try again. */
export class ServiceUnavailableError extends AppError {
  constructor(cause?: unknown) {
    super('service-unavailable', 503, 'The service is not available for a moment. Please try again.', {
      headers: { 'Retry-After': '2' },
      cause,
    })
  }
}

/** The process has too much of one kind of work at the moment; the caller may try again. */
export class ServiceBusyError extends AppError {
  constructor() {
    super('service-busy', 503, 'The service is busy at the moment. Please try again.', {
      headers: { 'Retry-After': '2' },
    })
  }
}
