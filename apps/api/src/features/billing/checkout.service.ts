import type {
  PaymentGateway,
  PortalDestination,
  Subscription,
} from '../../integrations/payments/payment-gateway.ts'
import type { Database } from '../../platform/database.ts'
import type { Logger } from '../../platform/logger.ts'
import type { MembershipApp } from '../../platform/membership-apps/membership-apps.ts'
import { findMember, MemberNotFoundError, type MemberRow } from '../members/index.ts'
import { AlreadyHavePlanError, countHolders, PlanFullError } from '../plans/index.ts'
import {
  NoBillingAccountError,
  PaymentsNotSetUpError,
  PriceNoLongerAvailableError,
} from './billing.errors.ts'
import { findCurrentPrice, findPortalConfiguration, type PriceRow, readPrices } from './billing.repository.ts'
import { findOffer, isUpToDate } from './catalogue.ts'
import { chooseLiving, isInOrder } from './connections.ts'
import type { PaymentCustomers } from './customers.service.ts'
import { chooseDestination } from './destinations.ts'
import { orTellMember } from './gateway-failures.ts'

type Deps = {
  database: Database
  gateway: PaymentGateway
  customers: PaymentCustomers
  logger: Logger
  siteUrl: URL
}

/** Where a page wants its member to come back to. */
type Address = string | null | undefined

export type CheckoutService = {
  /** Where a member pays for a price: the checkout, or for a subscriber the page that confirms the change. */
  start(
    app: MembershipApp,
    memberId: string,
    order: {
      priceId: string
      couponId?: Address
      success_url?: Address
      cancel_url?: Address
      origin_url?: Address
    },
  ): Promise<{ url: string }>
  /** Where a member manages what they pay. */
  openPortal(
    app: MembershipApp,
    memberId: string,
    visit: { return_url?: Address; origin_url?: Address },
  ): Promise<{ url: string }>
  /** The sold price of an offered one, as everybody who sells looks it up. Throws `price-no-longer-available`. */
  findSold(app: MembershipApp, priceId: string): Promise<PriceRow>
  /** Throws `plan-member-limit-reached` when as many members as may hold the plan do. */
  refuseWhenFull(app: MembershipApp, planId: string): Promise<void>
}

/** The way to the payment service's own pages. */
export function createCheckoutService(deps: Deps): CheckoutService {
  const { database, gateway, customers, logger, siteUrl } = deps

  async function findSold(app: MembershipApp, priceId: string): Promise<PriceRow> {
    if (!gateway.isSetUp) throw new PaymentsNotSetUpError()
    const offer = findOffer(app, priceId)
    // What is paid once has no subscription to follow, so nobody is let pay for it.
    if (offer === null || offer.price.type !== 'SUBSCRIPTION') throw new PriceNoLongerAvailableError()
    const sold = await findCurrentPrice(database.db, app.id, priceId)
    if (sold !== null && isUpToDate(offer.price, sold)) return sold
    logger.error({ appId: app.id, priceId }, 'a price is configured and not sold: run `payments sync`')
    // Throws when nothing was ever brought there.
    await configurationOf(app)
    throw new PriceNoLongerAvailableError()
  }

  async function findRow(memberId: string): Promise<MemberRow> {
    const row = await findMember(database.db, memberId)
    if (row === null) throw new MemberNotFoundError()
    return row
  }

  async function configurationOf(app: MembershipApp): Promise<string> {
    const configurationId = await findPortalConfiguration(database.db, app.id)
    if (configurationId === null) throw new PaymentsNotSetUpError()
    return configurationId
  }

  async function refuseWhenFull(app: MembershipApp, planId: string): Promise<void> {
    const limit = app.plansById.get(planId)?.memberLimit ?? null
    if (limit === null) return
    const holders = await database.transaction((tx) => countHolders(tx, app.id, planId))
    if (holders >= limit) throw new PlanFullError()
  }

  return {
    findSold,
    refuseWhenFull,
    async start(app, memberId, order) {
      const allowed = { origins: app.origins, siteUrl }
      const { success_url, cancel_url, origin_url } = order
      const origin = ['origin_url', origin_url] as const
      const successUrl = chooseDestination([['success_url', success_url], origin], allowed)
      const cancelUrl = chooseDestination([['cancel_url', cancel_url], origin], allowed)
      const sold = await findSold(app, order.priceId)
      const member = await findRow(memberId)
      return await orTellMember(
        customers.withCustomer(member, async (customerId) => {
          // What is stored may lag behind what was paid a moment ago.
          const living = chooseLiving(await gateway.listSubscriptions(customerId))
          if (living !== null) {
            const held = (await readPrices(database.db, app.id)).get(living.priceId)
            // Who owes for it is led to where it can be paid.
            if (held?.priceId === sold.priceId && isInOrder(living)) throw new AlreadyHavePlanError()
            if (held?.planId !== sold.planId) await refuseWhenFull(app, sold.planId)
            return await gateway.openPortal({
              customerId,
              configurationId: await configurationOf(app),
              returnUrl: cancelUrl,
              destination: changeOf(living, sold, successUrl),
            })
          }
          await refuseWhenFull(app, sold.planId)
          return await gateway.startCheckout({
            ...{ customerId, memberId, appId: app.id, priceId: sold.id, successUrl, cancelUrl },
            coupon: order.couponId ? order.couponId : null,
          })
        }),
      )
    },
    async openPortal(app, memberId, { return_url, origin_url }) {
      if (!gateway.isSetUp) throw new PaymentsNotSetUpError()
      const returnUrl = chooseDestination(
        [
          ['return_url', return_url],
          ['origin_url', origin_url],
        ],
        { origins: app.origins, siteUrl },
      )
      const member = await findRow(memberId)
      if (member.stripeCustomerId === null) throw new NoBillingAccountError()
      const configurationId = await configurationOf(app)
      return await orTellMember(
        customers.withCustomer(member, (customerId) =>
          gateway.openPortal({ customerId, configurationId, returnUrl, destination: { kind: 'overview' } }),
        ),
      )
    },
  }
}

/** Confirming the change; what ends or is owed has to be resumed or paid first, which the portal's first page offers. */
function changeOf(subscription: Subscription, sold: PriceRow, doneUrl: string): PortalDestination {
  const goesOn = isInOrder(subscription) && subscription.endsAt === null
  return goesOn ? { kind: 'change', subscription, priceId: sold.id, doneUrl } : { kind: 'overview' }
}
