import RequestClient from 'twilio/lib/base/RequestClient.js'
import { Agent, EnvHttpProxyAgent, Pool, request } from 'undici'

type Options = { connections: number; timeoutMs: number }

/**
 * Makes the requests of Twilio's SDK with undici, which takes less processor time than the SDK's own client. Like that
 * client, it uses the environment's proxies (HTTPS_PROXY, HTTP_PROXY, NO_PROXY) for https only.
 */
export class TwilioHttpClient extends RequestClient {
  readonly #direct: Agent
  readonly #proxied: EnvHttpProxyAgent

  constructor({ connections, timeoutMs }: Options) {
    super()
    const timeouts = { connectTimeout: timeoutMs, headersTimeout: timeoutMs, bodyTimeout: timeoutMs }
    this.#direct = new Agent({ ...timeouts, connections })
    this.#proxied = new EnvHttpProxyAgent({
      ...timeouts,
      connections,
      // undici gives these timeouts to all connections but those to the proxy.
      clientFactory: (origin, options) => new Pool(origin, { ...options, ...timeouts }),
    })
  }

  override async request(options: RequestClient.RequestOptions) {
    const { method, uri, username = '', password = '', headers, params, data } = options
    const url = new URL(uri)
    for (const [name, value] of new URLSearchParams({ ...params })) url.searchParams.append(name, value)
    const reply = await request(url, {
      dispatcher: url.protocol === 'https:' ? this.#proxied : this.#direct,
      method: method === 'post' ? 'POST' : 'GET',
      headers: {
        ...headers,
        authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`,
      },
      body: data === undefined ? null : new URLSearchParams(data).toString(),
    })
    return { statusCode: reply.statusCode, headers: reply.headers, body: parseBody(await reply.body.text()) }
  }
}

/** A proxy that fails in front of Twilio replies in HTML. */
function parseBody(text: string) {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
