import type { z } from 'zod'
import { apiErrorOfIssues, resourceMissing } from '../protocol/errors.ts'
import { object } from '../protocol/params.ts'
import type { WireObject } from '../protocol/wire-object.ts'
import type { Kind, Records, Store } from '../store/store.ts'

/** What every call is run with. `params` is what the endpoint's schema made of the form or the query. */
export type Call<Params> = {
  store: Store
  params: Params
  /** The parts of the path, by name. */
  path: Record<string, string>
  /** The part `:id` of the path; empty where there is none. */
  id: string
}

/**
 * One call of the API. The schema is strict: a parameter that it does not know is refused as Stripe refuses it
 * (`parameter_unknown`). Texts are what arrives, so numbers and booleans are read by `protocol/params.ts`.
 */
export type Endpoint = {
  method: 'GET' | 'POST' | 'DELETE'
  /** Below `/v1`, with parts like `:id`. */
  path: string
  run(store: Store, raw: unknown, path: Record<string, string>): WireObject
}

/** Declares a call: its parameters are parsed before `run` sees them. */
export function endpoint<Schema extends z.ZodType>(
  method: Endpoint['method'],
  path: string,
  schema: Schema,
  run: (call: Call<z.infer<Schema>>) => WireObject,
): Endpoint {
  return {
    method,
    path,
    run(store, raw, parts) {
      const parsed = schema.safeParse(raw, { reportInput: true })
      if (!parsed.success) throw apiErrorOfIssues(parsed.error.issues)
      return run({ store, params: parsed.data, path: parts, id: parts.id ?? '' })
    },
  }
}

/** `GET <path>/:id`: one object as it is now; what was deleted can be looked at. */
export function retrieve<Name extends Kind>(
  path: string,
  kind: Name,
  toWire: (store: Store, record: Records[Name]) => WireObject,
): Endpoint {
  return endpoint('GET', `${path}/:id`, object({}), ({ store, id }) => toWire(store, store.of(kind).get(id)))
}

/**
 * A customer's records of a kind, or everybody's. A customer that never was is refused; one that was deleted is not.
 * What hangs on a test clock is only found by its customer.
 */
export function recordsOf<Name extends Kind>(
  store: Store,
  kind: Name,
  customerId: string | undefined,
  isWanted: (record: Records[Name]) => boolean,
): Records[Name][] {
  if (customerId === undefined) return store.of(kind).list((record) => !isOnClock(record) && isWanted(record))
  if (!store.of('customer').find(customerId)) throw resourceMissing('customer', customerId, 'customer')
  return store.of(kind).ofCustomer(customerId, isWanted)
}

function isOnClock(record: object) {
  return 'testClockId' in record && record.testClockId !== null
}

/** What `expand` can put in place of ids, and in place of nothing. */
export type Expansions = {
  /** Objects by the beginning of their ids (`cus_`), or by the field that holds the id where ids are free (`coupon`). */
  objects: Record<string, (store: Store, id: string) => WireObject | undefined>
  /** Parts that objects have only when asked for, by type and field: `customer.subscriptions`. */
  included: Record<string, (store: Store, object: WireObject) => unknown>
}

/** Finds the objects of a kind, for `Expansions.objects`. */
export function objectsOf<Name extends Kind>(
  kind: Name,
  toWire: (store: Store, record: Records[Name]) => WireObject,
): (store: Store, id: string) => WireObject | undefined {
  return (store, id) => {
    const record = store.of(kind).find(id)
    return record && toWire(store, record)
  }
}

/** Several tables as one. */
export function joinExpansions(...tables: Expansions[]): Expansions {
  const joined: Expansions = { objects: {}, included: {} }
  for (const { objects, included } of tables) {
    Object.assign(joined.objects, objects)
    Object.assign(joined.included, included)
  }
  return joined
}

export type Match = { endpoint: Endpoint; path: Record<string, string> }

type Route = { endpoint: Endpoint; steps: string[] }

/** Finds the call that a method and a path below `/v1` name; a path in words comes before one with a part to fill. */
export function createRouter(
  endpoints: readonly Endpoint[],
): (method: string, path: string) => Match | undefined {
  const routes = endpoints
    .map((endpoint): Route => ({ endpoint, steps: endpoint.path.split('/') }))
    .sort((one, other) => partsOf(one) - partsOf(other))

  return (method, path) => {
    const steps = path.split('/')
    for (const route of routes) {
      if (route.endpoint.method !== method || route.steps.length !== steps.length) continue
      const filled = fill(route.steps, steps)
      if (filled) return { endpoint: route.endpoint, path: filled }
    }
    return undefined
  }
}

function partsOf({ steps }: Route) {
  return steps.filter((step) => step.startsWith(':')).length
}

function fill(pattern: readonly string[], steps: readonly string[]): Record<string, string> | undefined {
  const filled: Record<string, string> = {}
  for (const [index, wanted] of pattern.entries()) {
    const step = steps[index] ?? ''
    if (wanted.startsWith(':') && step !== '') filled[wanted.slice(1)] = decoded(step)
    else if (wanted !== step) return undefined
  }
  return filled
}

function decoded(step: string) {
  try {
    return decodeURIComponent(step)
  } catch {
    return step
  }
}
