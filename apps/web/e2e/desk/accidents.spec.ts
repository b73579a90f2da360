import type { Page } from '@playwright/test'
import { editorOf } from '../editor.ts'
import { expect, test } from './desk-page.ts'
import { query } from './desk-people.ts'
import { draftOf, endDelivery, publishAndSend, publishForLater } from './publish-data.ts'
import { saved, saves, scriptOf, textOf, typeAtEnd } from './written-memo.ts'

test.use({ viewport: { width: 1280, height: 900 } })

const publication = '**/editions/*/publish'

/** Opens the dialog of an edition’s day, with “Now” chosen. */
async function openPublish(desk: Page, key: string) {
  await desk.goto(`/desk/days/${key.slice(0, 8)}`)
  await desk.getByRole('button', { name: 'Schedule…' }).click()
  const dialog = desk.getByRole('dialog')
  await dialog.getByRole('radio', { name: 'Now' }).check()
  await expect(dialog.getByRole('button', { name: 'Publish now' })).toBeEnabled()
  return dialog
}

/** Returns how often an edition was published. */
async function publications(key: string): Promise<number> {
  const rows = await query("SELECT 1 FROM audit_entry WHERE subject = $1 AND action = 'edition.publish'", [
    key,
  ])
  return rows.length
}

test.describe('an edition', () => {
  test('isn’t published by a tab that doesn’t show its newest memo', async ({
    desk,
    request,
    consoleErrors,
  }) => {
    consoleErrors.ignore()
    const key = '02-03-51-3PM'
    const script = scriptOf(request)
    await script.start(key)
    await script.add(key, { title: 'The first', memo_content: '<p>Words</p>' })
    const { id } = await script.add(key, { title: 'The second', memo_content: '<p>Words</p>' })
    await desk.routeWebSocket(/\/desk\/socket/, () => undefined)
    const dialog = await openPublish(desk, key)
    await script.save(id, { memo_content: '<p>Other words</p>' })

    await dialog.getByRole('button', { name: 'Publish now' }).click()

    await expect(dialog.getByText(/changed memo 2, \d+ s ago\. Look again\.$/)).toBeVisible()
    await expect(dialog.getByRole('button', { name: 'Publish now' })).toBeDisabled()
    await desk.keyboard.press('ControlOrMeta+Enter')
    expect(await publications(key)).toBe(0)
    await expect(desk.getByRole('region', { name: '3PM' })).toContainText('Draft')
  })

  test('isn’t corrected with words of others that its person hasn’t seen', async ({
    desk,
    request,
    consoleErrors,
  }) => {
    consoleErrors.ignore()
    const key = '02-10-51-3PM'
    await draftOf(request, key, ['The last coal train'], { memo_content: '<p>Thirty wagons</p>' })
    await publishAndSend(request, key)
    await desk.routeWebSocket(/\/desk\/socket/, () => undefined)
    await desk.goto(`/desk/editions/${key}`)
    await textOf(desk).fill('Thirteen wagons')
    await saved(desk)
    const [memo] = await editorOf(request).memosOf(key)
    await scriptOf(request).save(memo?.id ?? '', { title: 'Not for readers yet' })

    await desk.getByRole('button', { name: 'Publish correction' }).click()

    await expect(desk.getByText('This memo was changed meanwhile. Look at it again.')).toBeVisible()
    expect(await editorOf(request).memosOf(key)).toEqual([memo])
    // The title of the other person is on the screen now, and may be published.
    await expect(desk.getByLabel('Title')).toHaveValue('Not for readers yet')
    await desk.getByRole('button', { name: 'Publish correction' }).click()
    await expect(desk.getByText('This memo is public. Your changes are not.')).toBeHidden()
    expect(await editorOf(request).memosOf(key)).toMatchObject([
      { title: 'Not for readers yet', memo_content: '<p>Thirteen wagons</p>' },
    ])
  })

  test('is published once by a double click and the key', async ({ desk, request }) => {
    const key = '02-04-51-3PM'
    await draftOf(request, key, ['Once'])
    const sent: string[] = []
    desk.on('request', (each) => {
      if (each.method() === 'POST' && each.url().endsWith('/publish')) sent.push(each.url())
    })
    const dialog = await openPublish(desk, key)
    await desk.route(publication, async (route) => {
      await desk.keyboard.press('ControlOrMeta+Enter')
      await route.continue()
    })

    await dialog.getByRole('button', { name: 'Publish now' }).dblclick()

    await expect(dialog).toBeHidden()
    await expect(desk.getByRole('region', { name: '3PM', exact: true })).toContainText('Published')
    expect(sent).toHaveLength(1)
    expect(await publications(key)).toBe(1)
  })

  test('is published once although the reply was lost, and says so only after the server’s word', async ({
    desk,
    request,
    consoleErrors,
  }) => {
    consoleErrors.ignore()
    const key = '02-05-51-3PM'
    await draftOf(request, key, ['A lost reply'])
    // Events would tell of the publication before the lost reply does.
    await desk.routeWebSocket(/\/desk\/socket/, () => undefined)
    const dialog = await openPublish(desk, key)
    await desk.route(publication, async (route) => {
      await route.fetch()
      await route.abort('timedout')
    })
    await dialog.getByRole('button', { name: 'Publish now' }).click()
    await expect(dialog.getByText('The desk can’t be reached.')).toBeVisible()
    await desk.unroute(publication)

    await dialog.getByRole('button', { name: 'Cancel' }).click()

    await expect(desk.getByRole('region', { name: '3PM', exact: true })).toContainText('Published')
    expect(await publications(key)).toBe(1)
  })

  test('that is scheduled and taken back doesn’t go out at its time', async ({ desk, request }) => {
    const [back, control] = ['02-06-51-3PM', '02-07-51-3PM']
    for (const key of [back, control]) {
      await draftOf(request, key, [`Scheduled ${key}`])
      await desk.goto(`/desk/days/${key.slice(0, 8)}`)
      await desk.getByRole('button', { name: 'Schedule…' }).click()
      const dialog = desk.getByRole('dialog')
      await dialog.getByLabel('Send it to members').uncheck()
      await dialog.getByRole('button', { name: 'Schedule for 3:00 PM' }).click()
      await expect(dialog).toBeHidden()
    }
    await desk.goto(`/desk/days/${back.slice(0, 8)}`)
    await desk.getByRole('button', { name: 'Back to draft' }).click()
    await expect(desk.getByText('Back to draft. Nothing is sent.')).toBeVisible()

    // The time of both comes.
    await query(
      "UPDATE edition SET publish_at = now() - interval '1 second' WHERE to_char(date, 'MM-DD-YY-') || slot = ANY($1)",
      [[back, control]],
    )

    const status = async (key: string) =>
      await query("SELECT status FROM edition WHERE to_char(date, 'MM-DD-YY-') || slot = $1", [key])
    await expect.poll(() => status(control), { timeout: 100_000 }).not.toEqual([{ status: 'scheduled' }])
    expect(await status(back)).toEqual([{ status: 'draft' }])
    expect(await publications(back)).toBe(0)
  })

  test('can be stopped from every screen while it waits to be sent', async ({ desk, request }) => {
    const key = '02-08-51-10AM'
    await draftOf(request, key, ['Stop me'])
    await publishForLater(request, key)
    const other = '02-09-51-10AM'
    await draftOf(request, other, ['Another'])
    const strip = desk.getByRole('region', { name: 'Delivery of 10AM' })
    const screens = [
      '',
      `/days/${key.slice(0, 8)}`,
      `/editions/${other}`,
      `/editions/${key}/delivery`,
      '/archive',
      '/comments',
      '/people',
      '/people/log',
      '/you',
    ]
    for (const path of screens) {
      await desk.goto(`/desk${path}`)
      await expect(strip.getByRole('button', { name: 'Stop. Send nothing yet' })).toBeVisible()
    }

    await desk.setViewportSize({ width: 390, height: 844 })
    await strip.getByRole('button', { name: 'Stop. Send nothing yet' }).click()

    await expect(strip.getByText('Stopped. 10AM stays on the site; nothing was sent.').first()).toBeVisible()
    await endDelivery(key)
  })
})

/** Replies that are no success. */
const failures = [
  ['an error of the server', { status: 500 }],
  ['a lost connection', 'timedout'],
] as const

for (const [index, [name, failure]] of failures.entries()) {
  test.describe(`after ${name}`, () => {
    /** Fails the requests of an address, apart from those that only read. Returns what counts them. */
    async function fail(desk: Page, address: string): Promise<() => number> {
      let count = 0
      await desk.route(address, async (route) => {
        if (route.request().method() === 'GET') return await route.fallback()
        const error = { code: 'internal-error', message: 'Something went wrong. Try again.' }
        if (failure === 'timedout') await route.abort(failure)
        else await route.fulfill({ ...failure, json: { error } })
        count += 1
      })
      return () => count
    }
    test.beforeEach(({ consoleErrors }) => consoleErrors.ignore())
    const failed = /Something went wrong|can’t be reached/

    test('nothing is saved', async ({ desk, request }) => {
      const key = `03-0${index + 1}-52-3PM`
      const script = scriptOf(request)
      await script.start(key)
      const { id, path } = await script.add(key, { title: 'A memo', memo_content: '<p>Before</p>' })
      await desk.goto(path)
      await expect(textOf(desk)).toHaveText('Before')
      await fail(desk, saves)
      await typeAtEnd(desk, ' after')
      const state = desk.getByText(/^Kept on this device \d+ s ago, not saved yet$/)
      await expect(state).toBeVisible()
      const tried = desk.waitForRequest(
        (each) => each.method() === 'PUT' && each.url().endsWith('/working-copy'),
      )
      await desk.getByRole('button', { name: 'Mark as ready' }).click()
      await tried
      await expect(state).toBeVisible()
      await expect(desk.getByText(/^Saved/)).toBeHidden()
      expect((await script.read(id)).memo_content).toBe('<p>Before</p>')
      await desk.unroute(saves)
      await saved(desk)
    })

    test('nothing is published, scheduled or taken back', async ({ desk, request }) => {
      const key = `03-0${index + 3}-52-3PM`
      await draftOf(request, key, ['Not yet'])
      const dialog = await openPublish(desk, key)
      await fail(desk, publication)
      await dialog.getByRole('button', { name: 'Publish now' }).click()
      await expect(dialog.getByText(failed)).toBeVisible()
      const slot = desk.getByRole('region', { name: '3PM', exact: true, includeHidden: true })
      await expect(slot).not.toContainText('Published')
      await dialog.getByRole('radio', { name: /^At 3:00 PM/ }).check()
      const schedules = await fail(desk, `**/editions/${key}`)
      await dialog.getByRole('button', { name: 'Schedule for 3:00 PM' }).click()
      // The first failure may still be shown.
      await expect.poll(schedules).toBe(1)
      await expect(dialog.getByText(failed)).toBeVisible()
      await desk.unroute(`**/editions/${key}`)
      await dialog.getByRole('button', { name: 'Schedule for 3:00 PM' }).click()
      await expect(dialog).toBeHidden()
      await fail(desk, `**/editions/${key}`)
      await slot.getByRole('button', { name: 'Back to draft' }).click()
      await expect(slot.getByText(failed)).toBeVisible()
      await expect(slot).not.toContainText('Nothing is sent')
      await expect(slot).toContainText('Scheduled')
      expect(await publications(key)).toBe(0)
    })

    test('nothing is stopped', async ({ desk, request }) => {
      const key = `03-0${index + 5}-52-8PM`
      await draftOf(request, key, ['Going on'])
      await publishForLater(request, key)
      await desk.goto('/desk')
      const strip = desk.getByRole('region', { name: 'Delivery of 8PM' })
      await fail(desk, '**/deliveries/stop')
      await strip.getByRole('button', { name: 'Stop. Send nothing yet' }).click()
      await expect(strip.getByText(failed)).toBeVisible()
      await expect(strip.getByText(/^Stopped/)).toBeHidden()
      await expect(strip.getByRole('button', { name: 'Stop. Send nothing yet' })).toBeEnabled()
      await desk.unroute('**/deliveries/stop')
      await strip.getByRole('button', { name: 'Stop. Send nothing yet' }).click()
      await expect(strip.getByText(/^Stopped/).first()).toBeVisible()
      await endDelivery(key)
    })
  })
}
