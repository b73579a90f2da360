import { expect, it, onTestFinished } from 'vitest'
import { startOwnPostgres } from '../faults/own-postgres.ts'
import { restoreBackupInMidSend } from './backup-scenarios.ts'

it('an edition reaches each member once, whose backup is restored in place while API and workers run', {
  // Several processes start, one after another.
  timeout: 300_000,
}, async () => {
  const postgres = await startOwnPostgres({ fsync: 'off' })
  onTestFinished(() => postgres.destroy())
  const result = await restoreBackupInMidSend(postgres, 'in place', { members: 100, seed: 11 })
  expect(result.reason).toMatch(/^restored$|^ledger-behind$|^other-database$/)
  expect(result.doubledBefore).toEqual([])
  expect(result.confirmation).toContain('This database sends from now on.')
  expect(result.differences).toEqual([])
  expect(result.state).toBe('done')
  expect(result.title).toBe('As in the backup')
  expect(new Set(result.pictureStatuses)).toEqual(new Set([200]))
})
