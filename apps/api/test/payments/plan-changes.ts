import { planChangeByPriceReply, planChangePreviewReply } from '@tidings/contracts/membership/billing'
import { addPlans } from '../factories/app-settings.ts'
import { paymentTest } from '../fixtures.ts'
import type { TestMember } from '../membership.ts'
import type { TestApp } from '../test-app.ts'

/** A yearly price above those of the site. */
export const grandPrice = 'prc_grand'

/** Adds a plan with the grand price and syncs it to Stripe. */
export async function addGrandPlan(site: TestApp): Promise<void> {
  const price = { id: grandPrice, amount: 99.99, currency: 'usd', interval: 'YEARLY' as const }
  await addPlans(site, [{ id: 'pln_grand', name: 'Grand', permissions: ['grand'], prices: [price] }])
  await site.context.syncCatalog(() => {})
}

/**
 * Returns the `it` of a file about plan changes, with subscribers and their calls.
 * `newLogins` logs in before each call, for tests in which sessions expire.
 */
export function planChangeTest({ newLogins = false } = {}) {
  return (
    paymentTest()
      .extend('subscriber', { scope: 'file' }, ({ actions }) => actions.subscriber)
      /** Calls a plan endpoint as a member. */
      .extend(
        'call',
        { scope: 'file' },
        ({ members }) =>
          async (endpoint: string, member: TestMember, priceId: string, terms: object = {}) => {
            const { email } = member
            const headers = newLogins ? members.headersOf(await members.logIn({ email })) : member.headers
            const body = { priceId, ...terms }
            return await members.call('POST', `/member/plans/${endpoint}`, { headers, body })
          },
      )
      .extend('preview', { scope: 'file' }, ({ call }) => async (member: TestMember, priceId: string) => {
        return planChangePreviewReply.parse((await call('change/preview', member, priceId)).json())
      })
      .extend('change', { scope: 'file' }, ({ call }) => async (member: TestMember, priceId: string) => {
        return planChangeByPriceReply.parse((await call('change', member, priceId)).json())
      })
      /** Returns a member's successful charges in cents, newest first. */
      .extend(
        'chargesOf',
        { scope: 'file' },
        ({ actions, stripe }) =>
          async (member: TestMember): Promise<number[]> => {
            const customer = await actions.customerOf(member)
            const { data } = await stripe.charges.list({ customer, limit: 100 })
            return data.filter(({ status }) => status === 'succeeded').map(({ amount }) => amount)
          },
      )
      /** Returns the prices of a member's plans. */
      .extend('pricesOf', { scope: 'file' }, ({ payments }) => async (member: TestMember) => {
        return (await payments.memberOf(member)).planConnections.map(({ payment }) => payment?.priceId)
      })
  )
}
