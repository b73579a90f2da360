import { describe, expect, it, onTestFinished } from 'vitest'
import { startOwnPostgres } from '../faults/own-postgres.ts'
import { connectionsOfWorker, simulateDeliveryFaults } from './simulate-faults.ts'

describe('workers killed while they send', () => {
  it('lose and double nothing, also when Postgres restarts and the mail server misbehaves', {
    timeout: 240_000,
  }, async () => {
    const postgres = await startOwnPostgres({ fsync: 'off' })
    onTestFinished(() => postgres.destroy())
    const result = await simulateDeliveryFaults(postgres, {
      members: 200,
      workers: 2,
      kills: 2,
      restarts: 1,
      seed: 7,
      slowMs: 100,
      late: 0,
      cutAfter: 12,
      isHurried: true,
      say: () => {},
    })
    expect(result.afterSending.differences).toEqual([])
    expect(result.afterResolving.differences).toEqual([])
    expect(Object.keys(result.afterResolving.counts).join()).not.toContain('unconfirmed')
    expect(result.killed).toHaveLength(2)
    for (const count of result.unconfirmedOf.values()) expect(count).toBeLessThanOrEqual(connectionsOfWorker)
  })
})
