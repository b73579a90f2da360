import * as editions from './editions.ts'
import type { Endpoint, InputOf, ReplyOf, Route } from './endpoint.ts'

// NOTE: browsers import only types from here, because the schemas of all endpoints come with it.
const modules = { editions }

type Modules = typeof modules
type ValueOf<Of> = Of[keyof Of]

/** The endpoint of a route, with its schemas. */
export type EndpointAt<At extends Route> = Extract<
  ValueOf<{ [Name in keyof Modules]: ValueOf<Modules[Name]> }>,
  At
>

/** What a caller of a route gives. */
export type InputAt<At extends Route> = InputOf<EndpointAt<At>>

/** What a successful call of a route returns. */
export type ReplyAt<At extends Route> = ReplyOf<EndpointAt<At>>

/** All endpoints of the API. */
export const endpoints: readonly Endpoint[] = Object.values(modules).flatMap((module) =>
  Object.values<unknown>(module).filter(isEndpoint),
)

function isEndpoint(value: unknown): value is Endpoint {
  return typeof value === 'object' && value !== null && 'path' in value && 'access' in value
}
