import type { Page } from '@playwright/test'
import { violationsInLight } from '../accessibility.ts'
import { expect, test } from './desk-page.ts'

const someId = '00000000-0000-7000-8000-000000000000'
const screens = [
  '',
  '/editions/02-07-47-3PM',
  `/editions/02-07-47-3PM/memos/${someId}`,
  `/editions/02-07-47-3PM/memos/${someId}/versions`,
  '/editions/02-07-47-3PM/delivery',
  '/archive',
  '/comments',
  '/articles',
  `/articles/${someId}`,
  `/articles/${someId}/versions`,
  '/members',
  '/members/mem_000000000000000000000001',
  '/numbers',
  '/people',
  '/people/log',
  '/you',
  '/sign-in',
  '/invitation/unknown',
  '/sign-in/unknown',
  '/nothing-here',
]

/** Words of the API’s documentation, which tell a person at the desk nothing. */
const apiWords = /\/desk\/v1|Authorization|Bearer|If-Match|Idempotency-Key|\b(?:PUT|POST|PATCH) \//

async function expectWhole(page: Page, state: string): Promise<void> {
  await page.locator('h1').first().waitFor({ state: 'attached' })
  expect(await violationsInLight(page), `${page.url()} ${state}`).toEqual([])
  expect(await page.locator('body').textContent(), `${page.url()} ${state}`).not.toMatch(apiWords)
}

for (const [width, height] of [
  [390, 844],
  [1440, 900],
] as const) {
  test(`each screen has a heading and no fault while it loads, at ${width} px`, async ({
    desk,
    consoleErrors,
  }) => {
    // Some of the links are unknown, which the browser reports.
    consoleErrors.ignore()
    await desk.setViewportSize({ width, height })
    const held: (() => void)[] = []
    const hold = () => new Promise<void>((resolve) => held.push(resolve))
    // First the reply that tells who the person is, then all others.
    let isYouKnown = false
    await desk.route(/\/desk\/v1\//, async (route) => {
      if (!isYouKnown || !route.request().url().endsWith('/desk/v1/you')) await hold()
      // The page that asked may be gone.
      await route.continue().catch(() => null)
    })
    for (const path of screens) {
      isYouKnown = false
      await desk.goto(`/desk${path}`)
      await expectWhole(desk, 'before the person is known')
      isYouKnown = true
      for (const release of held.splice(0)) release()
      await desk.locator('#main, .entrance, .page.narrow').first().waitFor({ state: 'attached' })
      await expectWhole(desk, 'before its data are there')
    }
  })
}

test('each screen says what failed, and shows no words of the API', async ({ desk, consoleErrors }) => {
  await desk.route(/\/desk\/v1\/(?!you$)/, (route) =>
    route.fulfill({
      status: 403,
      json: {
        error: { code: 'role-missing', message: 'This needs the role owner. Ask an owner of this site.' },
      },
    }),
  )
  for (const path of screens) {
    await desk.goto(`/desk${path}`)
    await expectWhole(desk, 'that is forbidden')
  }
  consoleErrors.ignore()
})
