import { currentMemberReply } from '@tidings/contracts/membership/members'
import { confirmAddress, paidPlan, payWith, priceOf } from './checkout.ts'
import { expect, test } from './guest.ts'
import { mailTo } from './inbox.ts'

test.describe('a member who pays, on a page of another origin', () => {
  test('has the plan after the redirect, and a welcome email once the address is confirmed', async ({
    guest,
  }) => {
    const { email } = await guest.signUp()
    const priceId = await priceOf(guest, 'Monthly')
    await guest.leave('purchasePlansWithCheckout', { priceId, successUrl: '/?paid' })
    await expect(guest.page.getByRole('heading', { level: 1 })).toHaveText('Subscribe to Monthly')
    await expect(guest.page.getByText(`For ${email}`)).toBeVisible()
    await payWith(guest.page, 'Pays')
    await guest.isBack('/?paid')
    const plan = await paidPlan(guest, { planName: 'Monthly', active: true, status: 'ACTIVE' })
    expect(plan.payment).toEqual({
      priceId,
      amount: 4.99,
      currency: 'usd',
      interval: 'MONTHLY',
      status: 'PAID',
      lastBillingDate: expect.any(String),
      nextBillingDate: expect.any(String),
      cancelAtDate: null,
      renewal: {
        interval: 'MONTHLY',
        taxBehavior: null,
        amounts: [{ from: plan.payment?.nextBillingDate, amount: 4.99, tax: 0 }],
      },
    })
    const { data } = await guest.call(currentMemberReply, 'getCurrentMember')
    expect(data?.permissions).toEqual(['paid'])
    expect(data?.stripeCustomerId).toMatch(/^cus_/)
    await mailTo(email, 'An email is waiting for you')
    await confirmAddress(guest, email)
    expect((await mailTo(email, 'Your plan is active')).text).toContain('$4.99 a month')
  })
})
