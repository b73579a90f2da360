import type { FaultInput } from '@tidings/emulators/stripe/server/faults'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  monthlyPrice,
  newest,
  orderOf,
  pagesOf,
  type StripeStore,
  startStripeStore,
  storeApp,
  storeSales,
} from '#test/payments/stripe-store.ts'
import { PaymentsKeyRefusedError, PaymentsUnavailableError } from '../gateway-errors.ts'

const always = 1_000

function refundOrder(paymentId: string) {
  return { paymentId, invoiceId: 'in_1', reason: 'paid-twice', appId: 'app_1', memberId: null } as const
}
type ErrorKind = typeof PaymentsUnavailableError | typeof PaymentsKeyRefusedError

/** Returns every call that the site makes, for a subscriber. */
async function everyCall(store: StripeStore): Promise<[name: string, call: () => Promise<unknown>][]> {
  const { gateway, monthly, yearly, portalId } = store
  const customerId = await store.join()
  const subscription = await store.subscribe(customerId, monthly)
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

describe('every gateway call', () => {
  const faults: [what: string, fault: FaultInput, reason: RegExp, kind?: ErrorKind][] = [
    ['fails', { kind: 'server-error' }, /^StripeAPIError, status 500, req_\w+$/],
    ['limits the rate', { kind: 'rate-limit' }, /^StripeRateLimitError, rate_limit, status 429, req_\w+$/],
    ['does not respond', { kind: 'timeout-before' }, /^StripeConnectionError, timeout$/],
    ['closes the connection', { kind: 'reset' }, /^StripeConnectionError, ECONNRESET$/],
    [
      'rejects the key',
      { kind: 'unauthorized' },
      /^StripeAuthenticationError, status 401/,
      PaymentsKeyRefusedError,
    ],
    [
      'denies the key a permission',
      { kind: 'forbidden' },
      /^StripePermissionError, status 403/,
      PaymentsKeyRefusedError,
    ],
  ]
  it.concurrent.each(faults)(
    'fails with the reason and changes nothing when Stripe %s',
    async (_what, fault, reason, kind: ErrorKind = PaymentsUnavailableError) => {
      // Other faults get a long timeout, because the machine may be busy.
      const timeoutMs = fault.kind === 'timeout-before' ? 1_000 : 20_000
      const store = await startStripeStore({ timeoutMs, retries: 0 })
      try {
        const calls = await everyCall(store)
        const before = await store.stripe.events.list({ limit: 100 })
        await store.controls.addFault({ ...fault, times: always })
        const failures = await Promise.all(
          calls.map(async ([name, call]) => [name, await call().catch((error: unknown) => error)]),
        )
        await store.controls.clearFaults()
        const wrong = failures.filter(([, error]) => !(error instanceof kind && reason.test(error.message)))
        expect(wrong).toEqual([])
        const errors = store.log.lines.map((line) => JSON.parse(line)).filter(({ level }) => level >= 50)
        const isKeyRefused = kind === PaymentsKeyRefusedError
        expect(errors.length >= calls.length).toBe(isKeyRefused)
        expect(new Set(errors.map(({ msg }) => msg))).toEqual(
          new Set(isKeyRefused ? ['Stripe refused the secret key'] : []),
        )
        expect((await store.stripe.events.list({ limit: 100 })).data).toHaveLength(before.data.length)
      } finally {
        await store.stop()
      }
    },
  )

  it.concurrent('fails with the reason when Stripe is unreachable', async () => {
    const store = await startStripeStore({ retries: 0 })
    const calls = await everyCall(store)
    await store.stop()
    for (const [name, error] of await Promise.all(
      calls.map(async ([name, call]) => [name, await call().catch((failure: unknown) => failure)] as const),
    )) {
      expect(isUnavailable(error, /^StripeConnectionError/), name).toBe(true)
    }
  })

  it.concurrent('succeeds when Stripe responds just before the timeout', async () => {
    const store = await startStripeStore({ timeoutMs: 5_000 })
    try {
      const customerId = await store.join()
      await store.controls.addFault({ kind: 'slow', delayMs: 50, times: 2 })
      await store.subscribe(customerId, store.monthly)
      expect((await newest(store.gateway, customerId)).status).toBe('active')
    } finally {
      await store.stop()
    }
  })

  it.concurrent.each([['server-error' as const], ['reset' as const], ['reset-after' as const]])(
    'succeeds when Stripe fails once: %s',
    async (kind) => {
      const store = await startStripeStore()
      try {
        const customerId = await store.join()
        const subscription = await store.subscribe(customerId, store.monthly)
        const { periodStartsAt: proratedAt } = subscription
        await store.controls.addFault({ kind, match: 'POST /v1/subscriptions/' })
        await store.gateway.changeNow(subscription, store.yearly.id, proratedAt)
        expect(await paidInvoices(store, customerId)).toEqual([499, 4_500])
      } finally {
        await store.stop()
      }
    },
  )
})

function isUnavailable(error: unknown, reason: RegExp): boolean {
  return error instanceof PaymentsUnavailableError && reason.test(error.message)
}

describe('a write whose response was lost', () => {
  let store: StripeStore
  beforeAll(async () => {
    store = await startStripeStore({ timeoutMs: 1_200, retries: 0 })
  })
  afterAll(() => store.stop())

  /** Loses the responses of a call and its retry by the SDK, then repeats the call. */
  async function repeatAfterLoss<T>(match: string, call: () => Promise<T>): Promise<T> {
    await store.controls.addFault({ kind: 'reset-after', match, times: 2 })
    await expect(call()).rejects.toThrow(PaymentsUnavailableError)
    return call()
  }

  it('creates one customer when repeated', async () => {
    const member = { memberId: 'mem_lost', appId: storeApp.id, email: 'lost@example.com' }
    const id = await repeatAfterLoss('POST /v1/customers', () => store.gateway.createCustomer(member))
    const { data } = await store.stripe.customers.list({ email: 'lost@example.com' })
    expect(data.map((customer) => customer.id)).toEqual([id])
  })

  it('charges a plan change once when repeated', async () => {
    const customerId = await store.join()
    const subscription = await store.subscribe(customerId, store.monthly)
    const { periodStartsAt: proratedAt } = subscription
    await repeatAfterLoss('POST /v1/subscriptions/', () =>
      store.gateway.changeNow(subscription, store.yearly.id, proratedAt),
    )
    expect(await paidInvoices(store, customerId)).toEqual([499, 4_500])
  })

  it('schedules a plan change once when repeated', async () => {
    const customerId = await store.join()
    const subscription = await store.subscribe(customerId, store.yearly)
    await repeatAfterLoss('POST /v1/subscription_schedules', () =>
      store.gateway.changeAtPeriodEnd(subscription, store.monthly.id),
    )
    const { data: schedules } = await store.stripe.subscriptionSchedules.list({ customer: customerId })
    expect(schedules).toHaveLength(1)
    expect((await newest(store.gateway, customerId)).schedule?.nextPriceId).toBe(store.monthly.id)
  })

  it('makes one refund when repeated', async () => {
    const customerId = await store.join()
    const subscription = await store.subscribe(customerId, store.monthly)
    const [payment] = await store.gateway.listPayments(subscription.latestInvoice?.id ?? '')
    await repeatAfterLoss('POST /v1/refunds', () => store.gateway.refund(refundOrder(payment?.id ?? '')))
    const { data: charges } = await store.stripe.charges.list({ customer: customerId })
    expect(charges.map(({ amount_refunded: refunded }) => refunded)).toEqual([499])
    expect((await store.stripe.refunds.list()).data).toHaveLength(1)
  })

  it('cancels a subscription when the SDK retries', async () => {
    const customerId = await store.join()
    const { id } = await store.subscribe(customerId, store.monthly)
    await store.controls.addFault({ kind: 'reset-after', match: 'DELETE /v1/subscriptions' })
    await store.gateway.cancelSubscription(id)
    expect((await newest(store.gateway, customerId)).status).toBe('canceled')
  })

  it('is an error when the response exceeds the timeout', async () => {
    const customerId = await store.join()
    await store.controls.addFault({ kind: 'timeout-after', match: 'POST /v1/customers' })
    await expect(store.gateway.updateEmail(customerId, 'late@example.com')).rejects.toThrow('timeout')
    expect(await store.stripe.customers.retrieve(customerId)).toMatchObject({ email: 'late@example.com' })
  })
})

describe('cancelAll', () => {
  it.concurrent.each([
    ['listing the checkouts', 'GET /v1/checkout/sessions'],
    ['expiring a checkout', 'POST /v1/checkout/sessions'],
    ['listing the subscriptions', 'GET /v1/subscriptions'],
    ['canceling a subscription', 'DELETE /v1/subscriptions'],
  ])('is completed by a second call after a failure at %s', async (_step, match) => {
    const store = await startStripeStore({ retries: 0 })
    try {
      const { gateway, controls, monthly } = store
      const customerId = await store.join()
      const paid = await store.subscribe(customerId, monthly)
      const { url } = await gateway.startCheckout({ ...orderOf(customerId, monthly), known: [paid] })
      await controls.addFault({ kind: 'server-error', match })
      await expect(gateway.cancelAll(customerId, storeSales, store.clock.now())).rejects.toThrow(
        PaymentsUnavailableError,
      )
      await gateway.cancelAll(customerId, storeSales, store.clock.now())
      expect((await controls.completeCheckout(url)).status).toBe('expired')
      expect((await newest(gateway, customerId)).status).toBe('canceled')
    } finally {
      await store.stop()
    }
  })

  it('cancels once under concurrent calls', async () => {
    const store = await startStripeStore()
    try {
      const { gateway, monthly } = store
      const customerId = await store.join()
      const paid = await store.subscribe(customerId, monthly)
      await gateway.startCheckout({ ...orderOf(customerId, monthly), known: [paid] })
      await Promise.all([1, 2, 3].map(() => gateway.cancelAll(customerId, storeSales, store.clock.now())))
      expect((await newest(gateway, customerId)).status).toBe('canceled')
    } finally {
      await store.stop()
    }
  })
})

it('an error from Stripe does not include the email address', async () => {
  const store = await startStripeStore()
  try {
    const failure = store.gateway.createCustomer({ memberId: 'm', appId: 'a', email: 'no address at all' })
    await expect(failure).rejects.toThrow(/^StripeInvalidRequestError/)
    await expect(failure).rejects.not.toThrow('no address at all')
  } finally {
    await store.stop()
  }
})

async function paidInvoices({ stripe }: StripeStore, customerId: string) {
  const { data } = await stripe.invoices.list({ customer: customerId, status: 'paid' })
  return data.map(({ amount_paid: amount }) => amount).reverse()
}
