import type { Page } from 'playwright-core'
import { bundleProsemirror } from '../../bare/bare-prosemirror.ts'
import { connect } from '../../data/connect.ts'
import { makeProse } from '../../data/paragraphs.ts'
import { milliseconds } from '../../results/figures.ts'
import { quantile } from '../../results/median.ts'
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

const textBox = 'role="textbox" aria-label="Text" style="max-width: 36em; font: 1.125rem/1.75rem serif"'

type Place = 'middle' | 'end'

const draftSql = `
  WITH draft AS (
    INSERT INTO edition (date, slot, status, publish_at)
    VALUES ('2026-11-21', '10AM', 'draft', '2026-11-21T18:00:00Z') RETURNING id
  )
  INSERT INTO memo (edition_id, position, title, content)
  SELECT draft.id, position, 'Memo ' || position, CASE WHEN position = 1 THEN $1 ELSE '<p>Short.</p>' END
  FROM draft, generate_series(1, 6) position`

const articleSql = `
  INSERT INTO article (title, content) VALUES ('A long article', $1) RETURNING id::text`

/**
 * Notes for each key the time that the page works until it is on the screen: from the event to the end of its tasks, and
 * for the next frame. The wait for the screen between both isn't work.
 */
const noteKeys = `
  window.keyWork = []
  addEventListener('keydown', ({ timeStamp }) => {
    let tasksEnd = null
    addEventListener('input', () => {
      const tasks = new MessageChannel()
      tasks.port1.onmessage = () => { tasksEnd ??= performance.now() }
      tasks.port2.postMessage(null)
    }, { capture: true, once: true })
    requestAnimationFrame(() => {
      const begin = performance.now()
      tasksEnd ??= begin
      const painted = new MessageChannel()
      painted.port1.onmessage = () => window.keyWork.push(tasksEnd - timeStamp + performance.now() - begin)
      painted.port2.postMessage(null)
    })
  }, true)`

/**
 * Measures the work of the page for each key that is typed in a text of 2,000 words, with a slower processor. The
 * alternative is an element with `contenteditable` and the same text, alone on a page. ProseMirror alone on such a page
 * is measured beside it.
 */
export async function measureDeskTyping(bench: Bench): Promise<Row[]> {
  const { databases, progress, quick } = bench
  return await bench.lifetime.within(async (lifetime) => {
    const { week, dataDir } = await databases()
    const databaseUrl = await week()
    const database = await connect(lifetime, databaseUrl)
    const api = await startApi(lifetime, { name: 'desk-typing-api', databaseUrl, dataDir })
    await database.query(draftSql, [longText()])
    const { rows: articles } = await database.query<{ id: string }>(articleSql, [longText()])
    const browser = await openDeskBrowser(lifetime, { progress, url: api.url, database })
    const type = async (where: string, url: string, place: Place) => {
      const page = await browser.newPage()
      await page.addInitScript({ content: noteKeys })
      await page.goto(url)
      const works = await progress.step(`Typing ${where}`, () => typeAt(page, place, quick ? 60 : 300))
      await page.close()
      return works
    }
    const script = await bundleProsemirror()
    const rows: Row[] = []
    for (const [where, path, place] of [
      ['in the middle of a memo', `editions/${key}`, 'middle'],
      ['at the end of a memo', `editions/${key}`, 'end'],
      ['at the end of an article', `articles/${articles[0]?.id}`, 'end'],
    ] as const) {
      const bare = await type('in a bare element', barePage(), place)
      const prosemirror = await type('in ProseMirror alone', prosemirrorPage(script), place)
      const works = await type(where, `${api.url}/desk/${path}`, place)
      rows.push(...rowsOf(where, { works, prosemirror, bare }))
    }
    return rows
  })
}

function rowsOf(
  where: string,
  { works, prosemirror, bare }: Record<'works' | 'prosemirror' | 'bare', readonly number[]>,
): Row[] {
  const figures = (ofPage: readonly number[], share: number) => {
    const [figure, other] = [quantile(ofPage, share), quantile(bare, share)]
    return {
      figure: milliseconds(figure),
      alternative: milliseconds(other),
      ratio: (figure / other).toFixed(2),
    }
  }
  return [
    {
      measure: `Key ${where} of ${wordCount} words, processor ${slowerCpu}× slower: p95 of ${works.length}`,
      ...figures(works, 0.95),
      target: `< ${maxMs} ms`,
      passed: quantile(works, 0.95) < maxMs,
    },
    { measure: 'the median of them', ...figures(works, 0.5) },
    { measure: 'the same in ProseMirror alone: p95', ...figures(prosemirror, 0.95) },
    { measure: 'the median of these', ...figures(prosemirror, 0.5) },
  ]
}

function barePage(): string {
  return pageOf(`<div contenteditable ${textBox}>${longText()}</div>`)
}

function prosemirrorPage(script: string): string {
  const style = '<style>[role=textbox] { white-space: pre-wrap }</style>'
  return pageOf(`${style}<div ${textBox}>${longText()}</div><script type="module">${script}</script>`)
}

function pageOf(html: string): string {
  return `data:text/html,${encodeURIComponent(html)}`
}

async function typeAt(page: Page, place: Place, count: number): Promise<number[]> {
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
