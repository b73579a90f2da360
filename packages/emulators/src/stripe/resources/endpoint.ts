import type { z } from 'zod'
import { apiErrorOfIssues, resourceMissing } from '../protocol/errors.ts'
import { object } from '../protocol/params.ts'
import type { WireObject } from '../protocol/wire-object.ts'
import type { Kind, Records, Store } from '../store/store.ts'

/** A call with its parsed parameters. */
type Call<Params> = {
  store: Store
  params: Params
  /** The path's `:id`; empty without one. */
  id: string
}

/** One call of the API. Its schema is strict, so an unknown parameter gets `parameter_unknown`. */
export type Endpoint = {
  method: 'GET' | 'POST' | 'DELETE'
  /** Below `/v1`, with parameters like `:id`. */
  path: string
  run(store: Store, raw: unknown, path: Record<string, string>): WireObject
}

/** Declares a call whose parameters are parsed before `run`. */
export function endpoint<Schema extends z.ZodType>(
  method: Endpoint['method'],
  path: string,
  schema: Schema,
  run: (call: Call<z.infer<Schema>>) => WireObject,
): Endpoint {
  return {
    method,
    path,
    run(store, raw, { id = '' }) {
      const parsed = schema.safeParse(raw, { reportInput: true })
      if (!parsed.success) throw apiErrorOfIssues(parsed.error.issues)
      return run({ store, params: parsed.data, id })
    },
  }
}

/** Declares `GET <path>/:id`, which also returns deleted objects. */
export function retrieve<Name extends Kind>(
  path: string,
  kind: Name,
  toWire: (store: Store, record: Records[Name]) => WireObject,
): Endpoint {
  return endpoint('GET', `${path}/:id`, object({}), ({ store, id }) => toWire(store, store.of(kind).get(id)))
}

/**
 * Returns a customer's records of a kind. Without a customer, returns all records that have no test clock. Throws
 * for an unknown customer.
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

export type Expansions = {
  /** Objects by id prefix (`cus_`), or by the field that holds the id where ids have no prefix (`coupon`). */
  objects: Record<string, (store: Store, id: string) => WireObject | undefined>
  /** Fields that only `expand` adds, by type and name: `invoice.payments`. */
  included: Record<string, (store: Store, object: WireObject) => unknown>
}

export function objectsOf<Name extends Kind>(
  kind: Name,
  toWire: (store: Store, record: Records[Name]) => WireObject,
): (store: Store, id: string) => WireObject | undefined {
  return (store, id) => {
    const record = store.of(kind).find(id)
    return record && toWire(store, record)
  }
}

export type Match = { endpoint: Endpoint; path: Record<string, string> }

type Route = { endpoint: Endpoint; steps: string[] }

/** Returns a function that finds the call of a method and a path below `/v1`. Literal paths come first. */
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
