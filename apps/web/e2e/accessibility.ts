import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from '@playwright/test'
import type { AxeResults, RunOptions } from 'axe-core'
import { lossesOfLargeText } from './large-text.ts'
import { smallTargets } from './small-targets.ts'

const axeScript = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** The rules whose outcome depends on colors, which are all that the color scheme changes. */
const colorRules = ['color-contrast', 'link-in-text-block']

/**
 * Returns the violations of axe's rules on a page in the light color scheme, and of its color rules in the dark one; what
 * text of twice the size loses; and the controls that are too small for a thumb.
 */
export async function accessibilityViolations(page: Page): Promise<string[]> {
  return [
    ...(await violationsInLight(page)),
    ...(await violationsInDark(page)),
    ...(await lossesOfLargeText(page)),
    ...(await smallTargets(page)),
  ]
}

export async function violationsInLight(page: Page): Promise<string[]> {
  await page.emulateMedia({ colorScheme: 'light' })
  return await violationsOf(page)
}

export async function violationsInDark(page: Page): Promise<string[]> {
  await page.emulateMedia({ colorScheme: 'dark' })
  return await violationsOf(page, { runOnly: { type: 'rule', values: colorRules } })
}

/** Returns the violations in a page without frames. Loads axe once a page: that takes longer than most checks. */
async function violationsOf(page: Page, rules: RunOptions = {}): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axeScript)
  // Describing what passes takes longer than finding it.
  const options: RunOptions = { ...rules, resultTypes: ['violations'] }
  return await page.evaluate(async (given) => {
    const { violations }: AxeResults = await Reflect.get(window, 'axe').run(given)
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`)
  }, options)
}
