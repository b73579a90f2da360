import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'

/** What keeps people out of a page, by the rules that a program can check. */
export async function findings(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).analyze()
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`)
}
