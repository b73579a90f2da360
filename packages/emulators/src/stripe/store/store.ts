import type { WireObject } from '../protocol/wire-object.ts'
import type { Kind, Records } from './records.ts'

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
