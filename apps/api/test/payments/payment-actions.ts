import { createHmac } from 'node:crypto'
import { urlOf } from '@tidings/contracts/endpoint'
import { receiveStripeEvent } from '@tidings/contracts/membership/billing'
import type { Member } from '@tidings/contracts/membership/members'
import type { LightMyRequestResponse } from 'fastify'
import type Stripe from 'stripe'
import { onTestFinished, vi } from 'vitest'
import type { TestMember } from '../membership.ts'
import { type PaymentSite, testPrices } from '../sites/payment-site.ts'
import { waitOptions } from '../wait-options.ts'

const dayMs = 24 * 3_600_000

/** Stripe's test cards. */
export const testCards = { good: 'pm_card_visa', failsLater: 'pm_card_chargeCustomerFail' }

type TwoCheckouts = { first?: string; second?: string; couponId?: string }
export type PaymentActions = ReturnType<typeof createPaymentActions>

/** Creates the actions on paying members: they pass time, change cards and send events. */
export function createPaymentActions(at: PaymentSite) {
  const { site, stripe, members, controls } = at
  const { db } = site.context.database

  /** Returns a member's account after a new login. */
  async function memberNow({ email }: Pick<TestMember, 'email'>): Promise<Member> {
    return await at.memberOf({ headers: members.headersOf(await members.logIn({ email })) })
  }

  async function customerOf({ memberId }: Pick<TestMember, 'memberId'>): Promise<string> {
    const { stripeCustomerId } = await db.member.findUniqueOrThrow({ where: { id: memberId } })
    if (stripeCustomerId === null) throw new Error('The member is no customer yet.')
    return stripeCustomerId
  }

  /** Returns all of a member's subscriptions at Stripe, newest first. */
  async function subscriptionsOf(member: Pick<TestMember, 'memberId'>): Promise<Stripe.Subscription[]> {
    const customer = await customerOf(member)
    return (await stripe.subscriptions.list({ customer, status: 'all', limit: 100 })).data
  }

  async function subscriptionOf(member: Pick<TestMember, 'memberId'>): Promise<Stripe.Subscription> {
    const [newest] = await subscriptionsOf(member)
    if (newest === undefined) throw new Error('The member has no subscription.')
    return newest
  }

  /** Returns Stripe's signature of a body. */
  function sign(body: string, { secret = at.webhookSecret, secondsAgo = 0 } = {}): string {
    const time = Math.floor(site.clock.now().getTime() / 1000) - secondsAgo
    return `t=${time},v1=${createHmac('sha256', secret).update(`${time}.${body}`).digest('hex')}`
  }

  /** Posts any body to the webhook. */
  async function post(body: string, headers: Record<string, string> = {}): Promise<LightMyRequestResponse> {
    return await site.app.inject({
      method: receiveStripeEvent.method,
      url: urlOf(receiveStripeEvent),
      headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
      payload: body,
    })
  }

  /** Advances the site's and Stripe's clocks, and waits for due renewals and their events. */
  async function passDays(days: number): Promise<void> {
    site.clock.pass(Math.round(days * dayMs))
    await controls.advanceTime(0)
    await at.settle()
  }

  return {
    memberNow,
    customerOf,
    subscriptionsOf,
    subscriptionOf,
    sign,
    post,
    /** Posts a signed event. */
    async deliver(event: object): Promise<LightMyRequestResponse> {
      const body = JSON.stringify(event)
      return await post(body, { 'stripe-signature': sign(body) })
    },
    /** Pays two checkouts of a member, one second apart, and returns the customer. */
    async payTwice(
      member: TestMember,
      { first = testPrices.monthly, second = first, couponId }: TwoCheckouts = {},
    ): Promise<string> {
      const pages = [
        await at.openCheckout(member, first, { couponId }),
        await at.openSecondCheckout(member, second, { couponId }),
      ]
      await at.settle()
      for (const page of pages) {
        await controls.completeCheckout(page)
        site.clock.pass(1_000)
      }
      return await customerOf(member)
    },
    /** Disables webhooks until the test ends. */
    async disableWebhooks(): Promise<void> {
      await controls.setWebhooks({ mode: 'off' })
      onTestFinished(async () => void (await controls.setWebhooks({ mode: 'on' })))
    },
    /** Holds the next matching call to Stripe, or with kind `late` its response, until it is released. */
    async hold(fault: { kind?: 'slow' | 'late'; match: string; about?: string }) {
      await controls.addFault({ kind: 'slow', ...fault })
      return {
        /** Waits until Stripe has received the call. */
        arrived: () =>
          vi.waitFor(async () => {
            if ((await controls.countFaults()) > 0) throw new Error('The call has not arrived.')
          }, waitOptions),
        release: () => controls.releaseCalls(),
      }
    },
    /** Returns the events about a customer, oldest first. */
    async eventsOf(customer: string): Promise<Stripe.Event[]> {
      const events = await stripe.events.list({ limit: 100 }).autoPagingToArray({ limit: 10_000 })
      return events.filter((event) => JSON.stringify(event.data.object).includes(customer)).reverse()
    },
    /** Signs up a member, who pays for a plan, with an optional coupon. */
    async subscriber(
      priceId: string = testPrices.monthly,
      coupon?: Stripe.CouponCreateParams,
    ): Promise<TestMember> {
      const member = await members.signUp()
      const metadata = { public: 'true' }
      const couponId = coupon && (await stripe.coupons.create({ ...coupon, metadata })).id
      await controls.completeCheckout(await at.openCheckout(member, priceId, { couponId }))
      await at.settle()
      return member
    },
    passDays,
    /** Advances the clocks to five minutes after a member's renewal, whose invoice is still a draft. */
    async passToDraft(member: Pick<TestMember, 'memberId'>): Promise<void> {
      const { items } = await subscriptionOf(member)
      const renewsAt = (items.data[0]?.current_period_end ?? Number.NaN) * 1000
      await passDays((renewsAt - site.clock.now().getTime()) / dayMs + 5 / (24 * 60))
    },
    /** Advances the clocks by days and the hour in which a renewal is a draft, so that what is due is charged. */
    async pass(days: number): Promise<void> {
      await passDays(days + 1 / 24)
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
    async cancelAtStripe(member: Pick<TestMember, 'memberId'>): Promise<void> {
      await stripe.subscriptions.cancel((await subscriptionOf(member)).id)
    },
    /** Makes a test card the default of a member. */
    async changeCard(member: Pick<TestMember, 'memberId'>, card: string): Promise<void> {
      const customer = await customerOf(member)
      const { id } = await stripe.paymentMethods.attach(card, { customer })
      await stripe.customers.update(customer, { invoice_settings: { default_payment_method: id } })
      for (const subscription of await subscriptionsOf(member)) {
        if (subscription.ended_at !== null) continue
        await stripe.subscriptions.update(subscription.id, { default_payment_method: id })
      }
    },
    /** Returns the id of a member's latest charge. */
    async chargeOf(member: Pick<TestMember, 'memberId'>): Promise<string> {
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
    /** Waits until a member has a plan with this status. */
    async waitForStatus(member: TestMember, status: string): Promise<Member> {
      return await vi.waitFor(async () => {
        const now = await memberNow(member)
        const states = now.planConnections.filter(({ type }) => type !== 'FREE').map((one) => one.status)
        if (!states.includes(status)) throw new Error(`The plans are ${states.join(', ') || 'none'}.`)
        return now
      }, waitOptions)
    },
    /** Waits until every email has been sent. */
    async waitForEmails(): Promise<void> {
      await vi.waitFor(async () => {
        const waiting = await db.outboxEmail.count({ where: { sentAt: null, heldFor: null } })
        if (waiting > 0) throw new Error(`${waiting} emails are pending.`)
      }, waitOptions)
    },
  }
}

/** Returns a member's paid and formerly paid plans. */
export function paidPlansOf({ planConnections }: Member) {
  return planConnections.filter(({ type }) => type !== 'FREE')
}
