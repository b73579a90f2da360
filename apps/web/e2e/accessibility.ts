import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'

export const colorSchemes = ['light', 'dark'] as const

/** Returns the violations that axe finds on a page, by default in the light and in the dark color scheme. */
export async function accessibilityViolations(
  page: Page,
  schemes: readonly (typeof colorSchemes)[number][] = colorSchemes,
): Promise<string[]> {
  const found: string[] = []
  for (const colorScheme of schemes) {
    await page.emulateMedia({ colorScheme })
    const { violations } = await new AxeBuilder({ page }).analyze()
    const elements = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`)
    found.push(...elements.map((text) => `${colorScheme}: ${text}`))
  }
  return found
}
