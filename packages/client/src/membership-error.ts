import type { PlanChangeTerms } from '@tidings/contracts/billing'
import type { ErrorCode } from '@tidings/contracts/errors'
import type { messages } from '@tidings/contracts/messages'
import { isRecord, textOf } from './wire-reading.ts'

/** What the client itself says when the server says nothing, or nothing that can be read. */
const ownMessages = {
  'network-error': 'The server cannot be reached. Please check your connection and try again.',
  'request-timeout': 'The server took too long to answer. Please try again.',
  'unreadable-reply': 'The server gave an answer that cannot be read. Please try again later.',
  'popup-blocked': 'The sign-in window was blocked. Please allow pop-up windows for this page and try again.',
  'popup-closed': 'The sign-in window was closed before the sign-in was complete.',
  'popup-timeout': 'The sign-in took too long. Please try again.',
} as const

/** Codes of failures that no server reported. */
export type ClientErrorCode = keyof typeof ownMessages

/** The server's codes and the client's own; a newer server may know further ones. */
export type MembershipErrorCode = ErrorCode | ClientErrorCode | (string & Record<never, never>)

const invalidTokenCode: ErrorCode = 'client/invalid-token'
const invalidTokenMessage: typeof messages.invalidToken =
  'An invalid token has been provided. Please make sure the token is valid.'

/** Why a call failed. `code` is stable, `message` is written for people. */
export class MembershipError extends Error {
  override readonly name = 'MembershipError'
  readonly code: MembershipErrorCode
  /** The HTTP status; 0 when no answer came or nothing was sent. */
  readonly status: number
  /** With `price-changed`, the terms that the change has now. */
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

/** A failure that the client noticed itself. */
export function ownFailure(code: ClientErrorCode, status = 0, cause?: unknown): MembershipError {
  return new MembershipError(code, ownMessages[code], status, { cause })
}

/** The failure that the server reported as `error`; without a code it counts as unreadable. */
export function refusal(error: unknown, status = 0): MembershipError {
  if (!isRecord(error)) return ownFailure('unreadable-reply', status)
  const code = textOf(error, 'code')
  if (code === invalidTokenCode || error.name === 'JsonWebTokenError') {
    return new MembershipError(invalidTokenCode, invalidTokenMessage, status)
  }
  if (code === '') return ownFailure('unreadable-reply', status)
  return new MembershipError(code, textOf(error, 'message'), status, {
    terms: isTerms(error.terms) ? error.terms : undefined,
  })
}

function isTerms(value: unknown): value is PlanChangeTerms {
  return isRecord(value)
}

/** Whether the failure means that the session is over. */
export function isInvalidToken(error: unknown): boolean {
  return error instanceof MembershipError && error.code === invalidTokenCode
}
