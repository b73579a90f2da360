import type { Member } from '@tidings/contracts/membership/members'
import type Stripe from 'stripe'
import { vi } from 'vitest'
import type { TestMember } from '../membership.ts'
import { type PaymentSite, testPrices } from '../sites/payment-site.ts'
import { waitOptions } from '../wait-options.ts'
import { createStripeAccount } from './stripe-account.ts'
import { createWebhookPosts } from './webhook-posts.ts'

const dayMs = 24 * 3_600_000

/** Stripe's test cards. */
export const testCards = { good: 'pm_card_visa', failsLater: 'pm_card_chargeCustomerFail' }

type TwoCheckouts = { first?: string; second?: string; couponId?: string }
export type PaymentActions = ReturnType<typeof createPaymentActions>

/** Creates the actions on paying members: they pay, pass time, change cards and send events. */
export function createPaymentActions(at: PaymentSite) {
  const { site, stripe, members, controls } = at
  const { db } = site.context.database
  const stripeAccount = createStripeAccount(at)
  const { customerOf, subscriptionOf } = stripeAccount

  /** Returns a member's account after a new login. */
  async function memberNow({ email }: Pick<TestMember, 'email'>): Promise<Member> {
    return await at.memberOf({ headers: members.headersOf(await members.logIn({ email })) })
  }

  /** Advances the site's and Stripe's clocks, and waits for due renewals and their events. */
  async function passDays(days: number): Promise<void> {
    site.clock.pass(Math.round(days * dayMs))
    await controls.advanceTime(0)
    await at.settle()
  }

  return {
    memberNow,
    ...stripeAccount,
    ...createWebhookPosts(at),
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
