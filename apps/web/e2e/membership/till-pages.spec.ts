import { isForEverybody } from './everybody.ts'
import { expect, test } from './guest.ts'
import { payWith, priceOf } from './till.ts'

for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(`the pages of the Stripe emulator, ${colorScheme}`, () => {
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
      await isForEverybody(page, 'Confirm this payment')
      await page.getByRole('button', { name: 'Complete authentication' }).click()
      await guest.isBack()
      await page.goto(checkout)
      await isForEverybody(page, 'Already paid')
    })
  })
}
