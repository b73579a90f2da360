import type { FaultInput } from '@tidings/emulators/stripe/http/faults'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  monthlyPrice,
  newest,
  orderOf,
  pagesOf,
  type StripeShop,
  shopApp,
  shopSales,
  startStripeShop,
} from '#test/stripe-shop.ts'
import { PaymentsKeyRefusedError, PaymentsUnavailableError } from '../payment-gateway.ts'

const always = 1_000

function refundOrder(paymentId: string) {
  return { paymentId, invoiceId: 'in_1', reason: 'paid-twice', appId: 'app_1', memberId: null } as const
}
type ErrorKind = typeof PaymentsUnavailableError | typeof PaymentsKeyRefusedError

/** Every call that the site makes, as it would be made for a subscriber. */
async function everyCall(shop: StripeShop): Promise<[name: string, call: () => Promise<unknown>][]> {
  const { gateway, monthly, yearly, portalId } = shop
  const customerId = await shop.join()
  const subscription = await shop.subscribe(customerId, monthly)
  const visit = { customerId, configurationId: portalId, returnUrl: shopApp.siteUrl }
  return [
    ['createCustomer', () => gateway.createCustomer({ memberId: 'm', appId: 'a', email: 'm@example.com' })],
    ['findOwner', () => gateway.findOwner(customerId)],
    ['removeCustomer', () => gateway.removeCustomer(customerId)],
    ['changeEmail', () => gateway.changeEmail(customerId, 'new@example.com')],
    ['startCheckout', () => gateway.startCheckout(orderOf(customerId, monthly))],
    [
      'startCheckout with a code',
      () => gateway.startCheckout({ ...orderOf(customerId, monthly), coupon: 'A' }),
    ],
    ['openPortal', () => gateway.openPortal({ ...visit, destination: { kind: 'overview' } })],
    ['listSubscriptions', () => gateway.listSubscriptions(customerId, shopSales)],
    ['listAllSubscriptions', () => pagesOf(gateway.listAllSubscriptions(shopSales))],
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
    ['endEverything', () => gateway.endEverything(customerId, shopSales, shop.clock.now())],
    ['findDisputed', () => gateway.findDisputed('dp_1')],
    ['listDisputes', () => pagesOf(gateway.listDisputes())],
    ['hasPrice', () => gateway.hasPrice(monthly.id)],
    ['syncCatalogue', () => gateway.syncCatalogue(shopApp, [monthlyPrice], () => {})],
    ['syncPortal', () => gateway.syncPortal(shopApp, [monthly], portalId, () => {})],
  ]
}

describe('when Stripe', () => {
  const faults: [what: string, fault: FaultInput, told: RegExp, kind?: ErrorKind][] = [
    ['fails', { kind: 'server-error' }, /^StripeAPIError, status 500, req_\w+$/],
    ['is asked too much', { kind: 'rate-limit' }, /^StripeRateLimitError, rate_limit, status 429, req_\w+$/],
    ['does not answer', { kind: 'timeout-before' }, /^StripeConnectionError, timeout$/],
    ['hangs up', { kind: 'reset' }, /^StripeConnectionError, ECONNRESET$/],
    [
      'knows our key no more',
      { kind: 'unauthorized' },
      /^StripeAuthenticationError, status 401/,
      PaymentsKeyRefusedError,
    ],
    [
      'lets our key do less',
      { kind: 'forbidden' },
      /^StripePermissionError, status 403/,
      PaymentsKeyRefusedError,
    ],
  ]
  it.concurrent.each(faults)(
    '%s, every call says so, and nothing is done',
    async (_what, fault, told, kind: ErrorKind = PaymentsUnavailableError) => {
      // A busy machine takes its time for any other fault.
      const timeoutMs = fault.kind === 'timeout-before' ? 1_000 : 20_000
      const shop = await startStripeShop({ timeoutMs, retries: 0 })
      try {
        const calls = await everyCall(shop)
        const before = await shop.stripe.events.list({ limit: 100 })
        await shop.controls.addFault({ ...fault, times: always })
        const failures = await Promise.all(
          calls.map(async ([name, call]) => [name, await call().catch((error: unknown) => error)]),
        )
        await shop.controls.clearFaults()
        const wrong = failures.filter(([, error]) => !(error instanceof kind && told.test(error.message)))
        expect(wrong).toEqual([])
        const errors = shop.log.lines.map((line) => JSON.parse(line)).filter(({ level }) => level >= 50)
        const isKeyRefused = kind === PaymentsKeyRefusedError
        expect(errors.length >= calls.length).toBe(isKeyRefused)
        expect(new Set(errors.map(({ msg }) => msg))).toEqual(
          new Set(isKeyRefused ? ['Stripe refused the secret key'] : []),
        )
        expect((await shop.stripe.events.list({ limit: 100 })).data).toHaveLength(before.data.length)
      } finally {
        await shop.stop()
      }
    },
  )

  it.concurrent('is not there at all, every call says so', async () => {
    const shop = await startStripeShop({ retries: 0 })
    const calls = await everyCall(shop)
    await shop.stop()
    for (const [name, error] of await Promise.all(
      calls.map(async ([name, call]) => [name, await call().catch((failure: unknown) => failure)] as const),
    )) {
      expect(isUnavailable(error, /^StripeConnectionError/), name).toBe(true)
    }
  })

  it.concurrent('is slow but in time, the answer is right', async () => {
    const shop = await startStripeShop({ timeoutMs: 5_000 })
    try {
      const customerId = await shop.join()
      await shop.controls.addFault({ kind: 'slow', delayMs: 50, times: 2 })
      await shop.subscribe(customerId, shop.monthly)
      expect((await newest(shop.gateway, customerId)).status).toBe('active')
    } finally {
      await shop.stop()
    }
  })

  it.concurrent.each([['server-error' as const], ['reset' as const], ['reset-after' as const]])(
    'stumbles once (%s), nobody notices',
    async (kind) => {
      const shop = await startStripeShop()
      try {
        const customerId = await shop.join()
        const subscription = await shop.subscribe(customerId, shop.monthly)
        const { periodStartsAt: proratedAt } = subscription
        await shop.controls.addFault({ kind, match: 'POST /v1/subscriptions/' })
        await shop.gateway.changeNow(subscription, shop.yearly.id, proratedAt)
        expect(await paidInvoices(shop, customerId)).toEqual([499, 4_500])
      } finally {
        await shop.stop()
      }
    },
  )
})

function isUnavailable(error: unknown, told: RegExp): boolean {
  return error instanceof PaymentsUnavailableError && told.test(error.message)
}

describe('what was done although the answer never came', () => {
  let shop: StripeShop
  beforeAll(async () => {
    shop = await startStripeShop({ timeoutMs: 1_200, retries: 0 })
  })
  afterAll(() => shop.stop())

  /** The call's response is lost, also that of the SDK's own second try, and then it is made once more. */
  async function lostThenAgain<T>(match: string, call: () => Promise<T>): Promise<T> {
    await shop.controls.addFault({ kind: 'reset-after', match, times: 2 })
    await expect(call()).rejects.toThrow(PaymentsUnavailableError)
    return call()
  }

  it('a customer is the same one', async () => {
    const member = { memberId: 'mem_lost', appId: shopApp.id, email: 'lost@example.com' }
    const id = await lostThenAgain('POST /v1/customers', () => shop.gateway.createCustomer(member))
    const { data } = await shop.stripe.customers.list({ email: 'lost@example.com' })
    expect(data.map((customer) => customer.id)).toEqual([id])
  })

  it('a change is not charged twice', async () => {
    const customerId = await shop.join()
    const subscription = await shop.subscribe(customerId, shop.monthly)
    const { periodStartsAt: proratedAt } = subscription
    await lostThenAgain('POST /v1/subscriptions/', () =>
      shop.gateway.changeNow(subscription, shop.yearly.id, proratedAt),
    )
    expect(await paidInvoices(shop, customerId)).toEqual([499, 4_500])
  })

  it('a change that waits is waited for once', async () => {
    const customerId = await shop.join()
    const subscription = await shop.subscribe(customerId, shop.yearly)
    await lostThenAgain('POST /v1/subscription_schedules', () =>
      shop.gateway.changeAtPeriodEnd(subscription, shop.monthly.id),
    )
    const { data: schedules } = await shop.stripe.subscriptionSchedules.list({ customer: customerId })
    expect(schedules).toHaveLength(1)
    expect((await newest(shop.gateway, customerId)).schedule?.nextPriceId).toBe(shop.monthly.id)
  })

  it('a refund is not given twice', async () => {
    const customerId = await shop.join()
    const subscription = await shop.subscribe(customerId, shop.monthly)
    const [payment] = await shop.gateway.listPayments(subscription.latestInvoice?.id ?? '')
    await lostThenAgain('POST /v1/refunds', () => shop.gateway.refund(refundOrder(payment?.id ?? '')))
    const { data: charges } = await shop.stripe.charges.list({ customer: customerId })
    expect(charges.map(({ amount_refunded: refunded }) => refunded)).toEqual([499])
    expect((await shop.stripe.refunds.list()).data).toHaveLength(1)
  })

  it('a subscription that ended is ended, at the next try of the same call too', async () => {
    const customerId = await shop.join()
    const { id } = await shop.subscribe(customerId, shop.monthly)
    await shop.controls.addFault({ kind: 'reset-after', match: 'DELETE /v1/subscriptions' })
    await shop.gateway.cancelSubscription(id)
    expect((await newest(shop.gateway, customerId)).status).toBe('canceled')
  })

  it('a customer that was removed is removed', async () => {
    const customerId = await shop.join()
    await shop.controls.addFault({ kind: 'reset-after', match: 'DELETE /v1/customers' })
    await expect(shop.gateway.removeCustomer(customerId)).resolves.toBeUndefined()
  })

  it('an answer that comes too late counts as none', async () => {
    const customerId = await shop.join()
    await shop.controls.addFault({ kind: 'timeout-after', match: 'POST /v1/customers' })
    await expect(shop.gateway.changeEmail(customerId, 'late@example.com')).rejects.toThrow('timeout')
    expect(await shop.stripe.customers.retrieve(customerId)).toMatchObject({ email: 'late@example.com' })
  })
})

describe('ending everything', () => {
  it.concurrent.each([
    ['listing the checkouts', 'GET /v1/checkout/sessions'],
    ['closing a checkout', 'POST /v1/checkout/sessions'],
    ['listing the subscriptions', 'GET /v1/subscriptions'],
    ['ending a subscription', 'DELETE /v1/subscriptions'],
  ])('that stops at %s is finished by another call', async (_step, match) => {
    const shop = await startStripeShop({ retries: 0 })
    try {
      const { gateway, controls, monthly } = shop
      const customerId = await shop.join()
      const paid = await shop.subscribe(customerId, monthly)
      const { url } = await gateway.startCheckout({ ...orderOf(customerId, monthly), known: [paid] })
      await controls.addFault({ kind: 'server-error', match })
      await expect(gateway.endEverything(customerId, shopSales, shop.clock.now())).rejects.toThrow(
        PaymentsUnavailableError,
      )
      await gateway.endEverything(customerId, shopSales, shop.clock.now())
      expect((await controls.completeCheckout(url)).status).toBe('expired')
      expect((await newest(gateway, customerId)).status).toBe('canceled')
    } finally {
      await shop.stop()
    }
  })

  it('by two at once ends it once', async () => {
    const shop = await startStripeShop()
    try {
      const { gateway, monthly } = shop
      const customerId = await shop.join()
      const paid = await shop.subscribe(customerId, monthly)
      await gateway.startCheckout({ ...orderOf(customerId, monthly), known: [paid] })
      await Promise.all([1, 2, 3].map(() => gateway.endEverything(customerId, shopSales, shop.clock.now())))
      expect((await newest(gateway, customerId)).status).toBe('canceled')
    } finally {
      await shop.stop()
    }
  })
})

it('what Stripe refuses is told without the address that it quotes', async () => {
  const shop = await startStripeShop()
  try {
    const failure = shop.gateway.createCustomer({ memberId: 'm', appId: 'a', email: 'no address at all' })
    await expect(failure).rejects.toThrow(/^StripeInvalidRequestError/)
    await expect(failure).rejects.not.toThrow('no address at all')
  } finally {
    await shop.stop()
  }
})

async function paidInvoices({ stripe }: StripeShop, customerId: string) {
  const { data } = await stripe.invoices.list({ customer: customerId, status: 'paid' })
  return data.map(({ amount_paid: amount }) => amount).reverse()
}
