import { fileURLToPath } from 'node:url'
import type Stripe from 'stripe'
import ts from 'typescript'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { stripeAdmin } from '../admin/client.ts'
import { isWireObject } from '../protocol/wire-object.ts'
import { createMember, createPrices } from '../testing/billing.ts'
import { type Emulator, startEmulator } from '../testing/start-emulator.ts'

/** How many levels of fields are compared. */
const depth = 2

/** Returns a function that compares objects with the types of Stripe's SDK and names missing and unknown fields. */
function createTypeComparison(names: readonly string[]): (name: string, object: unknown) => string[] {
  const fileName = fileURLToPath(new URL('./compared-types.ts', import.meta.url))
  const text = [
    "import Stripe from 'stripe'",
    ...names.map((name, index) => `export declare const compared${index}: Stripe.${name}`),
  ].join('\n')
  const options = {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    strict: true,
    skipLibCheck: true,
    types: [],
  }
  const host = ts.createCompilerHost(options)
  const { getSourceFile } = host
  host.getSourceFile = (path, ...rest) =>
    path === fileName ? ts.createSourceFile(path, text, rest[0]) : getSourceFile(path, ...rest)
  const program = ts.createProgram([fileName], options, host)
  const source = program.getSourceFile(fileName)
  const checker = program.getTypeChecker()
  const module = source && checker.getSymbolAtLocation(source)
  if (!source || !module) throw new Error('The types could not be read.')
  const file = source
  const types = new Map(
    checker
      .getExportsOfModule(module)
      .map((symbol, index) => [names[index], checker.getTypeOfSymbolAtLocation(symbol, file)]),
  )

  function differences(path: string, type: ts.Type, value: unknown, levels: number): string[] {
    const whole = checker.getNonNullableType(type)
    const objects = (whole.isUnion() ? whole.types : [whole]).filter(
      ({ flags }) => flags & ts.TypeFlags.Object,
    )
    const [first] = objects
    if (!first) return []
    if (Array.isArray(value)) {
      const entry = checker.getIndexTypeOfType(first, ts.IndexKind.Number)
      return entry && value.length > 0 ? differences(`${path}[]`, entry, value[0], levels) : []
    }
    const isMap = checker.getIndexTypeOfType(first, ts.IndexKind.String) !== undefined
    if (!isWireObject(value) || isMap) return []
    const fields = new Map(
      objects.flatMap((object) => checker.getPropertiesOfType(object)).map((field) => [field.name, field]),
    )
    const unknown = Object.keys(value).filter((name) => !fields.has(name))
    return [
      ...unknown.map((name) => `${path}.${name} is unknown`),
      ...[...fields].flatMap(([name, field]) => {
        if (name in value) {
          const inner = checker.getTypeOfSymbolAtLocation(field, file)
          return levels > 0 ? differences(`${path}.${name}`, inner, value[name], levels - 1) : []
        }
        const isOptional = (field.flags & ts.SymbolFlags.Optional) !== 0
        return isOptional ? [] : [`${path}.${name} is missing`]
      }),
    ]
  }

  return (name, object) => {
    const type = types.get(name)
    if (!type) throw new Error(`The SDK has no type ${name}.`)
    return differences(name, type, object, depth)
  }
}

let emulator: Emulator
let samples: Record<string, unknown>
let compare: ReturnType<typeof createTypeComparison>

beforeAll(async () => {
  emulator = await startEmulator()
  samples = await oneOfEach(emulator)
  compare = createTypeComparison(Object.keys(samples))
})
afterAll(() => emulator.stop())

/** Returns one object of each type, by the type's name in the SDK. */
async function oneOfEach({ stripe, url }: Emulator): Promise<Record<string, unknown>> {
  const { monthly: price } = await createPrices(stripe)
  const coupon = await stripe.coupons.create({ percent_off: 20, duration: 'forever' })
  const promotion = { type: 'coupon', coupon: coupon.id } as const
  const { customerId: customer, clockId, cardId } = await createMember(stripe)
  const subscription = await stripe.subscriptions.create({
    customer,
    items: [{ price: price.id }],
    discounts: [{ coupon: coupon.id }],
    default_payment_method: cardId,
    expand: ['latest_invoice.payments', 'discounts'],
  })
  const invoice = whole(subscription.latest_invoice)
  const schedule = await stripe.subscriptionSchedules.create({ from_subscription: subscription.id })
  const charge = first(await stripe.charges.list({ customer, expand: ['data.payment_intent'] }))
  const refund = await stripe.refunds.create({ charge: charge.id, amount: 100 })
  await stripeAdmin(url).openDispute(charge.id)
  const session = await stripe.checkout.sessions.create({
    mode: 'subscription',
    customer,
    line_items: [{ price: price.id, quantity: 1 }],
    success_url: 'http://localhost:3000/done',
    expand: ['line_items'],
  })
  const { id: configuration, ...portal } = await stripe.billingPortal.configurations.create({ features: {} })
  // The type of `data` depends on the event.
  const { data: _data, ...event } = first(await stripe.events.list({ limit: 1 }))
  return {
    Product: await stripe.products.retrieve(String(price.product)),
    Price: price,
    Coupon: coupon,
    PromotionCode: await stripe.promotionCodes.create({ promotion, code: 'SAMPLE' }),
    Customer: await stripe.customers.retrieve(customer),
    PaymentMethod: await stripe.paymentMethods.retrieve(cardId),
    Subscription: subscription,
    SubscriptionItem: subscription.items.data[0],
    Discount: subscription.discounts[0],
    Invoice: invoice,
    InvoiceLineItem: first(invoice.lines),
    InvoicePayment: invoice.payments?.data[0],
    SubscriptionSchedule: schedule,
    'SubscriptionSchedule.Phase': schedule.phases[0],
    Charge: charge,
    PaymentIntent: whole(charge.payment_intent),
    Refund: refund,
    Dispute: first(await stripe.disputes.list()),
    CreditNote: await stripe.creditNotes.create({ invoice: invoice.id, amount: 100, credit_amount: 100 }),
    'Checkout.Session': session,
    LineItem: session.line_items?.data[0],
    'BillingPortal.Configuration': { id: configuration, ...portal },
    'BillingPortal.Session': await stripe.billingPortal.sessions.create({ customer, configuration }),
    'TestHelpers.TestClock': await stripe.testHelpers.testClocks.retrieve(clockId),
    Event: { ...event, data: null },
  }
}

function first<Entry>({ data: [entry] }: { data: Entry[] }): Entry {
  if (entry === undefined) throw new Error('The list is empty.')
  return entry
}

function whole<Whole extends object>(reference: Whole | string | null): Whole {
  if (reference === null || typeof reference === 'string') throw new Error('It was not expanded.')
  return reference
}

test('each object has exactly the fields of its SDK type', () => {
  const found = Object.entries(samples).flatMap(([name, sample]) => compare(name, wireOf(sample)))
  expect(found).toEqual([])
})

/** Removes what the SDK adds to a response. */
function wireOf(sample: unknown): unknown {
  const { lastResponse: _lastResponse, ...wire }: Partial<Stripe.Response<object>> = Object(sample)
  return wire
}
