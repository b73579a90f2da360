import { setTimeout as pause } from 'node:timers/promises'
import type { BrowserContext, Page } from 'playwright-core'
import { passGate } from '../calls/gate.ts'
import { openFreshBrowser } from '../probes/browser.ts'
import { startSlowLink } from '../probes/slow-link.ts'
import { median } from '../results/median.ts'
import type { Row } from '../results/table.ts'
import type { Bench } from '../sites/bench.ts'

const maxMs = { first: 1_900, repeat: 1_500 }
const slowerCpu = 4
/** Time in which the service worker, once it is installed, keeps the day's editions over the same slow link. */
const settleMs = 10_000

/** Marks the time once the titles are on the screen: in a task after the next frame. */
const markTitles = `
  const observer = new MutationObserver(() => {
    if (document.querySelector('li h2') === null) return
    observer.disconnect()
    requestAnimationFrame(() => setTimeout(() => performance.mark('titles')))
  })
  observer.observe(document, { childList: true, subtree: true })`

/** Measures when the first titles are drawn on slow 3G with a slower processor: in a first visit, and in a repeat visit. */
export async function measureSlowVisit(bench: Bench): Promise<Row[]> {
  const { lifetime, progress, quick } = bench
  const { url, sitePassword } = await bench.site()
  const cookie = await passGate(url, sitePassword)
  const visits: { first: number; repeat: number }[] = []
  const rounds = quick ? 1 : 3
  while (visits.length < rounds) {
    const label = `Visiting on slow 3G, ${visits.length + 1} of ${rounds}`
    const times = await progress.step(label, () =>
      lifetime.within(async (inner) => {
        const { hostname, port } = new URL(url)
        const linkPort = await startSlowLink(inner, Number(port))
        const rule = `--host-resolver-rules=MAP ${hostname}:${port} 127.0.0.1:${linkPort}`
        const browser = await openFreshBrowser(inner, { progress, url, cookie, args: [rule] })
        const first = await timeToTitles(browser, url, settle)
        return { first, repeat: await timeToTitles(browser, url) }
      }),
    )
    visits.push(times)
    progress.say(`  first ${Math.round(times.first)} ms, repeat ${Math.round(times.repeat)} ms`)
  }
  return (['first', 'repeat'] as const).map((kind) => {
    const value = median(visits.map((times) => times[kind]))
    return {
      measure: `Slow 3G, processor ${slowerCpu}× slower, ${kind} visit: titles drawn`,
      figure: `${Math.round(value)} ms`,
      target: `< ${maxMs[kind]} ms`,
      passed: value < maxMs[kind],
    }
  })
}

async function settle(page: Page): Promise<void> {
  await page.evaluate('navigator.serviceWorker.ready.then(() => null)')
  await pause(settleMs)
}

async function timeToTitles(
  browser: BrowserContext,
  url: string,
  afterwards?: (page: Page) => Promise<void>,
): Promise<number> {
  const page = await browser.newPage()
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowerCpu })
  await page.addInitScript({ content: markTitles })
  await page.goto(`${url}/#/home`, { waitUntil: 'commit' })
  const marked = await page.waitForFunction(() => performance.getEntriesByName('titles')[0]?.startTime)
  const time = Number(await marked.jsonValue())
  await afterwards?.(page)
  await page.close()
  return time
}
