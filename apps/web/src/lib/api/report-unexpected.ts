import { errorCode } from './error-text.ts'

const expectedNames = new Set(['NetworkError', 'ChunkLoadError', 'ApiError', 'MembershipError', 'ShownError'])

/**
 * Reports an error that the reader doesn't see, as the browser reports an uncaught one. A lost connection is expected, and
 * so is an error that the server has logged.
 */
export function reportUnexpected(error: unknown): undefined {
  const isExpected = error instanceof Error && expectedNames.has(error.name)
  if (!isExpected || errorCode(error) === 'unreadable-reply') reportError(error)
}
