import type { planChangeByPriceReply, planChangePreviewReply } from '@tidings/contracts/billing'
import type { planChangeReply } from '@tidings/contracts/plans'
import type { DataOf, Reply } from './replies.ts'
import type { Send } from './request.ts'
import type { SessionStore } from './session-store.ts'

type PlanChange = DataOf<typeof planChangeReply>
type PriceChange = DataOf<typeof planChangeByPriceReply>
type ChangeTerms = DataOf<typeof planChangePreviewReply>
type Destination = { url: string }

type CheckoutParams = {
  priceId: string
  couponId?: string
  /** Where to come back to, absolute or from the present page. */
  successUrl?: string
  /** The same after giving up; the present page when not named. */
  cancelUrl?: string
  /** Whether the page leaves for the checkout at once; it does unless told not to. */
  autoRedirect?: boolean
}

type PortalParams = {
  /** Prices that the portal offers. */
  priceIds?: string[]
  configuration?: Record<string, unknown>
  /** Where to come back to, absolute or from the present page. */
  returnUrl?: string
  /** Whether the page leaves for the portal at once; it does unless told not to. */
  autoRedirect?: boolean
}

/** The calls about the plans that a member holds. */
export function createPlanCalls({ send, session }: { send: Send; session: SessionStore }) {
  async function change<Change extends PlanChange>(
    path: '/member/plans/add' | '/member/plans/remove' | '/member/plans/change',
    body: { planId: string } | ({ priceId: string } & Partial<ChangeTerms>),
  ): Promise<Reply<Change>> {
    const begun = session.begin()
    const reply = await send<Change>('POST', path, { body })
    session.change(() => reply.data.member, begun)
    return reply
  }

  return {
    /** Takes a free plan. */
    addPlan({ planId }: { planId: string }): Promise<Reply<PlanChange>> {
      return change('/member/plans/add', { planId })
    },

    /** Gives a free plan back. */
    removePlan({ planId }: { planId: string }): Promise<Reply<PlanChange>> {
      return change('/member/plans/remove', { planId })
    },

    /**
     * Changes a paid plan to another price: at once when upgrading, at the end of what is paid otherwise. With the
     * `terms` of a preview it is made on these terms or not at all: the error `price-changed` then has the new `terms`.
     */
    changePlan({ priceId, terms }: { priceId: string; terms?: ChangeTerms }): Promise<Reply<PriceChange>> {
      if (terms === undefined) return change('/member/plans/change', { priceId })
      const { amountDue, currency, proratedAt, renewalAmount } = terms
      return change('/member/plans/change', { priceId, amountDue, currency, proratedAt, renewalAmount })
    },

    /** Returns the terms of a change, and changes nothing: when it takes effect, and what is charged now and later. */
    previewPlanChange({ priceId }: { priceId: string }): Promise<Reply<ChangeTerms>> {
      return send('POST', '/member/plans/change/preview', { body: { priceId } })
    },

    /** Starts the checkout of a price and leaves for it. */
    async purchasePlansWithCheckout(params: CheckoutParams): Promise<Reply<Destination>> {
      const { priceId, couponId, successUrl, cancelUrl = location.href, autoRedirect } = params
      const body = {
        priceId,
        couponId,
        success_url: absolute(successUrl),
        cancel_url: absolute(cancelUrl),
        origin_url: location.href,
      }
      const reply = await send<Destination>('POST', '/member/plans/create-checkout-session', { body })
      if (autoRedirect !== false) location.assign(reply.data.url)
      return reply
    },

    /** Opens the billing portal and leaves for it. */
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
