import { fillPath, type Input, type Route } from '@tidings/contracts/endpoint'
import type { InputAt, ReplyAt } from '@tidings/contracts/endpoints'
import { errorReply } from '@tidings/contracts/errors'
import { type TextReply, takeEarlyReply } from './early-reply.ts'
import { parseJson } from './json.ts'

const requestTimeoutMs = 20_000

const replyCheck = import.meta.env.PROD ? null : import('./reply-check.ts')

/** The API replied with an error. `code` is stable, `message` is for people, `cause` is the whole body. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  readonly code: string

  constructor(status: number, code: string, message: string, cause?: unknown) {
    super(message, { cause })
    this.status = status
    this.code = code
  }
}

/** No reply arrived: offline, unknown host or timeout. */
export class NetworkError extends Error {
  override readonly name = 'NetworkError'
}

/** The reply doesn't match the contract. */
export class InvalidReplyError extends Error {
  override readonly name = 'InvalidReplyError'
}

type CallOptions = {
  signal?: AbortSignal
  /** The access token, where the reply depends on the member. */
  token?: string | null
}

/**
 * Calls a route of the site's API and returns its reply.
 * @throws {ApiError | NetworkError | InvalidReplyError}
 */
export async function call<At extends Route>(
  route: At,
  input: InputAt<At>,
  options?: CallOptions,
): Promise<ReplyAt<At>> {
  const reply = await callUnparsed(route, input, options)
  if (!isReply<At>(reply)) throw new InvalidReplyError(`No JSON from ${route.path}`)
  if (replyCheck !== null) {
    const cause = (await replyCheck).findReplyError(route, reply)
    if (cause !== undefined) throw new InvalidReplyError(`Invalid reply from ${route.path}`, { cause })
  }
  return reply
}

/**
 * Calls a route and returns its reply as it is, where the caller uses the valid parts of an invalid one. A reply that isn't
 * JSON is null.
 * @throws {ApiError | NetworkError}
 */
export async function callUnparsed(route: Route, input: Input, options: CallOptions = {}): Promise<unknown> {
  const response = await request(fillPath(route.path, input), initOf(route, input.body, options))
  const body = parseJson(response.text)
  if (!response.ok) throw toApiError(response.status, body)
  return body
}

function initOf({ method }: Route, body: unknown, { signal, token = null }: CallOptions): RequestInit {
  const timeout = AbortSignal.timeout(requestTimeoutMs)
  return {
    // Without headers of its own, a `GET` can use a preload of the page.
    headers: {
      ...(token !== null && { Authorization: `Bearer ${token}` }),
      ...(body !== undefined && { Accept: 'application/json', 'Content-Type': 'application/json' }),
    },
    method,
    ...(body !== undefined && { body: JSON.stringify(body) }),
    credentials: 'same-origin',
    signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
  }
}

// Production trusts the contract for the rest: the schemas of replies would add to a first visit.
function isReply<At extends Route>(body: unknown): body is ReplyAt<At> {
  return body !== null
}

async function request(url: string, init: RequestInit): Promise<TextReply> {
  const early = takeEarlyReply(url)
  const reply = early === null ? null : await early
  if (reply !== null) return reply
  try {
    const response = await fetch(url, init)
    return { ok: response.ok, status: response.status, text: await response.text() }
  } catch (error) {
    throw new NetworkError(`No reply from ${url}`, { cause: error })
  }
}

function toApiError(status: number, body: unknown): ApiError {
  const reply = errorReply.safeParse(body)
  if (!reply.success) return new ApiError(status, 'unknown-error', '')
  return new ApiError(status, reply.data.error.code, reply.data.error.message, body)
}
