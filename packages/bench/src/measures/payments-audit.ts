import type { Row } from '../results/table.ts'
import type { Bench } from '../sites/bench.ts'
import { runSimulation } from './simulation.ts'

const mark = '› '
const resultMark = `${mark}result `

/**
 * Lets random members, their merchant, their banks and failing machines act on payments for ten minutes, under an auditor
 * that compares Stripe's objects with what the site and its emails say.
 */
export async function measurePaymentsAudit(bench: Bench): Promise<Row[]> {
  const { progress, quick } = bench
  const seed = process.env.PAYMENTS_AUDIT_SEED ?? String(Date.now() % 1_000_000)
  let summary = ''
  const passed = await runSimulation(bench, {
    label: `Auditing payments, seed ${seed}`,
    args: ['--project', quick ? 'integration' : 'simulation', 'test/payments-audit'],
    env: { PAYMENTS_AUDIT_SEED: seed },
    onLine(line) {
      if (line.startsWith(resultMark)) summary = line.slice(resultMark.length)
      else if (line.startsWith(mark)) progress.say(`  ${line.slice(mark.length)}`)
    },
  })
  return [
    {
      measure: 'violations of the rules about money and plans, found by the auditor',
      figure: summary || (passed ? '0' : 'not measured'),
      target: '0',
      passed,
    },
  ]
}
