import type { Locator, Page } from '@playwright/test'
import { editorOf } from './editor.ts'
import { expect, fontsLoaded, test } from './reader.ts'

/** Returns the titles on the screen whose last line is a single word. */
function widowsIn(page: Page, selector: string): Promise<string[]> {
  return page.locator(selector).evaluateAll((titles) =>
    titles.flatMap((title) => {
      const range = document.createRange()
      const text = title.firstChild
      const words = [...(title.textContent ?? '').matchAll(/\S+/g)]
      if (text === null || words.length < 3) return []
      const tops = words.map(({ index, 0: word }) => {
        range.setStart(text, index)
        range.setEnd(text, index + word.length)
        return range.getBoundingClientRect().top
      })
      const [before, last] = tops.slice(-2)
      return before !== last ? [title.textContent ?? ''] : []
    }),
  )
}

test('no seeded title ends with a line of a single word on a phone', async ({ reader }) => {
  await reader.setViewportSize({ width: 390, height: 844 })
  const list: { date: string; time_stamp: string }[] = await (
    await reader.request.get('/edition/prod/get_list')
  ).json()
  // Other tests publish into years of their own.
  const seeded = list.filter(({ date }) => /-(2[2-9])$/.test(date)).slice(0, 30)
  expect(seeded.length).toBeGreaterThan(3)
  const widows: string[] = []
  for (const { date, time_stamp } of seeded) {
    await reader.goto(`/#/edition/${date}-${time_stamp}`)
    const shown = reader.locator('.slot[data-shown="true"]')
    await expect(shown).toHaveAttribute('href', new RegExp(`/edition/${date}-${time_stamp}$`))
    await expect(reader.getByRole('region', { name: `Memos of the ${time_stamp} edition` })).toBeVisible()
    await expect(reader.locator('.memo').first()).toBeVisible()
    await fontsLoaded(reader)
    widows.push(...(await widowsIn(reader, '.memo-title > span:first-child')))
  }
  expect([...new Set(widows)]).toEqual([])
})

async function topOf(title: Locator): Promise<number> {
  return await title.evaluate((element) => element.getBoundingClientRect().top)
}

for (const [name, size] of [
  ['on a phone', { width: 390, height: 844 }],
  ['in the phone frame', { width: 1440, height: 900 }],
] as const) {
  test(`a title in the middle stays where it was opened ${name}`, async ({ reader, request }) => {
    await reader.clock.install()
    await reader.emulateMedia({ reducedMotion: 'reduce' })
    await reader.setViewportSize(size)
    const titles = ['One harbor', 'Two rivers', 'Three roads', 'Four hills', 'Five lakes']
    const edition = await editorOf(request).publish(titles)
    await reader.goto(`/#/edition/${edition}`)
    for (const [index, label] of ['Two rivers', 'Three roads'].entries()) {
      const title = reader.getByRole('button', { name: label })
      await expect(title).toBeVisible()
      const before = await topOf(title)
      if (index === 0) await title.click()
      else {
        await title.focus()
        await reader.keyboard.press('Enter')
      }
      await expect(title).toHaveAttribute('aria-expanded', 'true')
      await expect(reader.getByText(`The body of ${label}`)).toBeVisible()
      // Longer than the delay of a scroll, which is at once without motion.
      await reader.clock.runFor(1000)
      expect(await topOf(title)).toBe(before)
    }
  })
}
