import type { ErrorCode } from '@tidings/contracts/errors'
import type { PlanChangeTerms } from '@tidings/contracts/membership/billing'
import type { messages } from '@tidings/contracts/membership/messages'
import { isRecord, textOf } from './wire-reading.ts'

const clientMessages = {
  'network-error': 'We can’t reach the server. Check your connection and try again.',
  'request-timeout': 'The server took too long to respond. Try again.',
  'unreadable-reply': 'We couldn’t read the server’s reply. Try again later.',
  'popup-blocked': 'Your browser blocked the login window. Allow pop-up windows for this page and try again.',
  'popup-closed': 'You closed the login window before you were logged in. Try again.',
  'popup-timeout': 'Logging in took too long. Try again.',
} as const

/** The codes of errors that the client detects. */
export type ClientErrorCode = keyof typeof clientMessages

/** The codes of the client and the server. A newer server may have others. */
export type MembershipErrorCode = ErrorCode | ClientErrorCode | (string & Record<never, never>)

const invalidTokenCode: ErrorCode = 'client/invalid-token'
const invalidTokenMessage: typeof messages.invalidToken =
  'An invalid token has been provided. Please make sure the token is valid.'

/** The error of a failed call. `code` is stable, `message` is for people. */
export class MembershipError extends Error {
  override readonly name = 'MembershipError'
  readonly code: MembershipErrorCode
  /** The HTTP status; 0 without a response. */
  readonly status: number
  /** The current terms, with the code `price-changed`. */
  readonly terms: PlanChangeTerms | undefined

  constructor(
    code: MembershipErrorCode,
    message: string,
    status = 0,
    { terms, ...options }: ErrorOptions & { terms?: PlanChangeTerms | undefined } = {},
  ) {
    super(message, options)
    this.code = code
    this.status = status
    this.terms = terms
  }
}

/** Returns an error that the client detected. */
export function clientError(code: ClientErrorCode, status = 0, cause?: unknown): MembershipError {
  return new MembershipError(code, clientMessages[code], status, { cause })
}

/** Returns the error that the server reported. Without a code the response is invalid. */
export function serverError(error: unknown, status = 0): MembershipError {
  if (!isRecord(error)) return clientError('unreadable-reply', status)
  const code = textOf(error, 'code')
  if (code === invalidTokenCode || error.name === 'JsonWebTokenError') {
    return new MembershipError(invalidTokenCode, invalidTokenMessage, status)
  }
  if (code === '') return clientError('unreadable-reply', status)
  return new MembershipError(code, textOf(error, 'message'), status, {
    terms: isTerms(error.terms) ? error.terms : undefined,
  })
}

function isTerms(value: unknown): value is PlanChangeTerms {
  return isRecord(value)
}

/** Returns whether the error means that the session has ended. */
export function isInvalidToken(error: unknown): boolean {
  return error instanceof MembershipError && error.code === invalidTokenCode
}
