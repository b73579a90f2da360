import type { planChangeByPriceReply, planChangePreviewReply } from '@tidings/contracts/membership/billing'
import type { planChangeReply } from '@tidings/contracts/membership/plans'
import type { SessionStore } from '../session/session-store.ts'
import type { DataOf, Reply } from '../wire/replies.ts'
import type { Send } from './request.ts'

type PlanChange = DataOf<typeof planChangeReply>
type PriceChange = DataOf<typeof planChangeByPriceReply>
type ChangeTerms = DataOf<typeof planChangePreviewReply>
type Destination = { url: string }

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
  async function change<Change extends PlanChange>(
    path: '/member/plans/add' | '/member/plans/remove' | '/member/plans/change',
    body: { planId: string } | ({ priceId: string } & Partial<ChangeTerms>),
  ): Promise<Reply<Change>> {
    const start = session.begin()
    const reply = await send<Change>('POST', path, { body })
    session.change(() => reply.data.member, start)
    return reply
  }

  return {
    /** Adds a free plan. */
    addPlan({ planId }: { planId: string }): Promise<Reply<PlanChange>> {
      return change('/member/plans/add', { planId })
    },

    /** Removes a free plan. */
    removePlan({ planId }: { planId: string }): Promise<Reply<PlanChange>> {
      return change('/member/plans/remove', { planId })
    },

    /**
     * Changes a paid plan to another price: an upgrade at once, otherwise at the end of the paid period. With the `terms` of
     * a preview it rejects with `price-changed` and the new `terms` if they have changed.
     */
    changePlan({ priceId, terms }: { priceId: string; terms?: ChangeTerms }): Promise<Reply<PriceChange>> {
      if (terms === undefined) return change('/member/plans/change', { priceId })
      const { amountDue, currency, proratedAt, renewalAmount } = terms
      return change('/member/plans/change', { priceId, amountDue, currency, proratedAt, renewalAmount })
    },

    /** Returns the terms of a change: when it takes effect, and the amounts due now and later. */
    previewPlanChange({ priceId }: { priceId: string }): Promise<Reply<ChangeTerms>> {
      return send('POST', '/member/plans/change/preview', { body: { priceId } })
    },

    /** Starts the checkout of a price and opens it. */
    async purchasePlansWithCheckout(params: CheckoutParams): Promise<Reply<Destination>> {
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
      const reply = await send<Destination>('POST', '/member/plans/create-checkout-session', { body })
      if (autoRedirect !== false) location.assign(reply.data.url)
      return reply
    },

    /** Opens the billing portal. */
    async launchStripeCustomerPortal(params: PortalParams = {}): Promise<Reply<Destination>> {
      const { priceIds, configuration, returnUrl, autoRedirect } = params
      const body = {
        priceIds,
        configuration,
        return_url: absolute(returnUrl),
        origin_url: location.href,
      }
      const reply = await send<Destination>('POST', '/member/create-billing-portal-session', { body })
      if (autoRedirect !== false) location.assign(reply.data.url)
      return reply
    },
  }
}

function absolute(address: string | undefined): string | undefined {
  return address === undefined ? undefined : new URL(address, location.href).href
}
