import type { Page } from 'playwright-core'
import { passGate } from '../calls/gate.ts'
import { openFreshBrowser } from '../probes/browser.ts'
import { type NetworkRequest, recordTraffic } from '../probes/traffic.ts'
import { kilobytes, milliseconds } from '../results/figures.ts'
import { median } from '../results/median.ts'
import { limitRow } from '../results/rows.ts'
import type { Row } from '../results/table.ts'
import type { Bench } from '../sites/bench.ts'

const max = { firstBytes: 30_000, allBytes: 45_000, openMs: 100, requests: 1 }
const slowerCpu = 4
const openings = 9
/** These load apart, when they are needed. */
const apart = /\/(en|es|fr|de|altcha|hcaptcha|turnstile|recaptcha)-[^/]+\.js$/

/** Opens the login on a tap. Resolves with the milliseconds until its first field has the focus and is on the screen. */
const openLogin = `new Promise((resolve, reject) => {
  const button = document.body.appendChild(document.createElement('button'))
  button.onclick = () => {
    const began = performance.now()
    $membership.openModal('LOGIN').catch(reject)
    const look = () => {
      const root = [...document.body.children].find((element) => element.shadowRoot)?.shadowRoot
      if (root?.activeElement?.matches('input')) setTimeout(() => resolve(performance.now() - began))
      else requestAnimationFrame(look)
    }
    look()
  }
  button.click()
  button.remove()
})`

/** Measures the bytes of the membership widget, and how soon and with how many requests a dialog opens. */
export async function measureWidget(bench: Bench): Promise<Row[]> {
  const { lifetime, progress } = bench
  return await lifetime.within(async (inner) => {
    const { url, publicKey, sitePassword } = await bench.site()
    const cookie = await passGate(url, sitePassword)
    const browser = await openFreshBrowser(inner, { progress, url, cookie })
    const page = await browser.newPage()
    const traffic = await recordTraffic(page)
    await page.goto(`${url}/robots.txt`)
    await addWidget(page, `${url}/membership/widget.js`, publicKey)
    const firstBytes = scriptBytes(traffic)
    await page.evaluate(openLogin)
    const allBytes = scriptBytes(traffic)

    const session = await browser.newCDPSession(page)
    await session.send('Emulation.setCPUThrottlingRate', { rate: slowerCpu })
    const times: number[] = []
    let maxRequests = 0
    for (let count = 0; count < openings; count += 1) {
      await page.evaluate('$membership.hideModal()')
      const before = traffic.size
      times.push(Number(await page.evaluate(openLogin)))
      maxRequests = Math.max(maxRequests, traffic.size - before)
    }
    const openMs = median(times)
    return [
      limitRow('Widget before the first dialog', firstBytes, max.firstBytes, kilobytes),
      limitRow('Widget with all dialogs', allBytes, max.allBytes, kilobytes),
      limitRow(
        `Tap to a dialog with focus, processor ${slowerCpu}× slower`,
        openMs,
        max.openMs,
        milliseconds,
      ),
      limitRow('Requests to open it, at most', maxRequests, max.requests),
    ]
  })
}

async function addWidget(page: Page, src: string, publicKey: string): Promise<void> {
  await page.evaluate(`new Promise((resolve, reject) => {
    const script = document.createElement('script')
    script.src = ${JSON.stringify(src)}
    script.dataset.publicKey = ${JSON.stringify(publicKey)}
    script.onload = () => resolve(null)
    script.onerror = reject
    document.head.append(script)
  })`)
}

function scriptBytes(traffic: ReadonlyMap<string, NetworkRequest>): number {
  return [...traffic.values()]
    .filter(({ kind, url }) => kind === 'Script' && !apart.test(url))
    .reduce((total, { bytes }) => total + bytes, 0)
}
