import { expectAccessibleEmulatorPage } from './accessible-page.ts'
import { payWith, priceOf } from './checkout.ts'
import { expect, test } from './guest.ts'

test.describe('the checkout pages of the Stripe emulator, in light and dark', () => {
  test('are accessible', async ({ guest }) => {
    await guest.signUp()
    await guest.leave('purchasePlansWithCheckout', { priceId: await priceOf(guest, 'Monthly') })
    const { page } = guest
    const checkout = page.url()
    await expectAccessibleEmulatorPage(page, 'Subscribe to Monthly')
    await page.getByText('Add a promotion code').click()
    await page.getByLabel('Promotion code').fill('none')
    await page.getByRole('button', { name: 'Apply' }).click()
    await expect(page.getByRole('alert')).toHaveText('The code none is not valid.')
    await expectAccessibleEmulatorPage(page, 'Subscribe to Monthly')
    await payWith(page, 'Is declined')
    await expect(page.getByRole('alert')).toBeVisible()
    await expectAccessibleEmulatorPage(page, 'Subscribe to Monthly')
    await payWith(page, 'Asks every time')
    await expectAccessibleEmulatorPage(page, 'Confirm this payment')
    await page.getByRole('button', { name: 'Complete authentication' }).click()
    await guest.isBack()
    await page.goto(checkout)
    await expectAccessibleEmulatorPage(page, 'Already paid')
  })
})
