import type { BrowserContext, Page } from 'playwright-core'
import { connect } from '../../data/connect.ts'
import { fillRun } from '../../data/fill-deliveries.ts'
import { fillDesk } from '../../data/fill-desk.ts'
import { fillDeskHistory } from '../../data/fill-desk-history.ts'
import { milliseconds } from '../../results/figures.ts'
import { median } from '../../results/median.ts'
import type { Row } from '../../results/table.ts'
import { startApi } from '../../sites/api.ts'
import type { Bench } from '../../sites/bench.ts'
import { openDeskBrowser } from '../../sites/desk-browser.ts'
import { type DeskScreen, deskScreens } from './screens.ts'

const deliveriesOfRun = 10_000
const processors = [
  { slower: 1, maxMs: 1_000 },
  { slower: 4, maxMs: 2_500 },
] as const
/** A shift too small to see: web.dev calls up to 0.1 good. */
const maxShift = 0.02
/** Content after the first paint may still move it. */
const settleMs = 700
/** A screen that takes longer has no content, or its pattern is wrong. */
const timeout = 5_000

/** Marks the time once the content of a screen is drawn, and adds up how far it jumps. */
const watch = (useful: string) => `
  window.shift = 0
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shift += entry.value
  }).observe({ type: 'layout-shift', buffered: true })
  const useful = new RegExp(${JSON.stringify(useful)})
  const look = () => {
    const main = document.querySelector('main')
    if (main === null || !useful.test(main.innerText)) return
    observer.disconnect()
    requestAnimationFrame(() => setTimeout(() => performance.mark('useful')))
  }
  const observer = new MutationObserver(look)
  observer.observe(document, { childList: true, subtree: true, characterData: true })`

/** Measures every screen of a desk with 300 editions, 200,000 deliveries, 5,000 comments and 50,000 members. */
export async function measureDeskScreens(bench: Bench): Promise<Row[]> {
  const { databases, progress } = bench
  return await bench.lifetime.within(async (lifetime) => {
    const { deliveries, dataDir } = await databases()
    const databaseUrl = await deliveries('desk_screens')
    const database = await connect(lifetime, databaseUrl)
    const api = await startApi(lifetime, { name: 'desk-screens-api', databaseUrl, dataDir })
    await progress.step('Filling a desk', async () => {
      const runs = await fillDesk(database, { members: 50_000, comments: 5_000, runs: 20 })
      for (const run of runs) await fillRun(database, run, deliveriesOfRun)
      await fillDeskHistory(database, { likesOfFirst: 20, suppressions: 500, entries: 5_000 })
      await database.query('VACUUM ANALYZE')
      await database.query('CHECKPOINT')
    })
    const browser = await openDeskBrowser(lifetime, { progress, url: api.url, database })
    const rows: Row[] = []
    for (const screen of await deskScreens(database)) {
      try {
        rows.push(...(await measureScreen(screen, { browser, bench, url: api.url })))
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error)
        progress.say(`✗ ${reason}`)
        rows.push({ measure: screen.name, figure: 'not measured', passed: false })
      }
    }
    return rows
  })
}

type Setting = { browser: BrowserContext; bench: Bench; url: string }

async function measureScreen(
  screen: DeskScreen,
  { browser, bench: { progress, quick }, url }: Setting,
): Promise<Row[]> {
  const rows: Row[] = []
  // The first visit fills the browser's cache.
  await visitScreen(browser, url, screen, 1)
  for (const { slower, maxMs } of processors) {
    const times: number[] = []
    const shifts: number[] = []
    await progress.step(`${screen.name}, processor ${slower}×`, async () => {
      while (times.length < (quick ? 1 : 3)) {
        const { ms, shift } = await visitScreen(browser, url, screen, slower)
        times.push(ms)
        shifts.push(shift)
      }
    })
    const [ms, shift] = [median(times), Math.max(...shifts)]
    rows.push({
      measure: `${screen.name}, processor ${slower}× slower: content drawn, layout shift`,
      figure: `${milliseconds(ms)}, ${shift.toFixed(3)}`,
      target: `< ${milliseconds(maxMs)}, ≤ ${maxShift}`,
      passed: ms < maxMs && shift <= maxShift,
    })
  }
  if (screen.more !== undefined) rows.push(await measureMore(browser, url, screen))
  return rows
}

async function visitScreen(
  browser: BrowserContext,
  url: string,
  screen: DeskScreen,
  slower: number,
): Promise<{ ms: number; shift: number }> {
  const page = await openScreen(browser, url, screen, slower)
  const marked = await page
    .waitForFunction(() => performance.getEntriesByName('useful')[0]?.startTime, undefined, { timeout })
    .catch(async () => {
      const shown = await page.evaluate<string>("document.querySelector('main')?.innerText ?? ''")
      throw new Error(`${screen.name} doesn't show ${screen.useful}, but: ${shown.slice(0, 500)}`)
    })
  const ms = Number(await marked.jsonValue())
  await page.waitForTimeout(settleMs)
  const shift = await page.evaluate<number>('shift')
  await page.close()
  return { ms, shift }
}

/** Measures the next page of a list: from the click to the first new row. */
async function measureMore(browser: BrowserContext, url: string, screen: DeskScreen): Promise<Row> {
  const page = await openScreen(browser, url, screen, 1)
  const button = page.getByRole('button', { name: screen.more ?? '' })
  await button.waitFor({ timeout })
  const ms = await page.evaluate<number>(`new Promise((resolve) => {
    const rows = () => document.querySelectorAll('main li, main tbody tr').length
    const [before, from] = [rows(), performance.now()]
    const observer = new MutationObserver(() => {
      if (rows() <= before) return
      observer.disconnect()
      requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - from)))
    })
    observer.observe(document.querySelector('main'), { childList: true, subtree: true })
    for (const button of document.querySelectorAll('main button')) {
      if (button.innerText.trim() === ${JSON.stringify(screen.more)}) button.click()
    }
  })`)
  await page.close()
  return {
    measure: `${screen.name}: the next page`,
    figure: milliseconds(ms),
    target: '< 1,000 ms',
    passed: ms < 1_000,
  }
}

async function openScreen(
  browser: BrowserContext,
  url: string,
  { path, useful }: DeskScreen,
  slower: number,
): Promise<Page> {
  const page = await browser.newPage()
  const session = await browser.newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: slower })
  await page.addInitScript({ content: watch(useful) })
  await page.goto(`${url}/desk${path}`, { waitUntil: 'commit' })
  return page
}
