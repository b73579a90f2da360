import { type Member, memberSchema } from '@tidings/contracts/membership/members'
import type { stripeAt } from '@tidings/emulators/stripe/testing/start-emulator'
import type { TestMember, TestMembers } from '../membership.ts'
import type { TestApp } from '../test-app.ts'

type Deps = { site: TestApp; members: TestMembers; stripe: ReturnType<typeof stripeAt> }

/** Creates the ways to open checkout sessions of members. */
export function createCheckouts({ site: { context }, members, stripe }: Deps) {
  /** Returns a member's account. */
  async function memberOf({ headers }: Pick<TestMember, 'headers'>): Promise<Member> {
    const reply = await members.call('GET', '/member', { headers })
    return memberSchema.parse(reply.json().data)
  }

  /** Returns the URL of a new checkout session. */
  async function openCheckout(
    { headers }: Pick<TestMember, 'headers'>,
    priceId: string,
    body: Record<string, unknown> = {},
  ): Promise<string> {
    const reply = await members.call('POST', '/member/plans/create-checkout-session', {
      headers,
      body: { priceId, ...body },
    })
    if (reply.statusCode !== 200) throw new Error(`No checkout: ${reply.statusCode} ${reply.body}`)
    return reply.json().data.url
  }

  /** Creates a second open checkout session directly at Stripe. */
  async function openSecondCheckout(
    member: TestMember,
    priceId: string,
    { couponId = '' } = {},
  ): Promise<string> {
    const { stripeCustomerId } = await memberOf(member)
    const customer = stripeCustomerId ?? ''
    const { id: price } = await context.database.db.stripePrice.findFirstOrThrow({
      where: { priceId, current: true },
    })
    const metadata = { member: member.memberId, app: context.config.site.appId }
    const { url } = await stripe.checkout.sessions.create({
      mode: 'subscription',
      customer,
      metadata,
      success_url: 'https://tidings.example',
      line_items: [{ price, quantity: 1 }],
      subscription_data: { metadata },
      ...(couponId === '' ? {} : { discounts: [{ coupon: couponId }] }),
    })
    return url ?? ''
  }

  return { memberOf, openCheckout, openSecondCheckout }
}
