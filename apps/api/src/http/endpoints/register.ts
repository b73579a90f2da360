import type { Endpoint, ParamsOf } from '@tidings/contracts/endpoint'
import type { FastifyReply, FastifyRequest, RouteShorthandOptions } from 'fastify'
import type { z } from 'zod'
import type { App } from '../app-type.ts'
import { schemaOf } from './route-schema.ts'

type Schema = z.core.$ZodType
type Parsed<Given> = Given extends Schema ? z.output<Given> : unknown

/** A request whose parts are those of an endpoint's schemas. */
export type EndpointRequest<Of extends Endpoint> = FastifyRequest<{
  Params: Of extends { params: infer Params extends Schema } ? z.output<Params> : ParamsOf<Of['path']>
  Querystring: Parsed<Of['query']>
  Body: Parsed<Of['body']>
}>

type Sent<Of extends Endpoint> = Of extends { reply: infer Reply extends Schema } ? z.input<Reply> : unknown

/** Handles the requests of an endpoint. What it returns is the reply's body, unless it sent one itself. */
export type Handler<Of extends Endpoint> = (
  request: EndpointRequest<Of>,
  reply: FastifyReply,
  // biome-ignore lint/suspicious/noConfusingVoidType: a handler that sends the reply itself returns nothing.
) => Sent<Of> | FastifyReply | void | Promise<Sent<Of> | FastifyReply | void>

type Options = Pick<RouteShorthandOptions, 'bodyLimit' | 'preValidation'>

/** Registers an endpoint: its access, its schemas and its section of the API reference. */
export function register<const Of extends Endpoint>(
  app: App,
  endpoint: Of,
  handler: Handler<Of>,
  options?: Options,
): void
export function register(
  app: App,
  endpoint: Endpoint,
  handler: (request: FastifyRequest, reply: FastifyReply) => unknown,
  options: Options = {},
): void {
  const { method, path, access } = endpoint
  app.route({ method, url: path, config: { access }, schema: schemaOf(endpoint), ...options, handler })
}
