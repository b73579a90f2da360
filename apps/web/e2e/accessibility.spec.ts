import { findings } from './findings.ts'
import { expect, test } from './reader.ts'

for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(`nobody is kept out, ${colorScheme}`, () => {
    test.use({ colorScheme })

    for (const path of ['/home', '/footer', '/auth', '/account/login', '/edition/01-01-20-10AM']) {
      test(`on ${path}`, async ({ reader, complaints }) => {
        await reader.goto(`/#${path}`)
        await expect(reader.getByRole('heading', { level: 1 })).toBeVisible()
        await expect(reader.getByText('Loading...')).toHaveCount(0)
        expect(await findings(reader)).toEqual([])
        // The browser itself reports that an edition is missing.
        if (path.startsWith('/edition')) complaints.splice(0)
      })
    }

    test('with every memo of an edition open', async ({ reader }) => {
      await reader.goto('/#/home')
      await reader.getByRole('link', { name: '10AM' }).click()
      await reader.getByRole('button', { name: 'Expand all' }).click()
      await expect(reader.getByRole('link', { name: 'Source' }).first()).toBeVisible()
      expect(await findings(reader)).toEqual([])
    })

    test('at the gate', async ({ page }) => {
      await page.goto('/')
      await page.getByRole('button', { name: 'Enter' }).click()
      await expect(page.getByText('Please enter the password')).toBeVisible()
      expect(await findings(page)).toEqual([])
    })

    test('in the phone frame', async ({ reader }) => {
      await reader.setViewportSize({ width: 1440, height: 900 })
      await reader.goto('/#/home')
      await expect(reader.locator('.memo').first()).toBeVisible()
      expect(await findings(reader)).toEqual([])
    })
  })
}
