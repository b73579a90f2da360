import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { lossesOfLargeText } from './large-text.ts'

/** The rules whose outcome depends on colors, which are all that the color scheme changes. */
const colorRules = ['color-contrast', 'link-in-text-block']

/**
 * Returns the violations of axe's rules on a page in the light color scheme, and of its color rules in the dark one; and
 * what text of twice the size loses.
 */
export async function accessibilityViolations(page: Page): Promise<string[]> {
  return [
    ...(await violationsInLight(page)),
    ...(await violationsInDark(page)),
    ...(await lossesOfLargeText(page)),
  ]
}

export async function violationsInLight(page: Page): Promise<string[]> {
  await page.emulateMedia({ colorScheme: 'light' })
  return await violationsOf(createAxe(page))
}

export async function violationsInDark(page: Page): Promise<string[]> {
  await page.emulateMedia({ colorScheme: 'dark' })
  return await violationsOf(createAxe(page).withRules(colorRules))
}

/** Returns axe for a page without frames: it then needs no second page to merge their results. */
function createAxe(page: Page): AxeBuilder {
  // Describing what passes takes longer than finding it.
  return new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] })
}

async function violationsOf(axe: AxeBuilder): Promise<string[]> {
  const { violations } = await axe.analyze()
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`)
}
