import { errorReply } from '@tidings/contracts/errors'
import { HttpResponse, http } from 'msw/http'
import { setupServer } from 'msw/node'

/** The API's origin; the page of the tests is at `https://reader.example`. */
export const apiBase = 'https://api.news.example'

/** Intercepts the client's calls. Without handlers every call fails the test. */
export const apiServer = setupServer()

/** A call as the API received it. */
export type ReceivedCall = {
  /** As `POST /auth/login?x=1`. */
  line: string
  headers: Headers
  /** The JSON that was sent, the form, or null for no body. */
  body: unknown
}

/** A reply of the contracts. */
export type ReplySchema = { parse: (body: unknown) => Record<string, unknown> }
/** Returns the API's response to a call. */
export type MockResponse = () => Response | Promise<Response>

/** Sets the API's responses in order; the last one repeats. Returns the received calls. */
export function respondWith(...responses: [MockResponse, ...MockResponse[]]): ReceivedCall[] {
  const received: ReceivedCall[] = []
  const waiting: MockResponse[] = [...responses]
  apiServer.use(
    http.all(`${apiBase}/*`, async ({ request }) => {
      const { pathname, search } = new URL(request.url)
      const next = (waiting.length > 1 ? waiting.shift() : waiting[0]) ?? refused()
      received.push({
        line: `${request.method} ${pathname}${search}`,
        headers: request.headers,
        body: await bodyOf(request),
      })
      return next()
    }),
  )
  return received
}

/** Returns a success whose body passes the contract's schema. */
export function reply(schema: ReplySchema, data: unknown, message?: string): MockResponse {
  const beside = message === undefined ? {} : { _internalUseOnly: { message } }
  return () => HttpResponse.json(schema.parse({ data, ...beside }))
}

/** Returns an error response. */
export function refused(
  status = 400,
  code = 'invalid-request',
  message = 'That cannot be done.',
): MockResponse {
  return () => HttpResponse.json(errorReply.parse({ error: { code, message } }), { status })
}

/** Returns a response that waits for `release`. */
export function held(later: MockResponse): { response: MockResponse; release: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { response: () => promise.then(later), release: resolve }
}

async function bodyOf(request: Request): Promise<unknown> {
  const type = request.headers.get('content-type')
  if (type?.startsWith('multipart/form-data') === true) return request.formData()
  const text = await request.text()
  return text === '' ? null : JSON.parse(text)
}
