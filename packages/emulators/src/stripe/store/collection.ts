import { resourceMissing } from '../protocol/errors.ts'
import type { Kind, Records } from './records.ts'
import type { Collection } from './store.ts'

/** A collection whose records can all be walked through, the oldest first. */
export type IterableCollection<Name extends Kind> = Collection<Name> & {
  all(): Iterable<Records[Name]>
  size(): number
}

type CollectionOptions<Name extends Kind> = {
  /** What Stripe calls such an object in `No such …`. */
  thing: string
  /** Is told of every change: what is there now and what was there before, undefined for nothing. */
  onChange(id: string, record: Records[Name] | undefined, former: Records[Name] | undefined): void
}

/** Records of one kind, in memory, in the order in which they came. */
export function createCollection<Name extends Kind>({
  thing,
  onChange,
}: CollectionOptions<Name>): IterableCollection<Name> {
  const records = new Map<string, Records[Name]>()
  const idsOfCustomers = new Map<string, Set<string>>()

  function index(record: Records[Name]) {
    const customerId = customerOf(record)
    if (!customerId) return
    const ids = idsOfCustomers.get(customerId) ?? new Set()
    idsOfCustomers.set(customerId, ids.add(record.id))
  }

  function unindex(record: Records[Name] | undefined) {
    const customerId = record && customerOf(record)
    if (record && customerId) idsOfCustomers.get(customerId)?.delete(record.id)
  }

  return {
    find: (id) => records.get(id),
    get(id, param) {
      const record = records.get(id)
      // What was deleted can be looked at, but nothing new may refer to it.
      const isGone = record && param !== undefined && 'deleted' in record && record.deleted
      if (!record || isGone) throw resourceMissing(thing, id, param)
      return record
    },
    put(record) {
      const former = records.get(record.id)
      if (former && customerOf(former) !== customerOf(record)) unindex(former)
      records.set(record.id, record)
      index(record)
      onChange(record.id, record, former)
      return record
    },
    remove(id) {
      const former = records.get(id)
      unindex(former)
      if (records.delete(id)) onChange(id, undefined, former)
    },
    list(filter = () => true) {
      return newestFirst(Array.from(records.values()).filter(filter))
    },
    ofCustomer(customerId, filter = () => true) {
      const ids = idsOfCustomers.get(customerId) ?? new Set()
      const own = Array.from(ids).flatMap((id) => records.get(id) ?? [])
      return newestFirst(own.filter(filter))
    },
    all: () => records.values(),
    size: () => records.size,
  }
}

function customerOf(record: object): string | undefined {
  return 'customerId' in record && typeof record.customerId === 'string' ? record.customerId : undefined
}

function newestFirst<Entry>(records: Iterable<Entry>): Entry[] {
  return Array.from(records).reverse()
}
