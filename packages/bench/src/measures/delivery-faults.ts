import { join } from 'node:path'
import { repositoryRoot } from '@tidings/launcher/repository'
import { runCommand } from '@tidings/launcher/run-command'
import type { Bench } from '../bench.ts'
import type { Row } from '../results/table.ts'

const api = join(repositoryRoot, 'apps/api')
const vitest = join(api, 'node_modules/vitest/vitest.mjs')
const files = 'test/delivery-faults'
const mark = '› '
const resultMark = `${mark}result `

/**
 * Sends an edition to 10,000 members while workers are killed, Postgres restarts, and the mail server cuts, throttles,
 * refuses and replies late. Compares the ledger with the inbox row by row. The simulation belongs to the tests of the API.
 */
export async function measureDeliveryFaults({ lifetime, progress, quick }: Bench): Promise<Row[]> {
  return await lifetime.within(async (inner) => {
    const seed = process.env.DELIVERY_FAULTS_SEED ?? String(Date.now() % 1_000_000)
    const interrupted = new AbortController()
    let summary = ''
    const args = [vitest, 'run', '--project', quick ? 'integration' : 'simulation', files]
    const running = runCommand(process.execPath, args, {
      cwd: api,
      env: { ...process.env, DELIVERY_FAULTS_SEED: seed },
      signal: interrupted.signal,
      onLine(line) {
        if (line.startsWith(resultMark)) summary = line.slice(resultMark.length)
        else if (line.startsWith(mark)) progress.say(`  ${line.slice(mark.length)}`)
      },
    })
    inner.atEnd(async () => {
      interrupted.abort()
      await running
    })
    const { code, stdout, stderr } = await progress.step(`Sending with faults, seed ${seed}`, () => running)
    if (code !== 0) progress.say(`${stdout}\n${stderr}`)
    const members = quick ? '200' : '10,000'
    return [
      {
        measure: `members with the edition exactly once, or in the ledger with the reason, of ${members}`,
        figure: summary || (code === 0 ? 'all' : 'not measured'),
        alternative: '',
        ratio: '',
        target: 'all',
        passed: code === 0,
      },
    ]
  })
}
