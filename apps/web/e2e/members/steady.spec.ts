import type { Locator } from '@playwright/test'
import { editorOf } from '../editor.ts'
import { expectSteady, watchShifts } from '../shifts.ts'
import { createSubscriber, openSession, test } from './member.ts'

const requests =
  /\/(?:app|app-member|member|comments|secure-content|edition|editions|archive|search|plans)(?:[/?]|$)/

for (const [width, height] of [
  [390, 844],
  [1440, 900],
] as const) {
  test(`no screen of a member moves while its parts arrive, at ${width} px`, async ({ reader, request }) => {
    const article = await editorOf(request).articleOf(null)
    await openSession(reader, await createSubscriber(reader))
    await reader.setViewportSize({ width, height })
    await watchShifts(reader)
    // They come when loading takes long, and may move then.
    await reader.addInitScript(() => {
      const sheet = new CSSStyleSheet()
      sheet.replaceSync('.foot-links { animation-delay: 1000s !important }')
      document.adoptedStyleSheets = [sheet]
    })
    const screens: [path: string, useful: Locator][] = [
      ['/account/dashboard', reader.getByRole('heading', { name: 'Your data' })],
      ['/account/change-plan', reader.getByRole('button', { name: 'Continue to payment' })],
      ['/gated', reader.getByRole('link').nth(2)],
      [`/viewgated/${article.id}`, reader.getByRole('heading', { name: article.title })],
      ['/search?q=caesium', reader.getByText('1 result')],
      ['/archive', reader.getByRole('link').nth(2)],
      ['/home', reader.locator('button.memo-title').first()],
    ]
    for (const [path, useful] of screens)
      for (const first of ['newest', 'oldest'] as const) {
        await reader.goto('about:blank')
        await expectSteady(reader, { path: `/#${path}`, requests, first, useful })
      }
  })
}
