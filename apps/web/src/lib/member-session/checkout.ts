import type { MembershipClient } from '@tidings/client'
import { ShownError } from '../error-text.ts'
import { type PlanKind, priceOfKind } from './plan-kinds.ts'

/** Where Stripe returns after a payment: the dashboard, which waits for the plan. */
const paidPath = '/account/dashboard?checkout=done'

/**
 * Starts the checkout of a plan and returns the address of its page.
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
  const { data } = await client.purchasePlansWithCheckout({
    priceId: price.id,
    successUrl: `/#${paidPath}`,
    cancelUrl: `/#${cancelPath}`,
    autoRedirect: false,
  })
  return data.url
}
