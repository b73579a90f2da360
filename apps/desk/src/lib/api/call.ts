import { fillPath, type Input, type Route } from '@tidings/contracts/endpoint'
import type { InputAt, ReplyAt } from '@tidings/contracts/endpoints'
import { newId } from '#lib/browser/ambient.ts'
import { withFieldLabel } from './field-labels.ts'
import { sendWithProgress } from './send-with-progress.ts'

const requestTimeoutMs = 20_000

/** The API refused a request. `message` is for people and says what to do next. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  readonly code: string
  readonly body: unknown

  constructor(status: number, { code, message }: { code: string; message: string }, body: unknown) {
    super(message)
    this.status = status
    this.code = code
    this.body = body
  }
}

/** No reply arrived: offline, or it took too long. */
export class NetworkError extends Error {
  override readonly name = 'NetworkError'
}

type CallOptions = {
  signal?: AbortSignal
  /** The version that the change is based on. */
  ifMatch?: number
  /** The same for each repetition of a change. */
  idempotencyKey?: string
  /** Learns which part of a form has arrived, from 0 to 1. */
  onProgress?: (part: number) => void
}

/**
 * Calls a route of the desk's API and returns its reply.
 * @throws {ApiError | NetworkError}
 */
export async function call<At extends Route>(
  route: At,
  input: InputAt<At>,
  options: CallOptions = {},
): Promise<ReplyAt<At>> {
  const { status, body } = await request(route, input, options)
  if (status >= 400) throw new ApiError(status, errorOf(body), body)
  if (!isReply<At>(body)) throw new NetworkError(`No JSON from ${route.path}`)
  return body
}

async function request(route: Route, input: Input, options: CallOptions) {
  const { signal, ifMatch, idempotencyKey = newId(), onProgress } = options
  const isJson = input.body !== undefined && !(input.body instanceof FormData)
  const url = fillPath(route.path, input)
  const { method } = route
  const headers = {
    Accept: 'application/json',
    ...(method !== 'GET' && { 'X-Desk': '1', 'Idempotency-Key': idempotencyKey }),
    ...(ifMatch !== undefined && { 'If-Match': `"${ifMatch}"` }),
    ...(isJson && { 'Content-Type': 'application/json' }),
  }
  try {
    if (onProgress !== undefined && input.body instanceof FormData) {
      const form = { method, url, headers, body: input.body, signal, onProgress }
      const { status, text } = await sendWithProgress({ ...form, silenceMs: requestTimeoutMs })
      return { status, body: parse(text) }
    }
    const timeout = AbortSignal.timeout(requestTimeoutMs)
    const response = await fetch(url, {
      method,
      headers,
      ...(isJson
        ? { body: JSON.stringify(input.body) }
        : input.body instanceof FormData && { body: input.body }),
      credentials: 'same-origin',
      signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
    })
    return { status: response.status, body: parse(await response.text()) }
  } catch (error) {
    throw new NetworkError('The desk can’t be reached. Check your connection and try again.', {
      cause: error,
    })
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

// The server's replies are built from the contract, which its own tests check.
function isReply<At extends Route>(body: unknown): body is ReplyAt<At> {
  return body !== null
}

const unknownError = { code: 'unknown-error', message: 'The desk didn’t understand the reply. Try again.' }

const sessionEnded = { code: 'session-ended', message: 'Your session has ended. Sign in again.' }

function errorOf(body: unknown): { code: string; message: string } {
  if (typeof body !== 'object' || body === null || !('error' in body)) return unknownError
  const { error } = body
  if (typeof error !== 'object' || error === null || !('code' in error) || !('message' in error))
    return unknownError
  // The API asks a script for its key.
  if (error.code === 'invalid-api-key') return sessionEnded
  return { code: String(error.code), message: withFieldLabel(String(error.message)) }
}
