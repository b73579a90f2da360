import { describe, expect, inject, it, onTestFinished } from 'vitest'
import { startOwnPostgres } from '../faults/own-postgres.ts'
import { restoreBackupInMidSend } from './backup-scenarios.ts'

// Takes minutes, so it runs as a measure of the bench instead of with the tests.
describe('an edition of 600 deliveries, whose backup of mid-send is restored', () => {
  it.each(['in place', 'new database', 'new cluster'] as const)(
    'reaches each member once, and every picture is there: %s',
    async (target) => {
      const postgres = await startOwnPostgres()
      onTestFinished(() => postgres.destroy())
      const { reason, doubledBefore, differences, state, title, pictureStatuses } =
        await restoreBackupInMidSend(postgres, target, { members: 600, seed: inject('deliveryFaultsSeed') })
      const served = pictureStatuses.filter((status) => status === 200).length
      // The bench shows this line.
      process.stdout.write(
        `› backup restored, ${target}: held as ${reason}; ${differences.length} wrong of 600; ${served} of ${pictureStatuses.length} pictures\n`,
      )
      expect(doubledBefore).toEqual([])
      expect(differences).toEqual([])
      expect(state).toBe('done')
      expect(title).toBe('As in the backup')
      expect(served).toBe(pictureStatuses.length)
    },
  )
})
