import type { FaultInput } from '@tidings/emulators/stripe/server/faults'
import { describe, expect } from 'vitest'
import {
  monthlyPrice,
  newest,
  orderOf,
  pagesOf,
  paidInvoices,
  type StripeStore,
  storeApp,
  storeSales,
  storeTest,
  subscribed,
} from '#test/payments/stripe-store.ts'
import { PaymentsKeyRefusedError, PaymentsRefusedError, PaymentsUnavailableError } from '../gateway-errors.ts'

const always = 1_000

const it = storeTest()
/** Its calls wait for long, because the machine may be busy. */
const patientTest = storeTest().extend('options', { scope: 'file' }, { retries: 0, timeoutMs: 20_000 })
const impatientTest = storeTest().extend('options', { scope: 'file' }, { retries: 0, timeoutMs: 1_200 })

function refundOrder(paymentId: string) {
  return { paymentId, invoiceId: 'in_1', reason: 'paid-twice', appId: 'app_1', memberId: null } as const
}
type ErrorKind = typeof PaymentsUnavailableError | typeof PaymentsKeyRefusedError

/** Returns every call that the site makes, for a subscriber. */
async function everyCall(store: StripeStore): Promise<[name: string, call: () => Promise<unknown>][]> {
  const { gateway, monthly, yearly, portalId } = store
  const { customerId, subscription } = await subscribed(store)
  const visit = { customerId, configurationId: portalId, returnUrl: storeApp.siteUrl }
  return [
    ['createCustomer', () => gateway.createCustomer({ memberId: 'm', appId: 'a', email: 'm@example.com' })],
    ['findOwner', () => gateway.findOwner(customerId)],
    ['updateEmail', () => gateway.updateEmail(customerId, 'new@example.com')],
    ['startCheckout', () => gateway.startCheckout(orderOf(customerId, monthly))],
    [
      'startCheckout with a code',
      () => gateway.startCheckout({ ...orderOf(customerId, monthly), coupon: 'A' }),
    ],
    ['openPortal', () => gateway.openPortal(visit)],
    ['listSubscriptions', () => gateway.listSubscriptions(customerId, storeSales)],
    ['listAllSubscriptions', () => pagesOf(gateway.listAllSubscriptions(storeSales))],
    ['previewChange', () => gateway.previewChange(subscription, yearly.id, subscription.periodStartsAt)],
    ['previewRenewal', () => gateway.previewRenewal(subscription, monthly.id)],
    ['changeNow', () => gateway.changeNow(subscription, yearly.id, subscription.periodStartsAt)],
    ['changeAtPeriodEnd', () => gateway.changeAtPeriodEnd(subscription, yearly.id)],
    ['cancelSubscription', () => gateway.cancelSubscription(subscription.id)],
    ['settleEnded', () => gateway.settleEnded({ id: subscription.id, endedAt: new Date(0) })],
    ['listPayments', () => gateway.listPayments(subscription.latestInvoice?.id ?? '')],
    ['refund', () => gateway.refund(refundOrder('pi_1'))],
    ['findRefund', () => gateway.findRefund('re_1')],
    ['listFailedRefunds', () => pagesOf(gateway.listFailedRefunds(new Date(0)))],
    ['findPaidInvoice', () => gateway.findPaidInvoice('pi_1')],
    ['cancelAll', () => gateway.cancelAll(customerId, storeSales, store.clock.now())],
    ['findDisputed', () => gateway.findDisputed('dp_1')],
    ['listDisputes', () => pagesOf(gateway.listDisputes())],
    ['hasPrice', () => gateway.hasPrice(monthly.id)],
    ['syncCatalog', () => gateway.syncCatalog(storeApp, [monthlyPrice], () => {})],
    ['syncPortal', () => gateway.syncPortal(storeApp, portalId)],
  ]
}

/** Makes calls and returns their errors by name. */
async function errorsOf(calls: [name: string, call: () => Promise<unknown>][]): Promise<[string, unknown][]> {
  return await Promise.all(
    calls.map(async ([name, call]): Promise<[string, unknown]> => {
      return [name, await call().catch((error: unknown) => error)]
    }),
  )
}

type Failure = { kind: FaultInput['kind']; error: ErrorKind; reason: RegExp }

/** Expects every call to fail because of a fault, to change nothing and to log an error only for a refused key. */
async function expectFailures(store: StripeStore, { kind, error: expected, reason }: Failure) {
  const calls = await everyCall(store)
  const before = await store.stripe.events.list({ limit: 100 })
  await store.controls.addFault({ kind, times: always })
  const failures = await errorsOf(calls)
  await store.controls.clearFaults()
  const wrong = failures.filter(([, error]) => !(error instanceof expected && reason.test(error.message)))
  expect(wrong).toEqual([])
  const errors = store.log.lines.map((line) => JSON.parse(line)).filter(({ level }) => level >= 50)
  const isKeyRefused = expected === PaymentsKeyRefusedError
  expect(errors.length >= calls.length).toBe(isKeyRefused)
  expect(new Set(errors.map(({ msg }) => msg))).toEqual(
    new Set(isKeyRefused ? ['stripe secret key refused'] : []),
  )
  expect((await store.stripe.events.list({ limit: 100 })).data).toHaveLength(before.data.length)
}

const failures: [what: string, failure: Failure][] = [
  [
    'fails',
    {
      kind: 'server-error',
      error: PaymentsUnavailableError,
      reason: /^StripeAPIError, status 500, req_\w+$/,
    },
  ],
  [
    'limits the rate',
    {
      kind: 'rate-limit',
      error: PaymentsUnavailableError,
      reason: /^StripeRateLimitError, rate_limit, status 429, req_\w+$/,
    },
  ],
  [
    'closes the connection',
    { kind: 'reset', error: PaymentsUnavailableError, reason: /^StripeConnectionError, ECONNRESET$/ },
  ],
  [
    'rejects the key',
    {
      kind: 'unauthorized',
      error: PaymentsKeyRefusedError,
      reason: /^StripeAuthenticationError, status 401/,
    },
  ],
  [
    'denies the key a permission',
    { kind: 'forbidden', error: PaymentsKeyRefusedError, reason: /^StripePermissionError, status 403/ },
  ],
]

describe('every gateway call', () => {
  patientTest.concurrent.for(failures)(
    'fails with the reason and changes nothing when Stripe %s',
    async ([_what, failure], { ownStore }) => await expectFailures(ownStore, failure),
  )

  impatientTest.concurrent(
    'fails with the reason and changes nothing when Stripe does not respond',
    async ({ ownStore }) =>
      await expectFailures(ownStore, {
        kind: 'timeout-before',
        error: PaymentsUnavailableError,
        reason: /^StripeConnectionError, timeout$/,
      }),
  )

  patientTest.concurrent('fails with the reason when Stripe is unreachable', async ({ ownStore }) => {
    const calls = await everyCall(ownStore)
    await ownStore.stop()
    for (const [name, error] of await errorsOf(calls)) {
      expect(error, name).toBeInstanceOf(PaymentsUnavailableError)
      expect(error, name).toHaveProperty('message', expect.stringMatching(/^StripeConnectionError/))
    }
  })

  it.concurrent('succeeds when Stripe is slow but responds within the timeout', async ({ ownStore }) => {
    await ownStore.controls.addFault({ kind: 'slow', delayMs: 50, times: 2 })
    const { subscription } = await subscribed(ownStore)
    expect(subscription.status).toBe('active')
  })

  it.concurrent.for(['server-error', 'reset', 'reset-after'] as const)(
    'succeeds when Stripe fails once: %s',
    async (kind, { ownStore }) => {
      const { customerId, subscription } = await subscribed(ownStore)
      await ownStore.controls.addFault({ kind, match: 'POST /v1/subscriptions/' })
      await ownStore.gateway.changeNow(subscription, ownStore.yearly.id, subscription.periodStartsAt)
      expect(await paidInvoices(ownStore, customerId)).toEqual([499, 4_500])
    },
  )
})

describe('a write whose response was lost', () => {
  /** Loses the responses of a call and its retry by the SDK, then repeats the call. */
  async function repeatAfterLoss<T>({ controls }: StripeStore, match: string, call: () => Promise<T>) {
    await controls.addFault({ kind: 'reset-after', match, times: 2 })
    await expect(call()).rejects.toThrow(PaymentsUnavailableError)
    return call()
  }

  impatientTest('creates one customer when repeated', async ({ store }) => {
    const member = { memberId: 'mem_lost', appId: storeApp.id, email: 'lost@example.com' }
    const id = await repeatAfterLoss(store, 'POST /v1/customers', () => store.gateway.createCustomer(member))
    const { data } = await store.stripe.customers.list({ email: 'lost@example.com' })
    expect(data.map((customer) => customer.id)).toEqual([id])
  })

  impatientTest('charges a plan change once when repeated', async ({ store }) => {
    const { customerId, subscription } = await subscribed(store)
    const { periodStartsAt: proratedAt } = subscription
    await repeatAfterLoss(store, 'POST /v1/subscriptions/', () =>
      store.gateway.changeNow(subscription, store.yearly.id, proratedAt),
    )
    expect(await paidInvoices(store, customerId)).toEqual([499, 4_500])
  })

  impatientTest('schedules a plan change once when repeated', async ({ store }) => {
    const { customerId, subscription } = await subscribed(store, store.yearly)
    await repeatAfterLoss(store, 'POST /v1/subscription_schedules', () =>
      store.gateway.changeAtPeriodEnd(subscription, store.monthly.id),
    )
    const { data: schedules } = await store.stripe.subscriptionSchedules.list({ customer: customerId })
    expect(schedules).toHaveLength(1)
    expect((await newest(store.gateway, customerId)).schedule?.nextPriceId).toBe(store.monthly.id)
  })

  impatientTest('makes one refund when repeated', async ({ store }) => {
    const { customerId, subscription } = await subscribed(store)
    const [payment] = await store.gateway.listPayments(subscription.latestInvoice?.id ?? '')
    await repeatAfterLoss(store, 'POST /v1/refunds', () =>
      store.gateway.refund(refundOrder(payment?.id ?? '')),
    )
    const { data: charges } = await store.stripe.charges.list({ customer: customerId })
    expect(charges.map(({ amount_refunded: refunded }) => refunded)).toEqual([499])
    expect((await store.stripe.refunds.list()).data).toHaveLength(1)
  })

  impatientTest('cancels a subscription when the SDK retries', async ({ store }) => {
    const { customerId, subscription } = await subscribed(store)
    await store.controls.addFault({ kind: 'reset-after', match: 'DELETE /v1/subscriptions' })
    await store.gateway.cancelSubscription(subscription.id)
    expect((await newest(store.gateway, customerId)).status).toBe('canceled')
  })

  impatientTest('is an error when the response exceeds the timeout', async ({ store }) => {
    const customerId = await store.join()
    await store.controls.addFault({ kind: 'timeout-after', match: 'POST /v1/customers' })
    await expect(store.gateway.updateEmail(customerId, 'late@example.com')).rejects.toThrow('timeout')
    expect(await store.stripe.customers.retrieve(customerId)).toMatchObject({ email: 'late@example.com' })
  })
})

describe('the error of a rejected call', () => {
  it('does not quote an email address', async ({ store }) => {
    const failure = store.gateway.createCustomer({ memberId: 'm', appId: 'a', email: 'no address at all' })
    await expect(failure).rejects.toThrow(/^StripeInvalidRequestError/)
    await expect(failure).rejects.not.toThrow('no address at all')
  })

  it('does not quote the key', async ({ store }) => {
    const gateway = store.gatewayWith({ secretKey: 'sk_live_secret' })
    const failure = gateway.syncCatalog(storeApp, [monthlyPrice], () => {})
    await expect(failure).rejects.toThrow(/^StripeAuthenticationError, status 401/)
    await expect(failure).rejects.not.toThrow('sk_live')
  })

  it('names the parameter', async ({ store }) => {
    const order = orderOf(await store.join(), store.monthly)
    const failure = store.gateway.startCheckout({ ...order, priceId: 'price_neverwas' })
    await expect(failure).rejects.toThrow(PaymentsRefusedError)
    await expect(failure).rejects.toThrow(/^StripeInvalidRequestError, resource_missing, line_items/)
  })
})
