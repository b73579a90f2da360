import { messages } from '@tidings/contracts/membership/messages'
import { ChunkLoadError } from '../browser/chunk.ts'
import { NetworkError } from './api-client.ts'

/** An error whose message is for the reader. */
export class ShownError extends Error {
  override readonly name = 'ShownError'
}

/** Returns what to tell the reader about a failed call: the server's or the client's own text. */
export function errorText(error: unknown): string {
  if (error instanceof NetworkError || error instanceof ChunkLoadError)
    return 'We can’t reach the server. Check your connection and try again.'
  return isWrittenForPeople(error) ? error.message : messages.unexpected
}

function isWrittenForPeople(error: unknown): error is Error {
  if (!(error instanceof Error) || error.message === '') return false
  return ['ApiError', 'MembershipError', 'ShownError'].includes(error.name)
}

/** Returns the stable code of an error of the server or the client, or ''. */
export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}
