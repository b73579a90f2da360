import { expect, type Page } from '@playwright/test'
import { accessibilityViolations, violationsInDark, violationsInLight } from '../accessibility.ts'

/** Checks a page's heading, its accessibility in light and dark and with large text, and that it fits a phone. */
export async function expectAccessiblePage(page: Page, heading: string | RegExp): Promise<void> {
  await expectHeadingAndWidth(page, heading)
  expect(await accessibilityViolations(page)).toEqual([])
}

/** Expects the same of a page of an emulator, but without large text: few people see it. */
export async function expectAccessibleEmulatorPage(page: Page, heading: string | RegExp): Promise<void> {
  await expectHeadingAndWidth(page, heading)
  expect([...(await violationsInLight(page)), ...(await violationsInDark(page))]).toEqual([])
}

async function expectHeadingAndWidth(page: Page, heading: string | RegExp): Promise<void> {
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading)
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0)
}
