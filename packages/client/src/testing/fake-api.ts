import type { Endpoint } from '@tidings/contracts/endpoint'
import { endpoints } from '@tidings/contracts/endpoints'
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

/** Returns the API's response to a call. */
export type MockResponse = (request: Request) => Response | Promise<Response>

type Schema = NonNullable<Endpoint['reply']>

/** Sets the API's responses in order; the last one repeats. Returns the received calls, whose bodies match the contract. */
export function respondWith(...responses: [MockResponse, ...MockResponse[]]): ReceivedCall[] {
  const received: ReceivedCall[] = []
  const waiting: MockResponse[] = [...responses]
  apiServer.use(
    http.all(`${apiBase}/*`, async ({ request }) => {
      const { pathname, search } = new URL(request.url)
      const next = (waiting.length > 1 ? waiting.shift() : waiting[0]) ?? refused()
      const { body: schema, consumes } = endpointOf(request)
      const body = await bodyOf(request)
      if (schema !== undefined && consumes === undefined) check(schema, body)
      received.push({ line: `${request.method} ${pathname}${search}`, headers: request.headers, body })
      return next(request)
    }),
  )
  return received
}

/** Returns a success whose body matches the contract of the endpoint that is called. */
export function reply(data: unknown, message?: string): MockResponse {
  const body = message === undefined ? { data } : { data, _internalUseOnly: { message } }
  return (request) => {
    const { reply: schema } = endpointOf(request)
    if (schema !== undefined) check(schema, body)
    return HttpResponse.json(body)
  }
}

/** Returns the endpoint that a request calls. */
function endpointOf({ method, url }: Request): Endpoint {
  const { pathname } = new URL(url)
  const isCalled = (path: string) => new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}$`).test(pathname)
  const found = endpoints.find((endpoint) => endpoint.method === method && isCalled(endpoint.path))
  if (found === undefined) throw new Error(`The API has no ${method} ${pathname}`)
  return found
}

function check(schema: Schema, value: unknown): void {
  const result = schema['~standard'].validate(value)
  if (result instanceof Promise) throw new Error('The contracts have no asynchronous schemas')
  if (result.issues !== undefined) throw new Error(JSON.stringify(result.issues))
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
  return { response: (request) => promise.then(() => later(request)), release: resolve }
}

async function bodyOf(request: Request): Promise<unknown> {
  const type = request.headers.get('content-type')
  if (type?.startsWith('multipart/form-data') === true) return request.formData()
  const text = await request.text()
  return text === '' ? null : JSON.parse(text)
}
