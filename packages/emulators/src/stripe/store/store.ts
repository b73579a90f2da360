import { invalid } from '../protocol/errors.ts'
import type { Metadata } from '../protocol/params.ts'
import { changesBetween, type WireObject } from '../protocol/wire-object.ts'

/** What most records have. */
export type Common = { id: string; created: number; metadata: Metadata }

/** The object is kept as it looked on the wire when the event happened. */
export type EventRecord = {
  id: string
  created: number
  type: string
  object: Record<string, unknown>
  previousAttributes: Record<string, unknown> | null
  request: { id: string | null; idempotencyKey: string | null }
  /** Null for an event that is not sent to anybody. */
  delivery: EventDelivery | null
}

/** How the delivery of an event goes; `lastFailure` says why the last attempt failed. */
export type EventDelivery =
  | { state: 'pending'; attempts: number; nextAttemptAt: number; lastFailure: string | null }
  | { state: 'delivered' }

/** Everything that is stored, by kind. An interface, because each resource adds its own record to it. */
export interface Records {
  event: EventRecord
}

export type Kind = keyof Records

/** One kind of object. Records are replaced as a whole by `put`, never changed in place. */
export type Collection<Name extends Kind> = {
  /** Undefined when there is none. */
  find(id: string): Records[Name] | undefined
  /** Throws Stripe's `resource_missing` when there is none; `param` names the parameter that held the id. */
  get(id: string, param?: string): Records[Name]
  put(record: Records[Name]): Records[Name]
  /** Forgets it; nothing happens when there is none. */
  remove(id: string): void
  /** All of them, the newest first. */
  list(filter?: (record: Records[Name]) => boolean): Records[Name][]
  /** Those whose `customerId` this is, the newest first; found without looking at all the others. */
  ofCustomer(customerId: string, filter?: (record: Records[Name]) => boolean): Records[Name][]
}

/** What the stand-in knows and what it tells: its records, its time, and its events. */
export type Store = {
  readonly accountId: string
  of<Name extends Kind>(kind: Name): Collection<Name>
  /** A new id like `cus_…`; the same length as Stripe's. Nobody can guess it. */
  newId(prefix: string): string
  /** What becomes of a subscription whose invoice was refused at the last retry. */
  readonly afterLastRetry: 'cancel' | 'unpaid' | 'past_due'
  /** Seconds since 1970: the wall's, or those of the test clock that the object hangs on. */
  now(testClockId?: string | null): number
  /** Runs something at a moment: until it ends, `now` of that clock (null: the wall's) answers `time`. */
  at<Result>(time: number, testClockId: string | null, run: () => Result): Result
  /** Where browsers reach the stand-in's pages, as `http://127.0.0.1:4242`. */
  pageOrigin(): string
  /**
   * Tells of a change: makes an event with the wire's form of the object and sends it to the site. `previous` holds the
   * wire's fields that were otherwise, as `data.previous_attributes`.
   */
  emit(
    type: string,
    object: WireObject,
    options?: { previous?: WireObject; testClockId?: string | null },
  ): void
}

/** Tells of what is otherwise than before, with the earlier values; of nothing when nothing is. */
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

/** The id that was asked for, or a new one. Throws `resource_already_exists` when it is taken. */
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
