import type { Page } from '@playwright/test'
import { accessibilityViolations, violationsInDark, violationsInLight } from './accessibility.ts'
import { expect, test } from './reader.ts'

async function expectNoViolations(page: Page): Promise<void> {
  expect(await accessibilityViolations(page)).toEqual([])
}

// Each screen is opened once and checked in both color schemes.
test.describe('accessibility, in light and dark', () => {
  for (const path of ['/footer', '/auth', '/account/login', '/edition/01-01-20-10AM']) {
    test(`of ${path}`, async ({ reader, consoleErrors }) => {
      await reader.goto(`/#${path}`)
      await expect(reader.getByRole('heading', { level: 1 })).toBeVisible()
      await expect(reader.getByText('Loading...')).toHaveCount(0)
      await expectNoViolations(reader)
      // The browser logs the 404 of a missing edition.
      if (path.startsWith('/edition')) consoleErrors.splice(0)
    })
  }

  test('of /home on a phone, in the phone frame and with every memo open', async ({ reader }) => {
    await reader.goto('/#/home')
    await expect(reader.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(reader.getByText('Loading...')).toHaveCount(0)
    await expectNoViolations(reader)

    const phone = reader.viewportSize()
    await reader.setViewportSize({ width: 1440, height: 900 })
    await expect(reader.locator('.memo').first()).toBeVisible()
    await expectNoViolations(reader)

    if (phone !== null) await reader.setViewportSize(phone)
    await reader.getByRole('link', { name: '10AM' }).click()
    await reader.getByRole('button', { name: 'Expand all' }).click()
    await expect(reader.getByRole('link', { name: 'Source' }).first()).toBeVisible()
    await expectNoViolations(reader)
  })

  test('of the gate', async ({ page }) => {
    await page.goto('/')
    for (const violationsIn of [violationsInLight, violationsInDark]) {
      // The message expires after five seconds, so each check submits the form again.
      await page.getByRole('button', { name: 'Enter' }).click()
      await expect(page.getByText('Please enter the password')).toBeVisible()
      expect(await violationsIn(page)).toEqual([])
    }
  })
})
