import { join } from 'node:path'
import { repositoryRoot } from '@tidings/launcher/repository'
import { runCommand } from '@tidings/launcher/run-command'
import type { Bench } from '../bench.ts'
import type { Row } from '../results/table.ts'

const api = join(repositoryRoot, 'apps/api')
const vitest = join(api, 'node_modules/vitest/vitest.mjs')
const simulation = ['--project', 'simulation', 'test/payment-year']
const shortSimulation = ['--project', 'integration', 'src/features/billing/sync/year.integration.test.ts']

/**
 * Simulates a year of 1,000 paying members with most events lost, and compares their plans with Stripe's. The simulation
 * belongs to the tests of the API.
 */
export async function measurePaymentsYear({ lifetime, progress, quick }: Bench): Promise<Row[]> {
  return await lifetime.within(async (inner) => {
    const interrupted = new AbortController()
    const began = performance.now()
    const args = [vitest, 'run', ...(quick ? shortSimulation : simulation)]
    const running = runCommand(process.execPath, args, { cwd: api, signal: interrupted.signal })
    inner.atEnd(async () => {
      interrupted.abort()
      await running
    })
    const { code, stdout, stderr } = await progress.step('Simulating a year', () => running)
    if (code !== 0) progress.say(`${stdout}\n${stderr}`)
    const seconds = Math.round((performance.now() - began) / 1_000)
    return [
      {
        measure: `plans of ${quick ? 'a few' : '1,000'} members after a year, with 85 % of the events lost`,
        figure: `${code === 0 ? 'as at Stripe' : 'different'}, in ${seconds} s`,
        alternative: '',
        ratio: '',
        target: 'as at Stripe',
        passed: code === 0,
      },
    ]
  })
}
