import { describe, expect, inject, it, onTestFinished } from 'vitest'
import { startOwnPostgres } from '../faults/own-postgres.ts'
import { connectionsOfWorker, simulateDeliveryFaults } from './simulate-faults.ts'

declare module 'vitest' {
  // biome-ignore lint/style/useConsistentTypeDefinitions: only an interface extends the library's.
  interface ProvidedContext {
    deliveryFaultsSeed: number
  }
}

// The bench shows these lines.
function print(line: string): void {
  process.stdout.write(`› ${line}\n`)
}

// Takes minutes, so it runs as a measure of the bench instead of with the tests.
describe('an edition for 10,000 members, sent by three workers of which 20 are killed', () => {
  it('reaches each member once, or the ledger says why not', async () => {
    const postgres = await startOwnPostgres()
    onTestFinished(() => postgres.destroy())
    const seed = inject('deliveryFaultsSeed')
    const result = await simulateDeliveryFaults(postgres, {
      members: 10_000,
      workers: 3,
      kills: 20,
      restarts: 2,
      seed,
      slowMs: 120,
      late: 0.001,
      cutAfter: 150,
      isHurried: false,
      say: print,
    })
    const { killed, unconfirmedOf, afterSending, afterResolving, seconds } = result
    const sum = (counts: Iterable<number>) => [...counts].reduce((total, count) => total + count, 0)
    print(JSON.stringify({ after: 'sending', ...afterSending }))
    print(JSON.stringify({ after: 'resolving', ...afterResolving }))
    const wrong = afterSending.differences.length + afterResolving.differences.length
    const inFlight = sum(killed.map((worker) => worker.inFlight))
    print(
      `result ${wrong} wrong; ${sum(unconfirmedOf.values())} unconfirmed by kills with ${inFlight} in flight; ${seconds} s; seed ${seed}`,
    )

    expect(afterSending.differences).toEqual([])
    expect(afterResolving.differences).toEqual([])
    expect(Object.keys(afterResolving.counts).join()).not.toContain('unconfirmed')
    expect(killed).toHaveLength(20)
    for (const count of unconfirmedOf.values()) expect(count).toBeLessThanOrEqual(connectionsOfWorker)
  })
})
