import { type StripeAdmin, stripeAdmin } from '@tidings/emulators/stripe/admin/client'
import { startEmulator, testNow } from '@tidings/emulators/stripe/testing/start-emulator'
import type Stripe from 'stripe'
import { test, vi } from 'vitest'
import { createLazyPaymentGateway } from '#integrations/payments/lazy-payment-gateway.ts'
import type {
  CatalogPrice,
  OwnSales,
  PaymentGateway,
  SoldPrice,
  Subscription,
} from '#integrations/payments/payment-gateway.ts'
import { createStripePaymentGateway } from '#integrations/payments/stripe/stripe-payment-gateway.ts'
import { createCapturedLog } from '../captured-log.ts'
import { createFixedClock } from '../factories/fixed-clock.ts'
import { waitOptions } from '../wait-options.ts'

export const storeApp = { id: 'app_store', name: 'Tidings', siteUrl: 'https://tidings.example' }
export const storeSales: OwnSales = {
  appIds: new Set([storeApp.id]),
  productIds: new Set([`pln_monthly-${storeApp.id}`, `pln_yearly-${storeApp.id}`]),
}
const webhookSecret = 'whsec_of_the_store'

export const monthlyPrice: CatalogPrice = {
  planId: 'pln_monthly',
  priceId: 'prc_monthly',
  planName: 'Monthly',
  planDescription: 'Every edition, month by month',
  amount: 499,
  currency: 'usd',
  interval: 'monthly',
}
export const yearlyPrice: CatalogPrice = {
  ...monthlyPrice,
  planId: 'pln_yearly',
  priceId: 'prc_yearly',
  planName: 'Yearly',
  planDescription: null,
  amount: 4_999,
  interval: 'yearly',
}

type StoreOptions = {
  timeoutMs?: number
  retries?: number
  /** Stripe's action after the last retry of a payment; `cancel` by default. */
  afterLastRetry?: 'past_due'
}
export type StripeStore = Awaited<ReturnType<typeof startStripeStore>>

/** Starts an emulator and a gateway to it, with a monthly and a yearly plan. Retries as in production by default. */
async function startStripeStore({ timeoutMs, retries, afterLastRetry }: StoreOptions = {}) {
  const emulator = await startEmulator({ afterLastRetry })
  const { stripe, url } = emulator
  const controls: StripeAdmin = stripeAdmin(url)
  const clock = createFixedClock(testNow())
  const log = createCapturedLog()
  const settings = {
    secretKey: 'sk_test_tidings_local',
    webhookSecrets: [webhookSecret],
    clock,
    logger: log.logger,
    findStored: async () => null,
  }
  const gatewayWith = (given: { tax?: 'exclusive' | 'inclusive' | null; secretKey?: string } = {}) =>
    createLazyPaymentGateway(async () =>
      createStripePaymentGateway({ ...settings, apiUrl: new URL(url), timeoutMs, retries, ...given }),
    )
  const gateway = gatewayWith()
  const sold = await gateway.syncCatalog(storeApp, [monthlyPrice, yearlyPrice], () => {})
  const [monthly, yearly] = [monthlyPrice, yearlyPrice].map((price) => soldAs(sold, price))
  if (!monthly || !yearly) throw new Error('The store sells nothing')
  const portalId = await gateway.syncPortal(storeApp, null)
  let members = 0

  return {
    gateway,
    gatewayWith,
    controls,
    clock,
    stripe,
    monthly,
    yearly,
    portalId,
    log,
    url,
    /** Creates a customer and returns its id. */
    async join(): Promise<string> {
      members += 1
      const memberId = `mem_${members}`
      return gateway.createCustomer({ memberId, appId: storeApp.id, email: `${memberId}@example.com` })
    },
    /** Subscribes a customer through a checkout. */
    async subscribe(customerId: string, price: SoldPrice): Promise<Subscription> {
      const { url: page } = await gateway.startCheckout({
        ...orderOf(customerId, price),
        known: await gateway.listSubscriptions(customerId, storeSales),
      })
      await controls.completeCheckout(page)
      return newest(gateway, customerId)
    },
    /** Creates another price of a plan, of the plan's own interval. */
    async reprice({ productId }: SoldPrice, amount: number): Promise<Stripe.Price> {
      const interval = productId === yearly.productId ? 'year' : 'month'
      const terms = { currency: 'usd', unit_amount: amount, recurring: { interval } } as const
      return await stripe.prices.create({ product: productId, ...terms })
    },
    /** Slows the next matching call down, starts it and waits until Stripe has received it. */
    async startLate(
      fault: { match: string; about: string },
      call: () => Promise<unknown>,
    ): Promise<{ failure: Promise<unknown> }> {
      await controls.addFault({ kind: 'slow', ...fault, delayMs: 1_500 })
      const failure = call().catch((error: unknown) => error)
      await vi.waitFor(async () => {
        if ((await controls.countFaults()) > 0) throw new Error('Still to come.')
      }, waitOptions)
      return { failure }
    },
    /** Advances Stripe's clock and ours. */
    async pass(days: number): Promise<void> {
      await controls.advanceTime(days * 86_400)
      clock.pass(days * 86_400_000)
    },
    stop: emulator.stop,
  }
}

/** Returns the `it` of a file whose tests share one store. `ownStore` is the test's own, for time that passes. */
export function storeTest() {
  const start = async (
    { options }: { options: StoreOptions },
    { onCleanup }: { onCleanup: (stop: () => Promise<void>) => void },
  ) => {
    const store = await startStripeStore(options)
    onCleanup(() => store.stop())
    return store
  }
  return test
    .extend('options', { scope: 'file' }, (): StoreOptions => ({}))
    .extend('store', { scope: 'file' }, start)
    .extend('ownStore', start)
}

export function orderOf(customerId: string, price: SoldPrice) {
  return {
    customerId,
    memberId: 'mem_1',
    appId: storeApp.id,
    priceId: price.id,
    coupon: null,
    successUrl: 'https://tidings.example/paid',
    cancelUrl: 'https://tidings.example/plans',
    number: 1,
    known: [],
    own: storeSales,
  }
}

/** Returns a customer's newest subscription. */
export async function newest(gateway: PaymentGateway, customerId: string): Promise<Subscription> {
  const subscription = (await gateway.listSubscriptions(customerId, storeSales)).at(-1)
  if (!subscription) throw new Error(`${customerId} has no subscription`)
  return subscription
}

/** Collects all pages of a list. */
export async function pagesOf<Page>(pages: AsyncIterable<Page>): Promise<Page[]> {
  const all: Page[] = []
  for await (const page of pages) all.push(page)
  return all
}

function soldAs(sold: (SoldPrice & { isCurrent: boolean })[], { priceId }: CatalogPrice) {
  return sold.find((price) => price.isCurrent && price.priceId === priceId)
}

/** Returns a new customer with a paid subscription. */
export async function subscribed(store: StripeStore, price = store.monthly) {
  const customerId = await store.join()
  return { customerId, subscription: await store.subscribe(customerId, price) }
}

/** Returns a new customer whose subscription has a discount. */
export async function subscribedWith(
  store: StripeStore,
  coupon: Stripe.CouponCreateParams,
  price = store.monthly,
) {
  const customerId = await store.join()
  const { id } = await store.stripe.coupons.create({ ...coupon, metadata: { public: 'true' } })
  const { url } = await store.gateway.startCheckout({ ...orderOf(customerId, price), coupon: id })
  await store.controls.completeCheckout(url)
  return { customerId, subscription: await newest(store.gateway, customerId) }
}

/** Sets the subscription's card to one that is declined or requires authentication. */
export async function useCard(store: StripeStore, { id, customerId }: Subscription, card: string) {
  const method = await store.stripe.paymentMethods.attach(card, { customer: customerId })
  await store.stripe.subscriptions.update(id, { default_payment_method: method.id })
}

/** Returns the amounts of the paid invoices, oldest first. */
export async function paidInvoices(store: StripeStore, customerId: string) {
  const { data } = await store.stripe.invoices.list({ customer: customerId, status: 'paid' })
  return data.map(({ amount_paid: amount }) => amount).reverse()
}
