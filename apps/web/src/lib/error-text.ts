import { messages } from '@tidings/contracts/messages'
import { NetworkError } from './api-client.ts'
import { ChunkLoadError } from './chunk.ts'

/** Returns what to tell the reader about a failed call: the server's or the client's own text. */
export function errorText(error: unknown): string {
  if (error instanceof NetworkError || error instanceof ChunkLoadError)
    return "We can't reach the server. Check your connection and try again."
  return isWrittenForPeople(error) ? error.message : messages.unexpected
}

function isWrittenForPeople(error: unknown): error is Error {
  if (!(error instanceof Error) || error.message === '') return false
  return error.name === 'ApiError' || error.name === 'MembershipError'
}
