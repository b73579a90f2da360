import { errorReply } from '@tidings/contracts/errors'
import type { ZodMiniType } from 'zod/mini'
import { type TextReply, takeEarlyReply } from './early-reply.ts'
import { parseJson } from './json.ts'

const requestTimeoutMs = 20_000

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

/**
 * Reads from the site's API and parses the reply with a schema of the contracts.
 * @param token the access token, where the reply depends on the member
 * @throws {ApiError | NetworkError | InvalidReplyError}
 */
export function getJson<T>(
  url: string,
  schema: ZodMiniType<T>,
  signal?: AbortSignal,
  token: string | null = null,
): Promise<T> {
  // Without headers of its own, the request can use a preload of the page.
  return call(url, token === null ? {} : { headers: { Authorization: `Bearer ${token}` } }, schema, signal)
}

/**
 * Posts a JSON body to the site's API and parses the reply with a schema of the contracts.
 * @throws {ApiError | NetworkError | InvalidReplyError}
 */
export function postJson<T>(url: string, body: unknown, schema: ZodMiniType<T>): Promise<T> {
  const headers = { Accept: 'application/json', 'Content-Type': 'application/json' }
  return call(url, { method: 'POST', headers, body: JSON.stringify(body) }, schema)
}

async function call<T>(
  url: string,
  init: RequestInit,
  schema: ZodMiniType<T>,
  signal?: AbortSignal,
): Promise<T> {
  const timeout = AbortSignal.timeout(requestTimeoutMs)
  const response = await request(url, {
    ...init,
    credentials: 'same-origin',
    signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
  })
  const body = parseJson(response.text)
  if (!response.ok) throw toApiError(response.status, body)
  const reply = schema.safeParse(body)
  if (!reply.success) throw new InvalidReplyError(`Invalid reply from ${url}`, { cause: reply.error })
  return reply.data
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
