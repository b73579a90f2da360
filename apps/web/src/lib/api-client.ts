import { isRecord, parseJson, textOf } from './wire-reading.ts'

const requestTimeoutMs = 20_000

/** The server answered with a refusal. `code` is stable, `message` is for people. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError'
  readonly status: number
  readonly code: string

  constructor(status: number, code: string, message: string) {
    super(message)
    this.status = status
    this.code = code
  }
}

/** No answer came: offline, no such host, or too slow. */
export class UnreachableError extends Error {
  override readonly name = 'UnreachableError'
}

/** The server answered 200 with something that is not what the contract promises. */
export class UnreadableReplyError extends Error {
  override readonly name = 'UnreadableReplyError'
}

/** Makes a value of the reply's JSON, or null when it does not have the promised shape. */
export type ReadReply<T> = (body: unknown) => T | null

/**
 * Reads from the site's API.
 * @throws {RefusedError | UnreachableError | UnreadableReplyError}
 */
export function getJson<T>(url: string, read: ReadReply<T>, signal?: AbortSignal): Promise<T> {
  return call(url, { headers: { Accept: 'application/json' } }, read, signal)
}

/**
 * Posts a JSON body to the site's API.
 * @throws {RefusedError | UnreachableError | UnreadableReplyError}
 */
export function postJson<T>(url: string, body: unknown, read: ReadReply<T>): Promise<T> {
  const headers = { Accept: 'application/json', 'Content-Type': 'application/json' }
  return call(url, { method: 'POST', headers, body: JSON.stringify(body) }, read)
}

async function call<T>(url: string, init: RequestInit, read: ReadReply<T>, signal?: AbortSignal): Promise<T> {
  const timeout = AbortSignal.timeout(requestTimeoutMs)
  const response = await reach(url, {
    ...init,
    credentials: 'same-origin',
    signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
  })
  const body = parseJson(response.text)
  if (!response.isOk) throw refusal(response.status, body)
  const value = read(body)
  if (value === null) throw new UnreadableReplyError(`The reply of ${url} is not what was promised`)
  return value
}

async function reach(
  url: string,
  init: RequestInit,
): Promise<{ isOk: boolean; status: number; text: string }> {
  try {
    const response = await fetch(url, init)
    return { isOk: response.ok, status: response.status, text: await response.text() }
  } catch (error) {
    throw new UnreachableError(`No answer from ${url}`, { cause: error })
  }
}

function refusal(status: number, body: unknown): RefusedError {
  const error = isRecord(body) && isRecord(body.error) ? body.error : {}
  return new RefusedError(status, textOf(error, 'code') || 'unknown-error', textOf(error, 'message'))
}
