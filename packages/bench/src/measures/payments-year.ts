import type { Row } from '../results/table.ts'
import type { Bench } from '../sites/bench.ts'
import { runSimulation } from './simulation.ts'

const simulation = ['--project', 'simulation', 'test/payment-year']
const shortSimulation = ['--project', 'integration', 'src/features/billing/sync/year.integration.test.ts']

/** Simulates a year of 1,000 paying members with most events lost, and compares their plans with Stripe's. */
export async function measurePaymentsYear(bench: Bench): Promise<Row[]> {
  const { quick } = bench
  const began = performance.now()
  const args = quick ? shortSimulation : simulation
  const passed = await runSimulation(bench, { label: 'Simulating a year', args })
  const seconds = Math.round((performance.now() - began) / 1_000)
  return [
    {
      measure: `plans of ${quick ? 'a few' : '1,000'} members after a year, with 85 % of the events lost`,
      figure: `${passed ? 'as at Stripe' : 'different'}, in ${seconds} s`,
      target: 'as at Stripe',
      passed,
    },
  ]
}
