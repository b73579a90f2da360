import { planChangeByPriceReply, planChangePreviewReply } from '@tidings/contracts/membership/billing'
import { secureContentReply } from '@tidings/contracts/membership/secure-content'
import { siteUnderTest } from '../site-under-test.config.ts'
import { failCard, paidPlan, priceOf, subscribe } from './checkout.ts'
import { expect, test } from './guest.ts'
import { mailTo } from './inbox.ts'

test.describe('a plan change, on a page of another origin', () => {
  test('to a more expensive plan applies at once, for the previewed amount', async ({ guest }) => {
    const { email } = await subscribe(guest)
    const upgrade = { priceId: await priceOf(guest, 'Yearly') }
    const before = await guest.call(planChangePreviewReply, 'previewPlanChange', upgrade)
    expect(before.data).toMatchObject({
      from: { planName: 'Monthly', amount: 4.99, interval: 'MONTHLY' },
      to: { planName: 'Yearly', amount: 49.99, interval: 'YEARLY' },
      effective: 'now',
      currency: 'usd',
    })
    expect(before.data.amountDue).toBeGreaterThan(44)
    expect(before.message).toMatch(/^Yearly starts now\. You pay \$4\d\.\d\d today\./)
    await paidPlan(guest, { planName: 'Monthly', active: true })
    const content = { contentId: 'yearly-only' }
    await guest.refuse({ code: 'access-denied', status: 403 }, 'getSecureContent', content)

    const { data, message } = await guest.call(planChangeByPriceReply, 'changePlan', upgrade)
    expect(data.change.effective).toBe('now')
    expect(message).toMatch(/^Yearly has started\./)
    const active = data.member.planConnections.filter(({ active }) => active)
    expect(active.map(({ planName }) => planName)).toContain('Yearly')
    await paidPlan(guest, { planName: 'Yearly', active: true, status: 'ACTIVE' })
    await guest.call(secureContentReply, 'getSecureContent', content)
    expect((await mailTo(email, 'Your plan was changed')).text).toContain('Yearly')
  })

  test('to a cheaper plan applies at the period end, unless it is undone', async ({ guest }) => {
    const { email } = await subscribe(guest, 'Yearly')
    const yearly = { priceId: await priceOf(guest, 'Yearly') }
    const monthly = { priceId: await priceOf(guest, 'Monthly') }
    const { data, message } = await guest.call(planChangeByPriceReply, 'changePlan', monthly)
    const plan = await paidPlan(guest, { planName: 'Yearly', active: true })
    expect(data.change).toMatchObject({
      effective: 'period-end',
      effectiveAt: plan.payment?.nextBillingDate,
      amountDue: 0,
    })
    expect(message).toMatch(/^You keep Yearly until .+ Then Monthly starts for \$4\.99 a month\.$/)
    await mailTo(email, 'Your plan will change')
    const { message: stayed } = await guest.call(planChangeByPriceReply, 'changePlan', yearly)
    expect(stayed).toBe("You're staying on Yearly.")
    await paidPlan(guest, { planName: 'Yearly', active: true })
  })

  test('is not applied when the card is declined', async ({ guest }) => {
    const { email } = await subscribe(guest)
    await failCard(email)
    const upgrade = { priceId: await priceOf(guest, 'Yearly') }
    await guest.refuse({ code: 'card-declined', status: 402 }, 'changePlan', upgrade)
    await paidPlan(guest, { planName: 'Monthly', active: true, status: 'ACTIVE' })
  })

  test('leads from a checkout for the other price to the change-plan screen', async ({ guest }) => {
    await subscribe(guest)
    const order = { priceId: await priceOf(guest, 'Yearly'), successUrl: '/?changed' }
    await guest.leave('purchasePlansWithCheckout', order)
    // Our site asks for its password and for a login in this browser first.
    await guest.page.getByLabel('Password', { exact: true }).fill(siteUnderTest.password())
    await guest.page.keyboard.press('Enter')
    await guest.page.waitForURL(/#\/account\/login/)
    await guest.comeBack()
    await paidPlan(guest, { planName: 'Monthly', active: true })
  })

  test('can be a cancellation in the portal, and its undoing', async ({ guest }) => {
    const { email } = await subscribe(guest)
    await guest.leave('launchStripeCustomerPortal')
    await guest.page.getByRole('link', { name: 'Cancel subscription' }).click()
    await guest.page.getByRole('button', { name: 'Cancel subscription' }).click()
    await expect(guest.page.getByRole('status')).toHaveText(/^Your subscription was canceled/)
    await guest.comeBack()
    const payment = (cancelAtDate: unknown, nextBillingDate: unknown) =>
      expect.objectContaining({ cancelAtDate, nextBillingDate })
    await paidPlan(guest, { active: true, payment: payment(expect.any(String), null) })
    await mailTo(email, 'Your plan is canceled')

    await guest.leave('launchStripeCustomerPortal')
    await guest.page.getByRole('button', { name: 'Keep the subscription' }).click()
    await expect(guest.page.getByRole('status')).toHaveText('Your subscription continues.')
    await guest.comeBack()
    await paidPlan(guest, { active: true, payment: payment(null, expect.any(String)) })
    await mailTo(email, 'Your plan continues')
  })
})
