import type { MembershipClient } from '@tidings/client'
import { ShownError } from '../error-text.ts'
import { type PlanKind, priceOfKind } from './plan-kinds.ts'

/** Where Stripe returns. The screen of a payment waits for the plan. */
type ReturnPaths = { paid: string; canceled: string }

/**
 * Starts the checkout of a plan and returns the address of its page. A payment returns to the dashboard.
 * @param cancelPath where a canceled checkout returns
 * @throws {ShownError | MembershipError}
 */
export async function startCheckout(
  client: MembershipClient,
  kind: PlanKind,
  cancelPath: string,
): Promise<string> {
  const { data: plans } = await client.getPlans()
  const price = priceOfKind(plans, kind)
  if (price === undefined)
    throw new ShownError(`The ${kind} plan isn't available right now. Try again later.`)
  return checkoutOf(client, price.id, { paid: '/account/dashboard?checkout=done', canceled: cancelPath })
}

/**
 * Starts the checkout of a price and returns the address of its page.
 * @throws {MembershipError}
 */
export async function checkoutOf(
  client: MembershipClient,
  priceId: string,
  { paid, canceled }: ReturnPaths,
): Promise<string> {
  const { data } = await client.purchasePlansWithCheckout({
    priceId,
    successUrl: `/#${paid}`,
    cancelUrl: `/#${canceled}`,
    autoRedirect: false,
  })
  return data.url
}
