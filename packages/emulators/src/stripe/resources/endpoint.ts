import type { z } from 'zod'
import { apiErrorOfIssues } from '../protocol/errors.ts'
import type { WireObject } from '../protocol/wire-object.ts'
import type { Store } from '../store/store.ts'

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
