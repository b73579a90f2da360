import { setTimeout as pause } from 'node:timers/promises'
import type { BrowserContext } from 'playwright-core'
import { passGate } from '../calls/gate.ts'
import { openFreshBrowser } from '../probes/browser.ts'
import { type NetworkRequest, recordTraffic } from '../probes/traffic.ts'
import { kilobytes } from '../results/figures.ts'
import { limitRow } from '../results/rows.ts'
import type { Row } from '../results/table.ts'
import type { Bench } from '../sites/bench.ts'

const max = { bytes: 170_000, requests: 8, script: 120_000, fonts: 40_000, repeated: 3 }
const quietMs = 2_000
/** The worker then keeps the other screens' code, which belongs to the first visit. */
const workerMs = 10_000
/** The files that load after the first paint, so that the page works offline: listed, but not counted as requests. */
const afterFirstPaint = /\/service-worker\.js|\/registration-|\/icons\/|\.webmanifest/

/**
 * Measures the transfer of a phone's first visit to `/home` after the gate, with pictures and the live feed's handshake, and
 * of a second visit in a new tab.
 */
export async function measureFirstVisit(bench: Bench): Promise<Row[]> {
  const { lifetime, progress } = bench
  return await lifetime.within(async (inner) => {
    const { url, sitePassword } = await bench.site()
    const cookie = await passGate(url, sitePassword)
    const browser = await openFreshBrowser(inner, { progress, url, cookie })
    const first = await progress.step('Visiting for the first time', () => visit(browser, url))
    await progress.step('Waiting for the service worker', () => pause(workerMs))
    const ofWorker = recordWorker(browser)
    const second = [...(await progress.step('Visiting again', () => visit(browser, url))), ...ofWorker]
    for (const line of describe('first visit', first, url)) progress.say(line)
    for (const line of describe('repeat visit', second, url)) progress.say(line)
    return rowsOf(first, second)
  })
}

async function visit(browser: BrowserContext, url: string): Promise<NetworkRequest[]> {
  const page = await browser.newPage()
  const traffic = await recordTraffic(page)
  await page.goto(`${url}/#/home`)
  await page.locator('li h2').first().waitFor()
  await page.evaluate('document.fonts.ready.then(() => true)')
  await page.waitForLoadState('networkidle')
  await page.evaluate('navigator.serviceWorker.ready.then(() => null)')
  // Requests of the idle page count too.
  await pause(quietMs)
  const requests = [...traffic.values()]
  await page.close()
  return requests
}

/** Records what the service worker requests from now on. */
function recordWorker(browser: BrowserContext): NetworkRequest[] {
  const requests: NetworkRequest[] = []
  browser.on('requestfinished', async (request) => {
    if (request.serviceWorker() === null) return
    const { responseBodySize, responseHeadersSize } = await request.sizes()
    // The browser gives the status 200 to a reply that it took from its cache after a 304, which had no body.
    const status = responseBodySize > 0 ? 200 : 304
    const bytes = Math.max(responseBodySize, 0) + responseHeadersSize
    requests.push({ url: request.url(), kind: 'Worker', bytes, status, fromCache: false })
  })
  return requests
}

function rowsOf(first: NetworkRequest[], second: NetworkRequest[]): Row[] {
  const bytesOf = (kind: string) => sum(first.filter((request) => request.kind === kind))
  const counted = first.filter(({ url }) => !afterFirstPaint.test(url)).length
  const repeated = second.filter(isTransferredAgain).length
  return [
    limitRow('First visit to /home: bytes transferred', sum(first), max.bytes, kilobytes),
    limitRow('of that, JavaScript', bytesOf('Script'), max.script, kilobytes),
    limitRow('of that, fonts', bytesOf('Font'), max.fonts, kilobytes),
    limitRow('First visit to /home: requests', counted, max.requests),
    limitRow('Repeat visit: neither 304 nor from cache', repeated, max.repeated),
  ]
}

function isTransferredAgain({ status, fromCache }: NetworkRequest): boolean {
  return status !== 304 && !fromCache
}

function sum(requests: NetworkRequest[]): number {
  return requests.reduce((total, { bytes }) => total + bytes, 0)
}

function describe(title: string, requests: NetworkRequest[], origin: string): string[] {
  return [
    `  ${title}:`,
    ...requests.map(({ url, kind, bytes, status, fromCache }) => {
      const where = url.replace(origin, '').replace(origin.replace('http', 'ws'), '')
      return `    ${kilobytes(bytes).padStart(9)}  ${fromCache ? 'cache' : `${status}  `}  ${kind.padEnd(10)}  ${where}`
    }),
  ]
}
