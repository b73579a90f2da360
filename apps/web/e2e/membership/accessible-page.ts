import { expect, type Page } from '@playwright/test'
import { accessibilityViolations } from '../accessibility.ts'

/** Checks a page's heading, its accessibility in light and dark, and that it fits a phone. */
export async function expectAccessiblePage(page: Page, heading: string | RegExp): Promise<void> {
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading)
  expect(await accessibilityViolations(page)).toEqual([])
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0)
}
