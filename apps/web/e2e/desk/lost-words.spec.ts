import type { APIRequestContext, Page } from '@playwright/test'
import { expect, test } from './desk-page.ts'
import { addPasskey, changeRoles, endSessions, signInAs } from './desk-people.ts'
import { kept, saved, saves, scriptOf, textOf, typeAtEnd } from './written-memo.ts'

test.use({ viewport: { width: 1280, height: 900 } })
// The browser reports each request that failed.
test.beforeEach(({ consoleErrors }) => consoleErrors.ignore())

const left = (desk: Page) => desk.getByText('This device has words that weren’t saved.')

/** Opens a memo of an edition of its own, which has the word “Before”. */
async function openMemo(desk: Page, request: APIRequestContext, key: string): Promise<string> {
  const script = scriptOf(request)
  await script.start(key)
  const { id, path } = await script.add(key, { title: 'A memo', memo_content: '<p>Before</p>' })
  await desk.goto(path)
  await expect(textOf(desk)).toHaveText('Before')
  return id
}

/** Expects the words of a tab that was closed, which may have saved them in its last moment. */
async function expectSavedOrOffered(desk: Page, text: string): Promise<void> {
  const offered = desk.getByRole('region', { name: 'Words that weren’t saved' })
  await expect(offered.or(textOf(desk).getByText(text, { exact: true })).first()).toBeVisible()
  if (await offered.isVisible()) await desk.getByRole('button', { name: 'Put them back' }).click()
  await expect(textOf(desk)).toHaveText(text)
  await saved(desk)
}

test.describe('a typed word', () => {
  test('is saved in every field and memo once the connection is back', async ({ desk, request }) => {
    const key = '01-03-50-3PM'
    const first = await openMemo(desk, request, key)
    const second = await scriptOf(request).add(key, { title: 'Another', memo_content: '<p>Before</p>' })
    // The other memo is read before it is opened.
    const isRead = desk.waitForResponse(`**/${second.id}/working-copy`)
    await desk.reload()
    await expect(desk.getByLabel('Title')).toHaveValue('A memo')
    await isRead
    await desk.context().setOffline(true)
    await desk.getByRole('link', { name: 'Another' }).click()
    await expect(desk.getByLabel('Title')).toHaveValue('Another')
    await typeAtEnd(desk, ' offline2')
    await kept(desk)
    await desk.getByRole('link', { name: 'A memo' }).click()
    await expect(desk.getByLabel('Title')).toHaveValue('A memo')
    await typeAtEnd(desk, ' offline1')
    await desk.getByLabel('Title').fill('A memo typed offline')
    await kept(desk)

    await desk.context().setOffline(false)

    await saved(desk)
    const texts = async () => {
      const [one, two] = [await scriptOf(request).read(first), await scriptOf(request).read(second.id)]
      return [one.title, one.memo_content, two.memo_content]
    }
    await expect
      .poll(texts)
      .toEqual(['A memo typed offline', '<p>Before offline1</p>', '<p>Before offline2</p>'])
  })

  test('stays on the screen while the person signs in again, and is saved then', async ({
    page,
    request,
  }) => {
    const person = await signInAs(page.context(), 'Sina Session')
    await openMemo(page, request, '01-04-50-3PM')
    await addPasskey(page, person)
    await typeAtEnd(page, ' ')
    await endSessions(person)
    // The dialog that comes takes the keys.
    await page.keyboard.insertText('typed without a session')
    const dialog = page.getByRole('dialog', { name: 'You were signed out.' })
    await expect(dialog).toBeVisible()
    await kept(page)
    await expect(textOf(page)).toHaveText('Before typed without a session')

    await dialog.getByRole('button', { name: 'Sign in with a passkey' }).click()

    await expect(dialog).toBeHidden()
    await saved(page)
    await expect(textOf(page)).toHaveText('Before typed without a session')
    await page.reload()
    await expect(textOf(page)).toHaveText('Before typed without a session')
    await expect(left(page)).toBeHidden()
  })

  test('survives the crash of its tab, and is offered beside what was saved since', async ({
    desk,
    request,
  }) => {
    const id = await openMemo(desk, request, '01-05-50-3PM')
    await desk.route(saves, (route) => route.abort())
    await typeAtEnd(desk, ' crashing')
    await kept(desk)
    const other = await desk.context().newPage()
    const crashed = desk.waitForEvent('crash')
    const session = await desk.context().newCDPSession(desk)
    // The page crashes before it can answer.
    void session.send('Page.crash').catch(() => null)
    await crashed
    await scriptOf(request).save(id, { memo_content: '<p>Before, and corrected</p>' })

    await other.goto(`/desk/editions/01-05-50-3PM/memos/${id}`)

    await expect(left(other)).toBeVisible()
    await expect(other.getByText('The memo was changed since. Compare before you choose.')).toBeVisible()
    const region = other.getByRole('region', { name: 'Words that weren’t saved' })
    await expect(region.getByRole('region')).toContainText(['Before crashing', 'Before, and corrected'])
    await expect(textOf(other)).toHaveText('Before, and corrected')
    await region.getByRole('button', { name: 'Put them back' }).click()
    await expect(other.getByText('Not saved: two texts')).toBeVisible()
    await other.getByRole('button', { name: 'Put them together' }).click()
    await saved(other)
    const { memo_content } = await scriptOf(request).read(id)
    expect(memo_content).toBe('<p>Before crashing</p><p>Before, and corrected</p>')
  })

  test('is saved or offered when the tab is closed right after the key', async ({ desk, request }) => {
    const id = await openMemo(desk, request, '01-06-50-3PM')
    await typeAtEnd(desk, ' closing')
    const { context, url } = { context: desk.context(), url: desk.url() }
    await desk.close()

    const again = await context.newPage()
    await again.goto(url)
    await expectSavedOrOffered(again, 'Before closing')
    expect((await scriptOf(request).read(id)).memo_content).toBe('<p>Before closing</p>')
  })

  test('stays on the device when it is refused, and goes to the server once it may', async ({
    page,
    request,
  }) => {
    const person = await signInAs(page.context(), 'Rita Refused', ['writer'])
    const id = await openMemo(page, request, '01-07-50-3PM')
    await page.getByLabel('Source').fill('no address')
    await typeAtEnd(page, ' typed beside it')
    await expect(page.getByText(/^Not saved: Source/)).toBeVisible()
    expect((await scriptOf(request).read(id)).memo_content).toBe('<p>Before typed beside it</p>')
    await expect(page.getByLabel('Source')).toHaveValue('no address')
    await page.getByLabel('Source').fill('https://example.com/')
    await saved(page)

    await changeRoles(person, ['moderator'])
    await typeAtEnd(page, ' and without a right')
    await expect(page.getByText(/^Not saved: /)).toBeVisible()
    await expect(textOf(page)).toHaveText('Before typed beside it and without a right')
    await changeRoles(person, ['writer'])
    await page.reload()
    await expect(left(page)).toBeVisible()
    await page.getByRole('button', { name: 'Put them back' }).click()
    await saved(page)
    await expect(textOf(page)).toHaveText('Before typed beside it and without a right')
  })

  test('of another tab is offered only once that tab is closed', async ({ desk, request }) => {
    await openMemo(desk, request, '01-08-50-3PM')
    await desk.route(saves, (route) => route.abort())
    await typeAtEnd(desk, ' in the first tab')
    await kept(desk)
    const other = await desk.context().newPage()
    await other.goto(desk.url())
    await expect(textOf(other)).toHaveText('Before')
    await expect(left(other)).toBeHidden()

    await desk.close()
    await other.reload()

    await expectSavedOrOffered(other, 'Before in the first tab')
  })

  test('meets the words of others after a day of sleep, side by side', async ({ desk, request }) => {
    await desk.clock.install()
    const id = await openMemo(desk, request, '01-09-50-3PM')
    await desk.context().setOffline(true)
    await typeAtEnd(desk, ' late at night')
    await kept(desk)
    await scriptOf(request).save(id, { title: 'Another title', memo_content: '<p>Written by day</p>' })
    await desk.clock.fastForward('24:00:00')

    await desk.context().setOffline(false)

    const both = desk.getByRole('region', { name: 'Two texts' })
    await expect(both.getByRole('region')).toContainText(['Before late at night', 'Written by day'])
    await expect(desk.getByLabel('Title')).toHaveValue('Another title')
    await both.getByRole('button', { name: /^Take / }).click()
    await expect(textOf(desk)).toHaveText('Written by day')
    const refused = (await scriptOf(request).versions(id)).filter(({ kind }) => kind === 'refused')
    expect(refused.map(({ fields }) => fields.memo_content)).toEqual(['<p>Before late at night</p>'])
  })

  test('outlasts a session that ended during a day of sleep, and merges with what others wrote', async ({
    page,
    request,
  }) => {
    const person = await signInAs(page.context(), 'Dora Day')
    await page.clock.install()
    const id = await openMemo(page, request, '01-11-50-3PM')
    await addPasskey(page, person)
    await page.context().setOffline(true)
    await typeAtEnd(page, ' late at night')
    await kept(page)
    await endSessions(person)
    await scriptOf(request).save(id, { title: 'Another title' })
    await page.clock.fastForward('24:00:00')

    await page.context().setOffline(false)

    const dialog = page.getByRole('dialog', { name: 'You were signed out.' })
    await expect(dialog).toBeVisible()
    await expect(textOf(page)).toHaveText('Before late at night')
    await dialog.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await expect(dialog).toBeHidden()
    await saved(page)
    await expect(page.getByLabel('Title')).toHaveValue('Another title')
    expect(await scriptOf(request).read(id)).toMatchObject({
      title: 'Another title',
      memo_content: '<p>Before late at night</p>',
    })
  })

  test('of a composition that isn’t finished is saved when another memo is opened', async ({
    desk,
    request,
  }) => {
    const key = '01-12-50-3PM'
    const id = await openMemo(desk, request, key)
    const other = await scriptOf(request).add(key, { title: 'Another', memo_content: '<p>Untouched</p>' })
    await desk.reload()
    await textOf(desk).focus()
    await desk.keyboard.press('ControlOrMeta+End')
    const session = await desk.context().newCDPSession(desk)
    await session.send('Input.imeSetComposition', { text: 'にほん', selectionStart: 3, selectionEnd: 3 })
    await expect(textOf(desk)).toHaveText('Beforeにほん')

    await desk.getByRole('link', { name: 'Another' }).click()

    await expect(textOf(desk)).toHaveText('Untouched')
    const texts = async () => {
      const [one, two] = [await scriptOf(request).read(id), await scriptOf(request).read(other.id)]
      return [one.memo_content, two.memo_content]
    }
    await expect.poll(texts).toEqual(['<p>Beforeにほん</p>', '<p>Untouched</p>'])
  })

  test('goes out in one save at a time, and no reply moves the caret or changes the text', async ({
    desk,
    request,
  }) => {
    const id = await openMemo(desk, request, '01-10-50-3PM')
    let [inFlight, most, isHeld] = [0, 0, true]
    const held: (() => void)[] = []
    await desk.route(saves, async (route) => {
      if (route.request().method() !== 'PUT') return await route.fallback()
      most = Math.max(most, ++inFlight)
      if (isHeld) await new Promise<void>((resolve) => held.push(resolve))
      const response = await route.fetch()
      const { data, ...rest } = await response.json()
      inFlight -= 1
      // The server may store other markup than what was typed.
      const json = { ...rest, data: { ...data, memo_content: '<p>From the server</p>' } }
      await route.fulfill({ response, json })
    })
    await textOf(desk).focus()
    await desk.keyboard.press('ControlOrMeta+Home')
    for (const word of ['one', 'two', 'three', 'four']) {
      await desk.keyboard.type(word)
      await expect.poll(() => held.length).toBe(1)
      const reply = desk.waitForResponse((each) => each.request().method() === 'PUT')
      await desk.keyboard.type(`+${word}`)
      held.pop()?.()
      await reply
      await desk.keyboard.type(`-${word} `)
    }
    isHeld = false
    held.pop()?.()

    await saved(desk)
    const text = 'one+one-one two+two-two three+three-three four+four-four Before'
    await expect(textOf(desk)).toHaveText(text)
    expect(most).toBe(1)
    expect((await scriptOf(request).read(id)).memo_content).toBe(`<p>${text}</p>`)
  })
})
