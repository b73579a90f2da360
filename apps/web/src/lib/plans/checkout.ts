import type { MembershipClient } from '@tidings/client'
import type { Plan } from '@tidings/contracts/membership/plans'
import { ShownError } from '../api/error-text.ts'
import { type PlanKind, priceOfKind } from './plan-kinds.ts'

/** Where Stripe returns. The screen of a payment waits for the plan. */
type ReturnPaths = { paid: string; canceled: string }

/** Returns the path of the article whose wall led to a screen, from what the screen interrupted; null without one. */
export function articleOf(from: string | undefined): string | null {
  return /^\/viewgated\/[^/?#]+/.exec(from ?? '')?.[0] ?? null
}

/**
 * Starts the checkout of a plan and returns the address of its page. It returns to the article whose wall led to it, or
 * else to the dashboard.
 * @param cancelPath where a canceled checkout returns that no wall led to
 * @param from path that the login or the sign-up interrupted
 * @param shown plans whose price the page shows. Another price than that rejects with `price-changed`
 * @throws {ShownError | MembershipError}
 */
export async function startCheckout(
  client: MembershipClient,
  kind: PlanKind,
  cancelPath: string,
  { from, shown }: { from?: string | undefined; shown?: readonly Plan[] | undefined } = {},
): Promise<string> {
  const shownPrice = priceOfKind(shown ?? [], kind)
  const price = shownPrice ?? priceOfKind((await client.getPlans()).data, kind)
  if (price === undefined)
    throw new ShownError(`The ${kind} plan isn’t available right now. Try again later.`)
  const article = articleOf(from)
  const paths = {
    paid: `${article ?? '/account/dashboard'}?checkout=done`,
    canceled: article === null ? cancelPath : `${article}?checkout=canceled`,
  }
  return checkoutOf(client, price.id, paths, shownPrice)
}

/**
 * Starts the checkout of a price and returns the address of its page.
 * @param shownPrice the price as the page shows it
 * @throws {MembershipError}
 */
export async function checkoutOf(
  client: MembershipClient,
  priceId: string,
  { paid, canceled }: ReturnPaths,
  shownPrice?: Plan['prices'][number],
): Promise<string> {
  const { data } = await client.purchasePlansWithCheckout({
    priceId,
    ...(shownPrice && { shownPrice: { amount: shownPrice.amount, currency: shownPrice.currency } }),
    successUrl: `/#${paid}`,
    cancelUrl: `/#${canceled}`,
    autoRedirect: false,
  })
  return data.url
}
