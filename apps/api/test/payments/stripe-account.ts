import type Stripe from 'stripe'
import type { TestMember } from '../membership.ts'
import type { PaymentSite } from '../sites/payment-site.ts'

type Member = Pick<TestMember, 'memberId'>

/** Creates what Stripe's dashboard shows and changes of paying members. */
export function createStripeAccount({ site, stripe, controls }: PaymentSite) {
  async function customerOf({ memberId }: Member): Promise<string> {
    const { db } = site.context.database
    const { stripeCustomerId } = await db.member.findUniqueOrThrow({ where: { id: memberId } })
    if (stripeCustomerId === null) throw new Error('The member is no customer yet.')
    return stripeCustomerId
  }

  /** Returns all of a member's subscriptions at Stripe, newest first. */
  async function subscriptionsOf(member: Member): Promise<Stripe.Subscription[]> {
    const customer = await customerOf(member)
    return (await stripe.subscriptions.list({ customer, status: 'all', limit: 100 })).data
  }

  async function subscriptionOf(member: Member): Promise<Stripe.Subscription> {
    const [newest] = await subscriptionsOf(member)
    if (newest === undefined) throw new Error('The member has no subscription.')
    return newest
  }

  return {
    customerOf,
    subscriptionsOf,
    subscriptionOf,
    /** Returns the events about a customer, oldest first. */
    async eventsOf(customer: string): Promise<Stripe.Event[]> {
      const events = await stripe.events.list({ limit: 100 }).autoPagingToArray({ limit: 10_000 })
      return events.filter((event) => JSON.stringify(event.data.object).includes(customer)).reverse()
    },
    /** Cancels all subscriptions without events, so that later renewals of the site leave them out. */
    async cancelAll(): Promise<void> {
      await controls.setWebhooks({ mode: 'off' })
      for await (const { id } of stripe.subscriptions.list({ limit: 100 })) {
        await stripe.subscriptions.cancel(id)
      }
      await controls.setWebhooks({ mode: 'on' })
    },
    /** Cancels a member's newest subscription in the dashboard. */
    async cancelAtStripe(member: Member): Promise<void> {
      await stripe.subscriptions.cancel((await subscriptionOf(member)).id)
    },
    /** Makes a test card the default of a member. */
    async changeCard(member: Member, card: string): Promise<void> {
      const customer = await customerOf(member)
      const { id } = await stripe.paymentMethods.attach(card, { customer })
      await stripe.customers.update(customer, { invoice_settings: { default_payment_method: id } })
      for (const subscription of await subscriptionsOf(member)) {
        if (subscription.ended_at !== null) continue
        await stripe.subscriptions.update(subscription.id, { default_payment_method: id })
      }
    },
    /** Returns the id of a member's latest charge. */
    async chargeOf(member: Member): Promise<string> {
      const { data } = await stripe.charges.list({ customer: await customerOf(member), limit: 1 })
      const [charge] = data
      if (charge === undefined) throw new Error('The member has no charge.')
      return charge.id
    },
    /** Returns the refunded amount of each of a customer's payments, oldest first. */
    async refundedOf(customer: string): Promise<number[]> {
      const { data } = await stripe.charges.list({ customer, limit: 100 })
      return data
        .filter(({ status }) => status === 'succeeded')
        .map(({ amount_refunded: refunded }) => refunded)
        .reverse()
    },
  }
}
