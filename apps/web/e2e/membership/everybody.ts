import { expect, type Page } from '@playwright/test'
import { findings } from '../findings.ts'

/** Everybody can use the page, and it fits a phone. */
export async function isForEverybody(page: Page, heading: string | RegExp): Promise<void> {
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading)
  expect(await findings(page)).toEqual([])
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0)
}
