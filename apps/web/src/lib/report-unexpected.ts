import { errorCode } from './api/error-text.ts'

const expectedNames = new Set(['NetworkError', 'ChunkLoadError', 'ApiError', 'MembershipError', 'ShownError'])

/**
 * Reports an error after which the page goes on without a word to the reader, as the browser reports one that nothing
 * catches. A lost connection and an error of the server, which has logged it, are expected.
 */
export function reportUnexpected(error: unknown): undefined {
  const isExpected = error instanceof Error && expectedNames.has(error.name)
  if (!isExpected || errorCode(error) === 'unreadable-reply') reportError(error)
}
