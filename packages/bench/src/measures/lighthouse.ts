import { freePort } from '@tidings/launcher/free-port'
import type { Result } from 'lighthouse'
import { passGate } from '../calls/gate.ts'
import { openFreshBrowser } from '../probes/browser.ts'
import { auditPage, type Category, describeFailures, scoreOf } from '../probes/lighthouse.ts'
import { median } from '../results/median.ts'
import type { Row } from '../results/table.ts'
import type { Bench } from '../sites/bench.ts'
import { measureScreens } from './lighthouse-screens.ts'

const targets: Record<Category, number> = { performance: 95, accessibility: 100, 'best-practices': 100 }
const categories: Category[] = ['performance', 'accessibility', 'best-practices']

/** Runs Lighthouse with its mobile settings on `/home` after the gate, each time in a fresh browser; then on the others. */
export async function measureLighthouse(bench: Bench): Promise<Row[]> {
  const { progress, quick } = bench
  const { url, sitePassword } = await bench.site()
  const cookie = await passGate(url, sitePassword)
  const runs = quick ? 1 : 5
  const results: Result[] = []
  while (results.length < runs) {
    const label = `Lighthouse, run ${results.length + 1} of ${runs}`
    const result = await progress.step(label, () => runOnce(bench, url, cookie))
    results.push(result)
    progress.say(`  ${categories.map((category) => `${category} ${scoreOf(result, category)}`).join(', ')}`)
  }
  for (const line of describeFailures(results, categories)) progress.say(line)
  return [
    ...categories.map((category) => rowOf(results, category)),
    ...timingRows(results),
    await measureScreens(bench),
  ]
}

async function runOnce({ lifetime, progress }: Bench, url: string, cookie: string): Promise<Result> {
  return await lifetime.within(async (inner) => {
    const debuggingPort = await freePort()
    await openFreshBrowser(inner, {
      progress,
      url,
      cookie,
      args: [`--remote-debugging-port=${debuggingPort}`],
    })
    return await auditPage(`${url}/#/home`, debuggingPort, categories)
  })
}

function rowOf(results: Result[], category: Category): Row {
  const scores = results.map((result) => scoreOf(result, category))
  const score = median(scores)
  return {
    measure: `Lighthouse, mobile: ${category}, median of ${results.length}`,
    figure: `${score}${scores.length > 1 ? ` (${Math.min(...scores)}–${Math.max(...scores)})` : ''}`,
    target: targets[category] === 100 ? '100' : `≥ ${targets[category]}`,
    passed: score >= targets[category],
  }
}

function timingRows(results: Result[]): Row[] {
  const timings = [
    ['first-contentful-paint', 'first contentful paint'],
    ['largest-contentful-paint', 'largest contentful paint'],
    ['total-blocking-time', 'total blocking time'],
    ['cumulative-layout-shift', 'layout shift'],
  ] as const
  return timings.map(([id, name]) => {
    const values = results.map(({ audits }) => audits[id]?.numericValue ?? 0)
    const value = median(values)
    const figure = id === 'cumulative-layout-shift' ? value.toFixed(3) : `${Math.round(value)} ms`
    return { measure: `Lighthouse: ${name}`, figure }
  })
}
