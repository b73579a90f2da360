import type { Page } from '@playwright/test'

/** Records the violations of the page's policy and its layout shifts in the page's window. */
export function watchPage(page: Page): Promise<unknown> {
  return page.addInitScript(() => {
    Object.assign(window, { violations: [], shifts: [] })
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
      Reflect.get(window, 'violations').push(`${violatedDirective} ${blockedURI}`)
    })
    new PerformanceObserver((list) => {
      for (const shift of list.getEntries()) {
        const sources: { node: Node | null }[] = Reflect.get(shift, 'sources')
        const moved = sources.filter(({ node }) => document.querySelector('main')?.contains(node))
        if (moved.length > 0) Reflect.get(window, 'shifts').push(Reflect.get(shift, 'value'))
      }
    }).observe({ type: 'layout-shift', buffered: true })
  })
}

/** Returns what was recorded in the page's window under a name, such as `violations` or `shifts`. */
export function recorded(page: Page, name: string) {
  return page.evaluate((key) => Reflect.get(window, key), name)
}
