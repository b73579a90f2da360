import type { Row } from '../results/table.ts'
import type { Bench } from '../sites/bench.ts'
import { runSimulation } from './simulation.ts'

const mark = '› '
const resultMark = `${mark}result `

/**
 * Sends an edition to 10,000 members while workers are killed, Postgres restarts, and the mail server cuts, throttles,
 * refuses and replies late; then to others while the database is restored, in place and elsewhere. Compares the ledger with
 * the inbox row by row.
 */
export async function measureDeliveryFaults(bench: Bench): Promise<Row[]> {
  const { progress, quick } = bench
  const seed = process.env.DELIVERY_FAULTS_SEED ?? String(Date.now() % 1_000_000)
  let summary = ''
  const passed = await runSimulation(bench, {
    label: `Sending with faults, seed ${seed}`,
    args: ['--project', quick ? 'integration' : 'simulation', 'test/delivery-faults'],
    env: { DELIVERY_FAULTS_SEED: seed },
    onLine(line) {
      if (line.startsWith(resultMark)) summary = line.slice(resultMark.length)
      else if (line.startsWith(mark)) progress.say(`  ${line.slice(mark.length)}`)
    },
  })
  const members = quick ? '200' : '10,000'
  return [
    {
      measure: `members with the edition exactly once, or in the ledger with the reason, of ${members}`,
      figure: summary || (passed ? 'all' : 'not measured'),
      target: 'all',
      passed,
    },
  ]
}
