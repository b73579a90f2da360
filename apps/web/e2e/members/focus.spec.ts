import type { Locator } from '@playwright/test'
import { expectUncoveredFocus } from '../covered-focus.ts'
import { editorOf } from '../editor.ts'
import { createSubscriber, expect, openSession, test } from './member.ts'

for (const [width, height] of [
  [390, 600],
  [1440, 500],
] as const) {
  test(`nothing covers the focus on any screen of a member, at ${width} px`, async ({ reader, request }) => {
    const article = await editorOf(request).articleOf(null)
    await openSession(reader, await createSubscriber(reader))
    await reader.setViewportSize({ width, height })
    const screens: [path: string, useful: Locator][] = [
      ['home', reader.locator('button.memo-title').first()],
      ['archive', reader.getByRole('link').nth(2)],
      ['search?q=caesium', reader.getByText('1 result')],
      ['gated', reader.getByRole('link').nth(2)],
      [`viewgated/${article.id}`, reader.getByRole('heading', { name: article.title })],
      ['account/change-plan', reader.getByRole('button', { name: 'Continue to payment' })],
      ['footer', reader.getByRole('link').nth(2)],
      ['account/dashboard', reader.getByRole('heading', { name: 'Your data' })],
    ]
    for (const [path, useful] of screens) {
      await reader.goto('about:blank')
      await reader.goto(`/#/${path}`)
      await expect(useful).toBeVisible()
      await reader.waitForLoadState('networkidle')
      await expectUncoveredFocus(reader, path)
    }
    await reader.getByRole('textbox', { name: 'Name' }).fill('Another name')
    await expectUncoveredFocus(reader, 'the dashboard with changes')
  })
}
