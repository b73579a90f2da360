import type { Page } from 'playwright-core'
import { connect } from '../../data/connect.ts'
import { makeProse } from '../../data/paragraphs.ts'
import { milliseconds } from '../../results/figures.ts'
import { median, quantile } from '../../results/median.ts'
import type { Row } from '../../results/table.ts'
import { startApi } from '../../sites/api.ts'
import type { Bench } from '../../sites/bench.ts'
import { openDeskBrowser } from '../../sites/desk-browser.ts'

const key = '11-21-26-10AM'
const wordCount = 2_000
const paragraphWords = 80
const slowerCpu = 4
const keyPauseMs = 90
const maxMs = 16

const draftSql = `
  WITH draft AS (
    INSERT INTO edition (date, slot, status, publish_at)
    VALUES ('2026-11-21', '10AM', 'draft', '2026-11-21T18:00:00Z') RETURNING id
  )
  INSERT INTO memo (edition_id, position, title, content)
  SELECT draft.id, position, 'Memo ' || position, CASE WHEN position = 1 THEN $1 ELSE '<p>Short.</p>' END
  FROM draft, generate_series(1, 6) position`

/**
 * Notes for each key the time that the page works for it: from the event to the end of its tasks, and for the next frame.
 * The wait for the screen between both isn't work.
 */
const noteKeys = `
  window.keyWork = []
  const channel = new MessageChannel()
  let started = null
  addEventListener('keydown', ({ timeStamp }) => { started ??= timeStamp }, true)
  addEventListener('input', () => {
    const from = started
    started = null
    if (from === null) return
    channel.port1.onmessage = () => {
      const tasks = performance.now() - from
      requestAnimationFrame((frame) => {
        const begin = performance.now()
        const painted = new MessageChannel()
        painted.port1.onmessage = () => window.keyWork.push(tasks + performance.now() - begin)
        painted.port2.postMessage(null)
      })
    }
    channel.port2.postMessage(null)
  }, true)`

/** Measures the work of the page for each key that is typed in a text of 2,000 words, with a slower processor. */
export async function measureDeskTyping(bench: Bench): Promise<Row[]> {
  const { databases, progress, quick } = bench
  return await bench.lifetime.within(async (lifetime) => {
    const { week, dataDir } = await databases()
    const databaseUrl = await week()
    const database = await connect(lifetime, databaseUrl)
    const api = await startApi(lifetime, { name: 'desk-typing-api', databaseUrl, dataDir })
    await database.query(draftSql, [longText()])
    const browser = await openDeskBrowser(lifetime, { progress, url: api.url, database })
    const page = await browser.newPage()
    await page.addInitScript({ content: noteKeys })
    await page.goto(`${api.url}/desk/editions/${key}`)
    const places = { middle: 'at the middle', end: 'at the end' } as const
    const rows: Row[] = []
    for (const place of ['middle', 'end'] as const) {
      const works = await progress.step(`Typing ${places[place]}`, () =>
        typeAt(page, place, quick ? 60 : 300),
      )
      const p95 = quantile(works, 0.95)
      rows.push({
        measure: `Key in a text of ${wordCount} words, ${places[place]}, processor ${slowerCpu}× slower: p95 of ${works.length}`,
        figure: milliseconds(p95),
        target: `< ${maxMs} ms`,
        passed: p95 < maxMs,
      })
      rows.push({ measure: 'the median of them', figure: milliseconds(median(works)) })
    }
    return rows
  })
}

async function typeAt(page: Page, place: 'middle' | 'end', count: number): Promise<number[]> {
  const text = page.getByRole('textbox', { name: 'Text', exact: true })
  await text.waitFor()
  const paragraph = text.locator('p').nth(Math.floor(wordCount / paragraphWords / 2))
  if (place === 'middle') await paragraph.click()
  else await text.focus()
  await page.keyboard.press(place === 'middle' ? 'End' : 'ControlOrMeta+End')
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowerCpu })
  const words = 'and so it goes on with words '.repeat(Math.ceil(count / 29)).slice(0, count)
  await page.keyboard.type(words.slice(0, 20), { delay: keyPauseMs })
  await page.evaluate('keyWork.length = 0')
  await page.keyboard.type(words, { delay: keyPauseMs })
  const works = await page.evaluate<number[]>('keyWork')
  await session.send('Emulation.setCPUThrottlingRate', { rate: 1 })
  return works
}

function longText(): string {
  const words = makeProse(200).join(' ').split(/\s+/).slice(0, wordCount)
  const paragraphs: string[] = []
  for (let from = 0; from < words.length; from += paragraphWords) {
    paragraphs.push(`<p>${words.slice(from, from + paragraphWords).join(' ')}</p>`)
  }
  return paragraphs.join('')
}
