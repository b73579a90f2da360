import { invalid } from '../protocol/errors.ts'
import type { Metadata } from '../protocol/params.ts'
import { changesBetween, type WireObject } from '../protocol/wire-object.ts'

export type Common = { id: string; created: number; metadata: Metadata }

/** An event with the object as it was on the wire. */
export type EventRecord = {
  id: string
  created: number
  type: string
  object: Record<string, unknown>
  previousAttributes: Record<string, unknown> | null
  request: { id: string | null; idempotencyKey: string | null }
  /** Null for an event that is not delivered. */
  delivery: EventDelivery | null
}

type EventDelivery =
  | { state: 'pending'; attempts: number; nextAttemptAt: number; lastFailure: string | null }
  | { state: 'delivered' }

/** Everything that is stored, by kind. An interface, because each resource adds its own record to it. */
export interface Records {
  event: EventRecord
}

export type Kind = keyof Records

/** The records of one kind. `put` replaces a record as a whole. */
export type Collection<Name extends Kind> = {
  find(id: string): Records[Name] | undefined
  /** Throws Stripe's `resource_missing`; `param` held the id. */
  get(id: string, param?: string): Records[Name]
  put(record: Records[Name]): Records[Name]
  remove(id: string): void
  /** Lists records, newest first. */
  list(filter?: (record: Records[Name]) => boolean): Records[Name][]
  /** Lists the records of a customer by index, newest first. */
  ofCustomer(customerId: string, filter?: (record: Records[Name]) => boolean): Records[Name][]
}

/** The records, the time and the events of one account. */
export type Store = {
  readonly accountId: string
  of<Name extends Kind>(kind: Name): Collection<Name>
  /** Returns a new id like `cus_…`, as long as Stripe's and not guessable. */
  newId(prefix: string): string
  /** The action after the last retry of a subscription's payment. */
  readonly afterLastRetry: 'cancel' | 'unpaid' | 'past_due'
  /** Returns the seconds since 1970, on the wall clock or a test clock. */
  now(testClockId?: string | null): number
  /** Runs a function at a time of the wall clock (null) or a test clock. */
  at<Result>(time: number, testClockId: string | null, run: () => Result): Result
  /** Returns the percentage of every automatic tax. */
  taxPercent(): number
  /** Returns the origin of the pages, such as `http://127.0.0.1:4242`. */
  pageOrigin(): string
  /** Emits an event with the object's wire form. `previous` becomes `data.previous_attributes`. */
  emit(
    type: string,
    object: WireObject,
    options?: { previous?: WireObject; testClockId?: string | null },
  ): void
}

/** Emits an event with the former values, if anything changed. */
export function emitChange(
  store: Store,
  type: string,
  before: WireObject,
  now: WireObject,
  testClockId: string | null = null,
): void {
  const previous = changesBetween(before, now)
  if (Object.keys(previous).length > 0) store.emit(type, now, { previous, testClockId })
}

/** Returns the requested id or a new one. Throws `resource_already_exists` for a taken id. */
export function chosenId(
  store: Store,
  kind: Kind,
  { prefix, wanted }: { prefix: string; wanted: string | undefined },
): string {
  if (wanted === undefined) return store.newId(prefix)
  if (!/^[\w-]{1,200}$/.test(wanted)) {
    throw invalid(`Invalid id: ${wanted}. Ids consist of letters, digits, dashes and underscores.`, {
      param: 'id',
    })
  }
  if (!store.of(kind).find(wanted)) return wanted
  const noun = kind[0]?.toUpperCase() + kind.slice(1)
  throw invalid(`${noun} already exists.`, { code: 'resource_already_exists', param: 'id' })
}
