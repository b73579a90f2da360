import { siteUnderTest } from '../site-under-test.config.ts'
import { isForEverybody } from './everybody.ts'
import { expect, test } from './guest.ts'
import { mailTo } from './inbox.ts'
import { chooseCard, failCard, paidPlan, payWith, priceOf, subscribe, tellStandIn } from './till.ts'

// The stand-in has one clock for all, so these journeys come last: whoever paid before them is a month older afterwards.
const aMonthLater = { advanceSeconds: 32 * 86_400 }

test.describe("a member whose month is over, on somebody else's page", () => {
  test('pays a renewal that failed by the link in the mail', async ({ guest }) => {
    const { email } = await subscribe(guest)
    await failCard(email)

    await tellStandIn('time', aMonthLater)
    const owing = await paidPlan(guest, { status: 'PAST_DUE', active: true })
    expect(owing.payment?.status).toBe('UNPAID')
    const upgrade = { priceId: await priceOf(guest, 'Yearly') }
    await guest.refuse({ code: 'payment-due', status: 402 }, 'changePlan', upgrade)

    const { text } = await mailTo(email, 'Your payment failed')
    await guest.page.goto(/https?:\S+\/stripe\/invoices\/\S+/.exec(text)?.[0] ?? 'no link')
    await payWith(guest.page, 'Pays')
    await expect(guest.page.getByText('Paid', { exact: true })).toBeVisible()
    await guest.comeBack()
    const paid = await paidPlan(guest, { status: 'ACTIVE', active: true })
    expect(paid.payment?.status).toBe('PAID')
  })
})

for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(`the pages of the Stripe emulator before and after, ${colorScheme}`, () => {
    test.use({ colorScheme })

    test('keep nobody out of managing what they pay', async ({ guest, expectRefusal }) => {
      expectRefusal(404)
      const { email } = await guest.signUp()
      await guest.leave('purchasePlansWithCheckout', { priceId: await priceOf(guest, 'Monthly') })
      const { page } = guest
      await payWith(page, 'Pays')
      await guest.isBack()
      await guest.leave('launchStripeCustomerPortal')
      const portal = page.url()
      const headline = (await page.getByRole('heading', { level: 1 }).textContent()) ?? ''
      await isForEverybody(page, headline)
      await page.getByRole('link', { name: 'Switch plan' }).click()
      await isForEverybody(page, 'Switch plan')
      await page.getByRole('radio', { name: 'Yearly' }).check()
      await page.getByRole('button', { name: 'Continue' }).click()
      await isForEverybody(page, 'Confirm the change')
      await page.goto(portal)
      await page.getByRole('link', { name: 'Cancel subscription' }).click()
      await isForEverybody(page, 'Cancel subscription?')
      await page.goto(portal)
      await page.getByRole('link', { name: 'Change card' }).click()
      await isForEverybody(page, 'Card')
      await chooseCard(page, 'Saved, then fails')
      await page.getByRole('button', { name: 'Save card' }).click()
      await expect(page.getByRole('status')).toBeVisible()
      await isForEverybody(page, headline)
      await page.goto(`${portal}x`)
      await isForEverybody(page, 'Page not found')

      await guest.comeBack()
      await failCard(email)
      await tellStandIn('time', aMonthLater)
      await guest.leave('launchStripeCustomerPortal')
      await expect(page.getByRole('alert')).toBeVisible()
      await isForEverybody(page, headline)
      await page.getByRole('link', { name: /-0002$/ }).click()
      await expect(page.getByLabel('Card number')).toBeVisible()
      await isForEverybody(page, (await page.getByRole('heading', { level: 1 }).textContent()) ?? '')
      await page.goto(`${siteUnderTest.stripeUrl()}/stripe`)
      await isForEverybody(page, 'Stripe emulator')
      await page.goto(siteUnderTest.inboxUrl())
      await page.getByRole('link', { name: 'Stripe emulator' }).click()
      await isForEverybody(page, 'Stripe emulator')
    })
  })
}
