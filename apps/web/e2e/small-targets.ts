import type { Page } from '@playwright/test'

/**
 * Returns the visible controls that are smaller than 44 by 44 px, with the label around them. A link within a sentence may
 * be smaller.
 */
export async function smallTargets(page: Page): Promise<string[]> {
  return await page.evaluate(() =>
    [...document.querySelectorAll('a, button, input, select, textarea, summary, [role="button"]')]
      .filter(
        (target) => target.checkVisibility({ visibilityProperty: true }) && !target.matches('.skip-link'),
      )
      .filter((target) => getComputedStyle(target).display !== 'inline')
      .map((target) => ({ target, box: (target.closest('label') ?? target).getBoundingClientRect() }))
      .filter(({ box }) => box.width < 44 || box.height < 44)
      .map(({ target, box }) => `${target.textContent} ${box.width}×${box.height}`),
  )
}
