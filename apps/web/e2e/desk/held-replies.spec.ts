import type { Page } from '@playwright/test'
import { editorOf } from '../editor.ts'
import { expect, test } from './desk-page.ts'
import { query } from './desk-people.ts'
import { draftOf, publishAndSend } from './publish-data.ts'
import { reportedComments } from './reported-comments.ts'
import { saved, saves, textOf, typeAtEnd } from './written-memo.ts'

test.use({ viewport: { width: 1440, height: 900 } })

/** Holds the requests to an address that change something. Returns what waits for one, and what lets all through. */
async function hold(desk: Page, address: string) {
  const held: (() => void)[] = []
  let sent = 0
  await desk.route(address, async (route) => {
    if (route.request().method() === 'GET') return await route.fallback()
    sent += 1
    // The server does it at once, and only its word is late.
    const response = await route.fetch()
    await new Promise<void>((resolve) => held.push(resolve))
    await route.fulfill({ response })
  })
  return {
    sent: () => sent,
    isHeld: () => expect.poll(() => held.length).toBe(1),
    release: () => {
      for (const go of held.splice(0)) go()
    },
  }
}

test.describe('a success is told only after the server’s word', () => {
  // Events would tell of it before.
  test.beforeEach(({ desk }) => desk.routeWebSocket(/\/desk\/socket/, () => undefined))

  test('that words are saved', async ({ desk, request }) => {
    const key = '05-03-51-3PM'
    await draftOf(request, key, ['A memo'], { memo_content: '<p>Before</p>' })
    await desk.goto(`/desk/editions/${key}`)
    await expect(textOf(desk)).toHaveText('Before')
    const { isHeld, release } = await hold(desk, saves)
    await typeAtEnd(desk, ' after')
    await isHeld()
    await expect(desk.getByText('Saving…')).toBeVisible()
    await expect(desk.getByText(/^Saved/)).toBeHidden()
    release()
    await saved(desk)
  })

  test('that an edition is published', async ({ desk, request }) => {
    const key = '05-04-51-3PM'
    await draftOf(request, key, ['Ships plug in'])
    await desk.goto('/desk/days/05-04-51')
    const slot = desk.getByRole('region', { name: '3PM', exact: true, includeHidden: true })
    await slot.getByRole('button', { name: 'Schedule…' }).click()
    const dialog = desk.getByRole('dialog')
    await dialog.getByRole('radio', { name: 'Now' }).check()
    const { isHeld, release } = await hold(desk, '**/editions/*/publish')
    await dialog.getByRole('button', { name: 'Publish now' }).click()
    await isHeld()
    await expect(dialog).toBeVisible()
    await expect(slot).toContainText('Draft')
    await expect(slot).not.toContainText('Published')
    release()
    await expect(dialog).toBeHidden()
    await expect(slot).toContainText(/Published|Delivered/)
  })

  test('that a test is sent', async ({ desk, request }) => {
    const key = '05-05-51-3PM'
    await draftOf(request, key, ['Ships plug in'])
    await desk.goto(`/desk/editions/${key}`)
    await desk.getByRole('region', { name: 'Preview' }).getByRole('button', { name: 'Test…' }).click()
    const dialog = desk.getByRole('dialog', { name: 'Send a test of 3PM' })
    await dialog.getByRole('radio', { name: 'Email', exact: true }).check()
    await dialog.getByLabel('Email address').fill('held-test@example.com')
    const { isHeld, release, sent } = await hold(desk, '**/test-send')
    await dialog.getByRole('button', { name: 'Send test' }).dblclick()
    await isHeld()
    await expect(dialog.getByRole('button', { name: 'Sending…' })).toBeDisabled()
    await expect(dialog.getByText(/^Sent/)).toBeHidden()
    release()
    await expect(dialog.getByText('Sent to held-test@example.com.')).toBeVisible()
    expect(sent()).toBe(1)
  })

  test('that a correction is public, which a double click publishes once', async ({ desk, request }) => {
    const key = '05-06-51-3PM'
    await draftOf(request, key, ['The last coal train'], { memo_content: '<p>Thirty wagons</p>' })
    await publishAndSend(request, key)
    await desk.goto(`/desk/editions/${key}`)
    await textOf(desk).fill('Thirteen wagons')
    await saved(desk)
    const { isHeld, release } = await hold(desk, '**/working-copy/publish')
    await desk.getByRole('button', { name: 'Publish correction' }).dblclick()
    await isHeld()
    const strip = desk.getByText('This memo is public. Your changes are not.')
    await expect(strip).toBeVisible()
    await expect(desk.getByText(/^Saved \d+ s ago, not public$/)).toBeVisible()
    release()
    await expect(strip).toBeHidden()
    await expect(desk.getByRole('alert').filter({ hasText: /./ })).toHaveCount(0)
    const entries = "SELECT 1 FROM audit_entry WHERE subject = $1 AND action = 'memo.correct'"
    expect(await query(entries, [key])).toHaveLength(1)
  })

  test('that a comment is hidden; a failure is told until the next try', async ({
    desk,
    request,
    consoleErrors,
  }) => {
    // The browser reports the request that failed.
    consoleErrors.ignore()
    const edition = await editorOf(request).publish(['Harbour opens'])
    const content = `Held below ${edition}`
    await reportedComments(request, edition, [content])
    await desk.clock.install()
    await desk.goto('/desk/comments')
    const list = desk.getByRole('region', { name: 'Comments' })
    const row = list.getByRole('listitem').filter({ hasText: content })
    await list.getByRole('button', { name: content }).click()
    const hiding = '**/comments/hide'
    await desk.route(hiding, (route) => route.abort('timedout'))
    await desk.keyboard.press('h')
    const failure = list.getByText('The desk can’t be reached. Check your connection and try again.')
    await expect(failure).toBeVisible()
    await desk.clock.runFor('10:00')
    await expect(failure).toBeVisible()
    await expect(row).toHaveCount(1)
    await desk.unroute(hiding)

    const { isHeld, release } = await hold(desk, hiding)
    await desk.keyboard.press('h')
    await isHeld()
    await expect(failure).toBeHidden()
    await expect(desk.getByText(/^Hidden:/)).toBeHidden()
    release()
    await expect(desk.getByText('Hidden: 1 comment.')).toBeVisible()
    await expect(row).toHaveCount(0)
  })
})
