import {
  createAccount,
  expectCheckout,
  expectWelcome,
  fillLogin,
  memberOf,
  test as memberTest,
} from '../members/member.ts'
import { siteUnderTest } from '../site-under-test.config.ts'
import { expectAccessibleEmulatorPage, expectAccessiblePage } from './accessible-page.ts'
import { advanceTime, chooseCard, failCard, payWith, priceOf } from './checkout.ts'
import { expect, test } from './guest.ts'

// All tests share the emulator's clock, so these run last: each makes every subscription a month older.
const aMonthLaterSeconds = 32 * 86_400

memberTest(
  'a member whose renewal failed reads so on our site, and is led to the card',
  async ({ reader }) => {
    const email = await createAccount(reader)
    await reader.goto('/#/account/login')
    await fillLogin(reader, email)
    await expectCheckout(reader)
    await payWith(reader, 'Pays')
    await expectWelcome(reader)
    await failCard(email)
    await advanceTime(aMonthLaterSeconds)

    const statusOfPlan = async () => (await memberOf(reader))?.planConnections.map(({ status }) => status)
    await expect.poll(statusOfPlan).toEqual(['PAST_DUE'])
    await reader.reload()
    const reason = reader.getByText(/^Your last payment for Monthly didn’t go through\./)
    await expect(reason).toBeVisible()
    await expectAccessiblePage(reader, 'Subscription options')
    await reader.getByRole('link', { name: 'Change plan' }).click()
    await expect(reason).toBeVisible()
    await expectAccessiblePage(reader, 'Change plan')
    await reader.getByRole('button', { name: 'Update your card' }).click()
    await expect(reader.getByRole('alert')).toBeVisible()
  },
)

test.describe('the portal and admin pages of the Stripe emulator, in light and dark', () => {
  test('are accessible', async ({ guest, expectRefusal }) => {
    expectRefusal(404)
    const { email } = await guest.signUp()
    await guest.leave('purchasePlansWithCheckout', { priceId: await priceOf(guest, 'Monthly') })
    const { page } = guest
    await payWith(page, 'Pays')
    await guest.isBack()
    await guest.leave('launchStripeCustomerPortal')
    const portal = page.url()
    const headline = (await page.getByRole('heading', { level: 1 }).textContent()) ?? ''
    await expectAccessibleEmulatorPage(page, headline)
    await page.getByRole('link', { name: 'Cancel subscription' }).click()
    await expectAccessibleEmulatorPage(page, 'Cancel subscription?')
    await page.goto(portal)
    await page.getByRole('link', { name: 'Change card' }).click()
    await expectAccessibleEmulatorPage(page, 'Card')
    await chooseCard(page, 'Saved, then fails')
    await page.getByRole('button', { name: 'Save card' }).click()
    await expect(page.getByRole('status')).toBeVisible()
    await expectAccessibleEmulatorPage(page, headline)
    await page.goto(`${portal}x`)
    await expectAccessibleEmulatorPage(page, 'Page not found')

    await guest.comeBack()
    await failCard(email)
    await advanceTime(aMonthLaterSeconds)
    await guest.leave('launchStripeCustomerPortal')
    await expect(page.getByRole('alert')).toBeVisible()
    await expectAccessibleEmulatorPage(page, headline)
    await page.getByRole('link', { name: /-0002$/ }).click()
    await expect(page.getByLabel('Card number')).toBeVisible()
    await expectAccessibleEmulatorPage(
      page,
      (await page.getByRole('heading', { level: 1 }).textContent()) ?? '',
    )
    await page.goto(`${siteUnderTest.stripeUrl()}/stripe`)
    await expectAccessibleEmulatorPage(page, 'Stripe emulator')
    await page.goto(siteUnderTest.inboxUrl())
    await page.getByRole('link', { name: 'Stripe emulator' }).click()
    await expectAccessibleEmulatorPage(page, 'Stripe emulator')
  })
})
