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
