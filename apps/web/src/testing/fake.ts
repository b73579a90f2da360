import type { Endpoint, ParamsOf } from '@tidings/contracts/endpoint'
import { errorReply } from '@tidings/contracts/errors'
import { HttpHandler, HttpResponse } from 'msw/http'
import { type core, parse, safeParse } from 'zod/mini'

type Schema = core.$ZodType
type Parsed<Given> = Given extends Schema ? core.output<Given> : undefined

/** A call of an endpoint, with what its schemas name of it. */
export type FakeCall<Of extends Endpoint> = {
  request: Request
  params: ParamsOf<Of['path']>
  query: Parsed<Of['query']>
  body: Parsed<Of['body']>
}

/** The body of a successful reply, or a response of its own; undefined leaves the call to the next handler. */
type FakeReply<Of extends Endpoint> =
  | (Of extends { reply: infer Reply extends Schema } ? core.input<Reply> : never)
  | Response
  | undefined

/** Responds to the calls of an endpoint in place of the API. What is sent and returned must match the endpoint's schemas. */
export function fake<const Of extends Endpoint>(
  endpoint: Of,
  respond: (call: FakeCall<Of>) => FakeReply<Of> | Promise<FakeReply<Of>>,
  options?: { once?: boolean },
): HttpHandler
export function fake(
  endpoint: Endpoint,
  respond: (call: FakeCall<Endpoint>) => unknown,
  options: { once?: boolean } = {},
): HttpHandler {
  return new HttpHandler(
    endpoint.method,
    endpoint.path,
    async ({ request, params }) => {
      const query = Object.fromEntries(new URL(request.url).searchParams)
      // A link's impossible id, which the API rejects before its handler.
      if (endpoint.params !== undefined && !safeParse(endpoint.params, params).success)
        return errorResponse(400, 'invalid-request', 'Invalid request')
      const reply = await respond({
        request,
        params,
        query: endpoint.query && parse(endpoint.query, query),
        body: endpoint.body && parse(endpoint.body, await jsonOf(request)),
      })
      if (reply === undefined || reply instanceof Response) return reply
      return HttpResponse.json(endpoint.reply === undefined ? null : Object(parse(endpoint.reply, reply)))
    },
    options,
  )
}

/** Returns an error reply in the shape that every route uses. */
export function errorResponse(status: number, code: string, message: string): Response {
  return HttpResponse.json(errorReply.parse({ error: { code, message } }), { status })
}

async function jsonOf(request: Request): Promise<unknown> {
  const text = await request.clone().text()
  return text === '' ? undefined : JSON.parse(text)
}
