import type { APIRequestContext, Locator, Page, WebSocketRoute } from '@playwright/test'
import { editorOf } from './editor.ts'
import { expect, fontsLoaded, test } from './reader.ts'

const fifth = 'Memo number 5 of a long morning'

/** Opens a new edition of fourteen memos, connected to the live feed. */
async function openLongMorning(page: Page, request: APIRequestContext) {
  const editor = editorOf(request)
  const titles = Array.from({ length: 14 }, (_, index) => `Memo number ${index + 1} of a long morning`)
  const edition = await editor.publish(titles)
  await page.goto(`/#/edition/${edition}`)
  await expect(title(page, fifth)).toBeVisible()
  await fontsLoaded(page)
  return { editor, edition }
}

function title(page: Page, name: string): Locator {
  return page.getByRole('button', { name, exact: true })
}

function line(page: Page): Locator {
  return page.getByRole('button', { name: 'New memo', exact: true })
}

/** Opens the fifth memo and scrolls into it. Returns what reads its place on the screen. */
async function readFifth(page: Page): Promise<() => Promise<number>> {
  await title(page, fifth).click()
  const body = page.getByText(`The body of ${fifth}`)
  await expect(body).toBeVisible()
  await page.evaluate(() => window.scrollTo(0, 300))
  return async () => (await body.boundingBox())?.y ?? Number.NaN
}

/** Lets a test close the page's live feed and keep it closed. */
async function interruptibleFeed(page: Page) {
  let isDown = false
  const open: WebSocketRoute[] = []
  await page.routeWebSocket(/\/socket$/, (socket) => {
    if (isDown) return void socket.close({ code: 1012 })
    socket.connectToServer()
    open.push(socket)
  })
  return {
    async interrupt() {
      isDown = true
      for (const socket of open.splice(0)) await socket.close({ code: 1012 })
    },
    async restore() {
      isDown = false
      await page.evaluate(() => window.dispatchEvent(new Event('online')))
    },
  }
}

/** Counts the rows that start an animation from now on. */
async function watchAnimations(page: Page): Promise<() => Promise<string[]>> {
  await page.evaluate(() => {
    document.addEventListener('animationstart', ({ target }) => {
      if (target instanceof HTMLElement && target.matches('.memo'))
        document.body.dataset.animated = `${document.body.dataset.animated ?? ''}|${target.querySelector('h2')?.textContent}`
    })
  })
  return async () => (await page.evaluate(() => document.body.dataset.animated ?? '')).split('|').slice(1)
}

test.describe('the live feed', () => {
  test('leaves what is being read in its place, to the pixel', async ({ reader, request }) => {
    const feed = await interruptibleFeed(reader)
    const { editor, edition } = await openLongMorning(reader, request)
    const place = await readFifth(reader)
    const before = await place()

    await editor.addMemo(edition, 'Breaking', { position: 1 })
    await expect(line(reader)).toBeVisible()
    expect(await place()).toBe(before)
    await expect(title(reader, 'Breaking')).toHaveCount(0)

    // A correction above, in a memo with a longer title than before.
    const corrected = `Memo number 2, corrected, ${'with a much longer title '.repeat(4)}`.trim()
    await editor.correctMemo(edition, 'Memo number 2 of a long morning', { title: corrected })
    await expect(title(reader, corrected)).toBeAttached()
    expect(await place()).toBe(before)

    await editor.withdrawMemo(edition, corrected)
    await expect(reader.getByText('This memo was withdrawn.')).toBeAttached()
    expect(await place()).toBe(before)

    // A gap: the page reads the edition again.
    await feed.interrupt()
    await editor.addMemo(edition, 'Missed in the tunnel', { position: 2 })
    const reread = reader.waitForResponse((response) => response.url().includes(edition))
    await feed.restore()
    await reread
    await expect(title(reader, 'Missed in the tunnel')).toHaveCount(0)
    expect(await place()).toBe(before)

    await line(reader).click()
    await expect(title(reader, 'Breaking')).toBeFocused()
    await expect(title(reader, 'Breaking')).toBeInViewport()
    await expect(line(reader)).toBeHidden()
  })

  test('offers a memo below what a scrolled reader sees, until they reach it', async ({
    reader,
    request,
  }) => {
    const { editor, edition } = await openLongMorning(reader, request)
    await reader.evaluate(() => window.scrollTo(0, 100))
    await editor.addMemo(edition, 'Late arrival')
    await expect(line(reader)).toBeVisible()
    await reader.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
    await expect(title(reader, 'Late arrival')).toBeInViewport()
    await expect(line(reader)).toBeHidden()
  })

  test('puts a memo at its position, and no other row enters again', async ({ reader, request }) => {
    await reader.emulateMedia({ reducedMotion: 'no-preference' })
    const { editor, edition } = await openLongMorning(reader, request)
    await expect(reader.locator('.memo[data-entered="true"]')).toHaveCount(14)
    const animated = await watchAnimations(reader)

    await editor.addMemo(edition, 'Second', { position: 2 })
    await expect(reader.getByRole('heading', { level: 2 }).nth(1)).toHaveText('Second')
    await expect(reader.getByText('New memo: Second')).toBeAttached()
    await expect(reader.locator('.memo[data-entered="true"]')).toHaveCount(15)
    await editor.correctMemo(edition, fifth, { position: 1 })
    await expect(reader.getByRole('heading', { level: 2 }).first()).toHaveText(fifth)
    expect(await animated()).toEqual(['Second'])
  })

  test('corrects an open memo quietly and closes a withdrawn one with a line', async ({
    reader,
    request,
  }) => {
    const { editor, edition } = await openLongMorning(reader, request)
    await title(reader, fifth).click()
    await editor.correctMemo(edition, fifth, { memo_content: '<p>The corrected body.</p>' })
    await expect(reader.getByText('The corrected body.')).toBeVisible()
    await expect(title(reader, fifth)).toHaveAttribute('aria-expanded', 'true')
    await expect(line(reader)).toBeHidden()

    await editor.withdrawMemo(edition, fifth)
    const withdrawn = reader.getByText('This memo was withdrawn.')
    await expect(withdrawn).toBeVisible()
    await expect(withdrawn.locator('..')).toBeFocused()
    await expect(reader.getByText('The corrected body.')).toHaveCount(0)
  })

  test('says that a new edition is here in a line with its own room', async ({ reader, request }) => {
    const { editor, edition } = await openLongMorning(reader, request)
    await editor.publishAfternoon(edition, ['Bronzes go home'])
    const offer = title(reader, 'The 3PM edition is here')
    await expect(offer).toBeVisible()
    const box = await offer.boundingBox()
    const masthead = await reader.locator('.masthead').boundingBox()
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(masthead?.y ?? 0)
    expect(box?.height).toBeGreaterThanOrEqual(44)
    await offer.click()
    await expect(title(reader, 'Bronzes go home')).toBeVisible()
  })

  test('two tabs agree about likes', async ({ reader, request }) => {
    const edition = await editorOf(request).publish(['Harbour opens'])
    const other = await reader.context().newPage()
    const hearts: Locator[] = []
    for (const page of [reader, other]) {
      await page.goto(`/#/edition/${edition}`)
      await title(page, 'Harbour opens').click()
      hearts.push(page.getByRole('button', { name: /^Like/ }))
    }
    for (const [isLiked, likes] of [
      ['true', '1'],
      ['false', '0'],
    ] as const) {
      await hearts[0]?.click()
      for (const heart of hearts) {
        await expect(heart).toHaveAttribute('aria-pressed', isLiked)
        await expect(heart).toHaveText(likes)
      }
    }
  })
})
