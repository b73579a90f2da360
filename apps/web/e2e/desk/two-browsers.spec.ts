import { expect, test } from './desk-page.ts'
import { signInAs } from './desk-people.ts'
import { randomOf } from './random.ts'
import { startWriter } from './random-writer.ts'
import { twoBrowsers } from './two-browsers.config.ts'
import { scriptOf } from './written-memo.ts'

test.use({ viewport: { width: 1280, height: 900 } })

test('two browsers on one edition lose no word, show the same in the end, and versions explain it', async ({
  page,
  browser,
  request,
  consoleErrors,
}) => {
  // The browser reports each lost request.
  consoleErrors.ignore()
  const [edits, seed] = [twoBrowsers.edits(), twoBrowsers.seed()]
  test.setTimeout((edits * 4 + 240) * 1_000)
  const key = '04-01-53-3PM'
  const script = scriptOf(request)
  await script.start(key)
  const memos: { id: string; path: string }[] = []
  for (const title of ['One', 'Two', 'Three']) memos.push(await script.add(key, { title, memo_content: '' }))
  const paths = memos.map(({ path }) => path)
  const other = await browser.newPage({ viewport: { width: 1280, height: 900 }, serviceWorkers: 'block' })
  const people = [await signInAs(page.context(), 'Ada Anders'), await signInAs(other.context(), 'Bo Berg')]
  const writers = [
    await startWriter(page, { name: people[0]?.name ?? '', random: randomOf(seed), paths }),
    await startWriter(other, { name: people[1]?.name ?? '', random: randomOf(seed + 1), paths }),
  ]

  const write = async ({ act }: (typeof writers)[number]) => {
    for (let count = 0; count < edits; count += 1) await act()
  }
  await Promise.all(writers.map(write))

  // The choice of one person may be news for the other.
  for (const { finish } of [...writers, ...writers]) await finish()
  const typed = writers.flatMap(({ words }) => words)
  expect(typed.length).toBeGreaterThan(edits / 2)
  const finalTexts: string[] = []
  for (const { id, path } of memos) {
    const { title, memo_content } = await script.read(id)
    finalTexts.push(title, memo_content)
    const text = textIn(memo_content)
    for (const { shown } of writers)
      await expect.poll(async () => (await shown(path)).map(textIn)).toEqual([textIn(title), text])
  }
  const versions = (await Promise.all(memos.map(({ id }) => script.versions(id)))).flat()
  const has = (texts: readonly string[], word: string) => texts.some((text) => wordsOf(text).includes(word))
  const versionsOf = (name: string) =>
    versions
      .filter(({ savedBy }) => savedBy === name)
      .flatMap(({ fields }) => [fields.title, fields.memo_content])
  const lost = typed.filter(({ by, word }) => !has(finalTexts, word) && !has(versionsOf(by), word))
  expect(lost, `seed ${seed}: words that are neither in a memo nor in a version of their writer`).toEqual([])
  for (const { id } of memos) {
    const { title, memo_content } = await script.read(id)
    const states = (await script.versions(id)).filter(({ kind }) => kind !== 'refused')
    expect(states.map(({ fields }) => [fields.title, fields.memo_content])).toContainEqual([
      title,
      memo_content,
    ])
  }
  await other.close()
})

const wordsOf = (text: string) => text.replaceAll(/<[^>]*>/g, ' ').split(/\s+/)
const textIn = (text: string) => wordsOf(text.replaceAll('&nbsp;', ' ')).join('')
