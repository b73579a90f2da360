import { passGate as passGateRoute } from '@tidings/contracts/routes'
import { testEditorKey } from '../test-config.ts'

/** An HTTP response; `body` is parsed JSON. */
export type SiteReply = { status: number; body: unknown; etag: string | null }

// Longer than every timeout of the server.
const requestTimeoutMs = 30_000

/** Calls a running site as an editor; rejects without a response. */
export async function callDesk(
  url: string,
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  options: { body?: object; headers?: Record<string, string> } = {},
): Promise<SiteReply> {
  const { body, headers = {} } = options
  return await call(new URL(path, url), method, body, {
    authorization: `Bearer ${testEditorKey}`,
    ...headers,
  })
}

/** Calls a running site as a reader with a gate pass. */
export async function callAsReader(
  url: string,
  method: 'GET' | 'POST',
  path: string,
  cookie: string,
  body?: object,
): Promise<SiteReply> {
  return await call(new URL(path, url), method, body, { cookie })
}

/** Passes the gate with the development password. Returns the Cookie header. */
export async function passGate(url: string): Promise<string> {
  const reply = await fetch(new URL(passGateRoute.path, url), {
    method: passGateRoute.method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ password: 'tidings' }),
  })
  if (reply.status !== 200) throw new Error(`The gate responded with ${reply.status}: ${await reply.text()}`)
  return reply.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ')
}

async function call(
  url: URL,
  method: string,
  body: object | undefined,
  headers: Record<string, string>,
): Promise<SiteReply> {
  const reply = await fetch(url, {
    method,
    headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    signal: AbortSignal.timeout(requestTimeoutMs),
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return { status: reply.status, body: await reply.json(), etag: reply.headers.get('etag') }
}
