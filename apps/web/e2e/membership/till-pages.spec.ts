import type { Page } from '@playwright/test'
import { findings } from '../findings.ts'
import { siteUnderTest } from '../site-under-test.config.ts'
import { expect, test } from './guest.ts'
import { chooseCard, daySeconds, payWith, priceOf, tellStandIn } from './till.ts'

/** Everybody can use the page, and it fits a phone. */
async function isForEverybody(page: Page, heading: string): Promise<void> {
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading)
  expect(await findings(page)).toEqual([])
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0)
}

for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(`the pages of the stand-in for Stripe, ${colorScheme}`, () => {
    test.use({ colorScheme })

    test('keep nobody out of paying', async ({ guest }) => {
      await guest.signUp()
      await guest.leave('purchasePlansWithCheckout', { priceId: await priceOf(guest, 'Monthly') })
      const { page } = guest
      const checkout = page.url()
      await isForEverybody(page, 'Subscribe to Monthly')
      await page.getByText('Add a promotion code').click()
      await page.getByLabel('Promotion code').fill('none')
      await page.getByRole('button', { name: 'Apply' }).click()
      await expect(page.getByRole('alert')).toHaveText('The code none is not valid.')
      await isForEverybody(page, 'Subscribe to Monthly')
      await payWith(page, 'Is declined')
      await expect(page.getByRole('alert')).toBeVisible()
      await isForEverybody(page, 'Subscribe to Monthly')
      await payWith(page, 'Asks every time')
      await isForEverybody(page, 'Is it you?')
      await page.getByRole('button', { name: 'Complete authentication' }).click()
      await guest.isBack()
      await page.goto(checkout)
      await isForEverybody(page, 'All done here')
    })

    test('keep nobody out of managing what they pay', async ({ guest, expectRefusal }) => {
      expectRefusal(404)
      await guest.signUp()
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
      await isForEverybody(page, 'Not here')

      await guest.comeBack()
      await tellStandIn('time', { advanceSeconds: 32 * daySeconds })
      await guest.leave('launchStripeCustomerPortal')
      await expect(page.getByRole('alert')).toBeVisible()
      await isForEverybody(page, headline)
      await page.getByRole('link', { name: /-0002$/ }).click()
      await expect(page.getByLabel('Card number')).toBeVisible()
      await isForEverybody(page, (await page.getByRole('heading', { level: 1 }).textContent()) ?? '')
      await page.goto(`${siteUnderTest.stripeUrl()}/stripe`)
      await isForEverybody(page, 'A stand-in for Stripe')
      await page.goto(siteUnderTest.inboxUrl())
      await page.getByRole('link', { name: 'Stripe stand-in' }).click()
      await isForEverybody(page, 'A stand-in for Stripe')
    })
  })
}
