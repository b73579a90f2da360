import type { PlanChangeTerms } from '@tidings/contracts/membership/billing'
import type { Member } from '@tidings/contracts/membership/members'
import * as routes from '@tidings/contracts/membership/routes'
import type { SessionStore } from '../session/session-store.ts'
import type { Reply } from '../wire/replies.ts'
import type { Send } from './request.ts'

type CheckoutParams = {
  priceId: string
  couponId?: string
  /** The price that the page shows. If it isn't the price any more, the call rejects with `price-changed`. */
  shownPrice?: { amount: number; currency: string }
  /** Where the browser returns, absolute or relative to the page. */
  successUrl?: string
  /** Where the browser returns after a canceled checkout; by default the current page. */
  cancelUrl?: string
  /** Whether to open the checkout at once; true by default. */
  autoRedirect?: boolean
}

type PortalParams = {
  /** The prices that the portal offers. */
  priceIds?: string[]
  configuration?: Record<string, unknown>
  /** Where the browser returns, absolute or relative to the page. */
  returnUrl?: string
  /** Whether to open the portal at once; true by default. */
  autoRedirect?: boolean
}

export function createPlanCalls({ send, session }: { send: Send; session: SessionStore }) {
  async function change<Changed extends { member: Member }>(call: () => Promise<Reply<Changed>>) {
    const start = session.begin()
    const reply = await call()
    session.change(() => reply.data.member, start)
    return reply
  }

  return {
    /** Adds a free plan. */
    addPlan({ planId }: { planId: string }) {
      return change(() => send(routes.addPlan, { body: { planId } }))
    },

    /** Removes a free plan. */
    removePlan({ planId }: { planId: string }) {
      return change(() => send(routes.removePlan, { body: { planId } }))
    },

    /**
     * Changes a paid plan to another price: an upgrade at once, otherwise at the end of the paid period. With the `terms` of
     * a preview it rejects with `price-changed` and the new `terms` if they have changed.
     */
    changePlan({ priceId, terms }: { priceId: string; terms?: PlanChangeTerms }) {
      const { amountDue, currency, proratedAt, renewalAmount } = terms ?? {}
      const body = { priceId, amountDue, currency, proratedAt, renewalAmount }
      return change(() => send(routes.changePlan, { body }))
    },

    /** Returns the terms of a change: when it takes effect, and the amounts due now and later. */
    previewPlanChange({ priceId }: { priceId: string }) {
      return send(routes.previewPlanChange, { body: { priceId } })
    },

    /** Starts the checkout of a price and opens it. */
    async purchasePlansWithCheckout(params: CheckoutParams) {
      const { priceId, couponId, shownPrice, successUrl, cancelUrl = location.href, autoRedirect } = params
      const body = {
        priceId,
        couponId,
        shownAmount: shownPrice?.amount,
        shownCurrency: shownPrice?.currency,
        success_url: absolute(successUrl),
        cancel_url: absolute(cancelUrl),
        origin_url: location.href,
      }
      const reply = await send(routes.startCheckout, { body })
      if (autoRedirect !== false) location.assign(reply.data.url)
      return reply
    },

    /** Opens the billing portal. */
    async launchStripeCustomerPortal(params: PortalParams = {}) {
      const { priceIds, configuration, returnUrl, autoRedirect } = params
      const body = {
        priceIds,
        configuration,
        return_url: absolute(returnUrl),
        origin_url: location.href,
      }
      const reply = await send(routes.openBillingPortal, { body })
      if (autoRedirect !== false) location.assign(reply.data.url)
      return reply
    },
  }
}

function absolute(address: string | undefined): string | undefined {
  return address === undefined ? undefined : new URL(address, location.href).href
}
