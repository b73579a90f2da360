import type { z } from 'zod'
import type { Tag } from './tags.ts'

/** A method and a path, whose segments that begin with `:` are parameters. */
export type Route = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
}

/** The callers of an endpoint; `signed` endpoints check a signature themselves. */
export type Access = 'public' | 'gate' | 'member' | 'editor' | 'signed'

type Schema = z.core.$ZodType

/** The access, the input and the output of an endpoint. */
export type Terms = {
  /** Several values must all hold, in order. */
  readonly access: Access | readonly Access[]
  readonly tag: Tag
  readonly summary: string
  readonly description?: string
  /** The path's parameters. Without a schema they are any text. */
  readonly params?: Schema
  readonly query?: Schema
  readonly headers?: Schema
  readonly body?: Schema
  /** The content types of a body that isn't JSON. */
  readonly consumes?: readonly string[]
  /** The body of a successful reply; absent for files and pages. */
  readonly reply?: Schema
  /** The statuses of successful replies, if not 200 alone. */
  readonly statuses?: readonly number[]
  /** Bodies of failed requests by status. */
  readonly errors?: Readonly<Record<number, Schema>>
}

/** One operation of the API, as a value: the server registers it, clients call it, the reference describes it. */
export type Endpoint = Route & Terms

/** Returns the endpoint of a route. */
/* @__NO_SIDE_EFFECTS__ */
export function endpoint<const At extends Route, const Given extends Terms>(
  route: At,
  terms: Given,
): At & Given {
  return { ...route, ...terms }
}

type NamesIn<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | NamesIn<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never

/** The values of a path's parameters. */
export type ParamsOf<Path extends string> = { readonly [Name in NamesIn<Path>]: string }

type Optional<Field extends string, Value> = undefined extends Value
  ? { readonly [Key in Field]?: Value }
  : { readonly [Key in Field]: Value }

type ParamsInput<At extends Route> = [NamesIn<At['path']>] extends [never]
  ? { readonly params?: undefined }
  : { readonly params: ParamsOf<At['path']> }

type QueryInput<At> = At extends { query: infer Query extends Schema }
  ? object extends z.input<Query>
    ? { readonly query?: z.input<Query> }
    : { readonly query: z.input<Query> }
  : { readonly query?: undefined }

type BodyInput<At> = At extends { consumes: readonly string[] }
  ? { readonly body: FormData | Blob | string }
  : At extends { body: infer Body extends Schema }
    ? Optional<'body', z.input<Body>>
    : { readonly body?: undefined }

/** The input of any call. */
export type Input = {
  readonly params?: object | undefined
  readonly query?: object | undefined
  readonly body?: unknown
}

/** The input of a call to an endpoint. */
export type InputOf<At extends Route> = Input & ParamsInput<At> & QueryInput<At> & BodyInput<At>

/** The body that a successful call of an endpoint returns. */
export type ReplyOf<At> = At extends { reply: infer Reply extends Schema } ? z.output<Reply> : undefined

type AddressInput<At extends Route> = ParamsInput<At> & { readonly query?: object | undefined }
type AddressInputs<At extends Route> = [NamesIn<At['path']>] extends [never]
  ? [input?: AddressInput<At>]
  : [input: AddressInput<At>]

/** Returns the address of a call, from the root of the site. A query leaves out undefined values. */
export function urlOf<At extends Route>({ path }: At, ...[input]: AddressInputs<At>): string {
  return fillPath(path, input)
}

/** Returns a path with the values of its parameters and a query. */
export function fillPath(path: string, { params = {}, query = {} }: Omit<Input, 'body'> = {}): string {
  const values = new Map(Object.entries(params))
  const filled = path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(values.get(name) ?? ''))
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value))
  return search.size === 0 ? filled : `${filled}?${search}`
}
