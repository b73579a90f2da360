import RequestClient from 'twilio/lib/base/RequestClient.js'
import { Agent, request } from 'undici'

type Options = { connections: number; timeoutMs: number }

/** Makes the requests of Twilio's SDK with undici, which takes less processor time than the SDK's own client. */
export class TwilioHttpClient extends RequestClient {
  readonly #agent: Agent

  constructor({ connections, timeoutMs }: Options) {
    super()
    this.#agent = new Agent({
      connections,
      connectTimeout: timeoutMs,
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
    })
  }

  override async request(options: RequestClient.RequestOptions) {
    const { method, uri, username = '', password = '', headers, params, data } = options
    const url = new URL(uri)
    for (const [name, value] of new URLSearchParams({ ...params })) url.searchParams.append(name, value)
    const reply = await request(url, {
      dispatcher: this.#agent,
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
