import { resourceMissing } from '../protocol/errors.ts'
import type { Collection, Kind, Records } from './store.ts'

type Collections = { [Name in Kind]: IterableCollection<Name> }

type StoredCollections = {
  of<Name extends Kind>(kind: Name): IterableCollection<Name>
  /** Restores a record from the journal. Ignores other names. */
  restore(name: string, json: string): void
  /** Iterates over all records with their names, oldest first. */
  all(): Iterable<[name: string, record: unknown]>
}

type Options = {
  /** Receives each change: the record's name and new value, undefined when it is removed, and its undo. */
  onChange(name: string, record: unknown, undo: () => void): void
}

export function createCollections({ onChange }: Options): StoredCollections {
  /** Returns the collection of a kind. `thing` is Stripe's name of the object in `No such …`. */
  function collectionOf<Name extends Kind>(kind: Name, thing: string) {
    const collection: IterableCollection<Name> = createCollection<Name>({
      thing,
      onChange(id, record, former) {
        onChange(`${kind}/${id}`, record, () => (former ? collection.put(former) : collection.remove(id)))
      },
    })
    return collection
  }
  const collections: Collections = {
    accountSettings: collectionOf('accountSettings', 'account'),
    customer: collectionOf('customer', 'customer'),
    product: collectionOf('product', 'product'),
    price: collectionOf('price', 'price'),
    coupon: collectionOf('coupon', 'coupon'),
    promotionCode: collectionOf('promotionCode', 'promotion code'),
    paymentMethod: collectionOf('paymentMethod', 'PaymentMethod'),
    subscription: collectionOf('subscription', 'subscription'),
    schedule: collectionOf('schedule', 'subscription schedule'),
    invoice: collectionOf('invoice', 'invoice'),
    paymentIntent: collectionOf('paymentIntent', 'payment_intent'),
    charge: collectionOf('charge', 'charge'),
    refund: collectionOf('refund', 'refund'),
    dispute: collectionOf('dispute', 'dispute'),
    checkoutSession: collectionOf('checkoutSession', 'checkout.session'),
    portalConfiguration: collectionOf('portalConfiguration', 'configuration'),
    portalSession: collectionOf('portalSession', 'session'),
    testClock: collectionOf('testClock', 'test clock'),
    event: collectionOf('event', 'event'),
  }

  function isKind(name: string): name is Kind {
    return Object.hasOwn(collections, name)
  }

  function putBack<Name extends Kind>(kind: Name, json: string) {
    const record: Records[Name] = JSON.parse(json)
    of(kind).put(record)
  }

  function of<Name extends Kind>(kind: Name): IterableCollection<Name> {
    return collections[kind]
  }

  return {
    of,
    restore(name, json) {
      const kind = name.slice(0, name.indexOf('/'))
      if (isKind(kind)) putBack(kind, json)
    },
    *all() {
      for (const [kind, collection] of Object.entries(collections)) {
        for (const record of collection.all()) yield [`${kind}/${record.id}`, record]
      }
    },
  }
}

type IterableCollection<Name extends Kind> = Collection<Name> & {
  all(): Iterable<Records[Name]>
  size(): number
}

type CollectionOptions<Name extends Kind> = {
  thing: string
  /** Receives the new and the former value, undefined for none. */
  onChange(id: string, record: Records[Name] | undefined, former: Records[Name] | undefined): void
}

/** Stores records of one kind in memory, in insertion order. */
function createCollection<Name extends Kind>({
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
      // Deleted records can be read, but parameters can't refer to them.
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
