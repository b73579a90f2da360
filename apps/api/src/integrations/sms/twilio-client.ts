import { Agent, type Dispatcher, EnvHttpProxyAgent, Pool, request } from 'undici'
import { z } from 'zod'

type Options = {
  account: { sid: string; authToken: string }
  apiUrl: URL
  connections: number
  timeoutMs: number
}

/** A refusal of Twilio, or of a proxy in front of it: its HTTP status, and Twilio's code if it has one. */
class TwilioError extends Error {
  override readonly name = 'TwilioError'
  readonly status: number
  readonly code: number | undefined

  constructor(message: string, status: number, code?: number) {
    super(message)
    this.status = status
    this.code = code
  }
}

const createdSchema = z.object({ sid: z.string() })
const listSchema = z.object({
  messages: z.array(z.object({ body: z.string(), status: z.string(), error_code: z.number().nullable() })),
})
const refusalSchema = z.object({ message: z.string(), code: z.number().optional() })

/**
 * Calls Twilio's Messages resource, without repeating a request. Uses the environment's proxies (HTTPS_PROXY, HTTP_PROXY,
 * NO_PROXY) for https only.
 */
export function createTwilioClient({ account, apiUrl, connections, timeoutMs }: Options) {
  const url = new URL(`/2010-04-01/Accounts/${account.sid}/Messages.json`, apiUrl)
  const authorization = `Basic ${Buffer.from(`${account.sid}:${account.authToken}`).toString('base64')}`
  const timeouts = { connectTimeout: timeoutMs, headersTimeout: timeoutMs, bodyTimeout: timeoutMs }
  const dispatcher: Dispatcher =
    url.protocol === 'https:'
      ? new EnvHttpProxyAgent({
          ...timeouts,
          connections,
          // undici gives these timeouts to all connections but those to the proxy.
          clientFactory: (origin, options) => new Pool(origin, { ...options, ...timeouts }),
        })
      : new Agent({ ...timeouts, connections })

  async function call(target: URL, body: URLSearchParams | null): Promise<unknown> {
    const reply = await request(target, {
      dispatcher,
      method: body === null ? 'GET' : 'POST',
      headers: {
        accept: 'application/json',
        authorization,
        ...(body && { 'content-type': 'application/x-www-form-urlencoded' }),
      },
      body: body?.toString() ?? null,
    })
    const content = parseBody(await reply.body.text())
    if (reply.statusCode >= 200 && reply.statusCode < 300) return content
    const refusal = refusalSchema.safeParse(content).data
    const message = refusal?.message ?? `[HTTP ${reply.statusCode}] Failed to execute request`
    throw new TwilioError(message, reply.statusCode, refusal?.code)
  }

  return {
    /** Creates a message. Returns its id. */
    async create(fields: Record<string, string>): Promise<string> {
      return createdSchema.parse(await call(url, new URLSearchParams(fields))).sid
    },

    /** Lists at most 100 messages. */
    async list(filters: Record<string, string>) {
      const target = new URL(url)
      target.search = new URLSearchParams({ ...filters, PageSize: '100' }).toString()
      return listSchema.parse(await call(target, null)).messages
    },
  }
}

/** A proxy that fails in front of Twilio replies in HTML. */
function parseBody(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
