import { describe, expect, inject, it, onTestFinished } from 'vitest'
import { startOwnPostgres } from '../faults/own-postgres.ts'
import { restoreElsewhere, restoreInPlace, restoreInPlaceOfTwoFolders } from './restore-scenarios.ts'

// Takes minutes, so it runs as a measure of the bench instead of with the tests.
describe('an edition for 2,000 members, whose database is restored while it is sent', () => {
  it.each([
    ['in place', restoreInPlace],
    ['in place of two workers with folders of their own', restoreInPlaceOfTwoFolders],
    ['into another database', restoreElsewhere],
  ] as const)('reaches each member once: %s', async (how, scenario) => {
    const postgres = await startOwnPostgres()
    onTestFinished(() => postgres.destroy())
    const { reason, doubledBefore, differences, state } = await scenario(postgres, {
      members: 2_000,
      seed: inject('deliveryFaultsSeed'),
    })
    // The bench shows this line.
    process.stdout.write(`› restored ${how}: held as ${reason}; ${differences.length} wrong\n`)
    expect(doubledBefore).toEqual([])
    expect(differences).toEqual([])
    expect(state).toBe('done')
  })
})
