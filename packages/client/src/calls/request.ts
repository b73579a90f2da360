import { fillPath, type Input, type Route } from '@tidings/contracts/endpoint'
import type { InputAt } from '@tidings/contracts/endpoints'
import type { SessionStore } from '../session/session-store.ts'
import { clientError, isInvalidToken, serverError } from '../wire/membership-error.ts'
import type { DataAt, Reply } from '../wire/replies.ts'
import { isRecord, isReply, parseJson } from '../wire/wire-reading.ts'

/**
 * Calls a route of the membership protocol and returns the reply's data with the server's message.
 * @throws {MembershipError}
 */
export type Send = <At extends Route>(route: At, input: InputAt<At>) => Promise<Reply<DataAt<At>>>

export type RequestSettings = {
  /** The API's origin without a trailing slash. */
  apiBase: string
  publicKey: string
  appId: string | undefined
  timeoutMs: number
}

const userAgent = 'tidings-client/0.1.0'

/** Creates the function that sends all calls. An invalid token ends the session. */
export function createSend(settings: RequestSettings, session: SessionStore): Send {
  return async function send<At extends Route>(route: At, input: InputAt<At>): Promise<Reply<DataAt<At>>> {
    const start = session.begin()
    const { body }: Input = input
    const headers = headersOf(start.token)
    const init = { method: route.method, credentials: 'include' as const, ...contentOf(body, headers) }
    try {
      const { status, text } = await exchange(
        settings.apiBase + fillPath(route.path, input),
        init,
        settings.timeoutMs,
      )
      return readReply(status, text)
    } catch (error) {
      if (isInvalidToken(error)) session.end(start)
      throw error
    }
  }

  function headersOf(token: string | null): Headers {
    const { publicKey, appId } = settings
    const headers = new Headers({ 'X-API-Key': publicKey, 'X-User-Agent': userAgent })
    const visit = session.visit()
    if (token !== null) headers.set('authorization', `Bearer ${token}`)
    if (appId !== undefined) headers.set('X-APP-ID', appId)
    if (visit !== null) headers.set('X-Session-ID', visit)
    if (typeof location !== 'undefined') headers.set('referring-path', location.pathname)
    return headers
  }
}

/** Returns the headers and the body. The browser sets the content type of a form. */
function contentOf(body: unknown, headers: Headers): RequestInit {
  if (body === undefined) return { headers }
  if (body instanceof FormData) return { headers, body }
  headers.set('content-type', 'application/json')
  return { headers, body: JSON.stringify(body) }
}

async function exchange(url: string, init: RequestInit, timeoutMs: number) {
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(), timeoutMs)
  try {
    const response = await fetch(url, { ...init, signal: controller.signal })
    return { status: response.status, text: await response.text() }
  } catch (error) {
    throw clientError(controller.signal.aborted ? 'request-timeout' : 'network-error', 0, error)
  } finally {
    clearTimeout(timer)
  }
}

function readReply<Data>(status: number, text: string): Reply<Data> {
  const body = parseJson(text)
  if (isRecord(body) && body.error) throw serverError(body.error, status)
  if (status < 200 || status > 299 || !isReply<Data>(body)) throw clientError('unreadable-reply', status)
  const { data, _internalUseOnly: extra } = body
  return extra?.message === undefined ? { data } : { data, message: extra.message }
}
