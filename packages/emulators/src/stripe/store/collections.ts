import { createCollection, type IterableCollection } from './collection.ts'
import type { Kind, Records } from './records.ts'

type Collections = { [Name in Kind]: IterableCollection<Name> }

export type StoredCollections = {
  of<Name extends Kind>(kind: Name): IterableCollection<Name>
  /** Puts back what `onChange` told of, in a form that has been JSON since. Other names are none of its own. */
  restore(name: string, json: string): void
  /** All records with their names, the oldest of each kind first. */
  all(): Iterable<[name: string, record: unknown]>
}

type Options = {
  /** Is told of every change: the record's name and what it is now, undefined when it is gone, and what undoes it. */
  onChange(name: string, record: unknown, undo: () => void): void
}

const things: Record<Kind, string> = {
  customer: 'customer',
  product: 'product',
  price: 'price',
  coupon: 'coupon',
  promotionCode: 'promotion code',
  paymentMethod: 'PaymentMethod',
  subscription: 'subscription',
  schedule: 'subscription schedule',
  invoice: 'invoice',
  paymentIntent: 'payment_intent',
  charge: 'charge',
  refund: 'refund',
  dispute: 'dispute',
  checkoutSession: 'checkout.session',
  portalConfiguration: 'configuration',
  portalSession: 'session',
  testClock: 'test clock',
  event: 'event',
}

/** An empty collection of each kind. */
export function createCollections({ onChange }: Options): StoredCollections {
  function collectionOf<Name extends Kind>(kind: Name) {
    const collection: IterableCollection<Name> = createCollection<Name>({
      thing: things[kind],
      onChange(id, record, former) {
        onChange(`${kind}/${id}`, record, () => (former ? collection.put(former) : collection.remove(id)))
      },
    })
    return collection
  }
  const collections: Collections = {
    customer: collectionOf('customer'),
    product: collectionOf('product'),
    price: collectionOf('price'),
    coupon: collectionOf('coupon'),
    promotionCode: collectionOf('promotionCode'),
    paymentMethod: collectionOf('paymentMethod'),
    subscription: collectionOf('subscription'),
    schedule: collectionOf('schedule'),
    invoice: collectionOf('invoice'),
    paymentIntent: collectionOf('paymentIntent'),
    charge: collectionOf('charge'),
    refund: collectionOf('refund'),
    dispute: collectionOf('dispute'),
    checkoutSession: collectionOf('checkoutSession'),
    portalConfiguration: collectionOf('portalConfiguration'),
    portalSession: collectionOf('portalSession'),
    testClock: collectionOf('testClock'),
    event: collectionOf('event'),
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

function isKind(name: string): name is Kind {
  return Object.hasOwn(things, name)
}
