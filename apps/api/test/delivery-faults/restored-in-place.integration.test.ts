import { describe, expect, it, onTestFinished } from 'vitest'
import { startOwnPostgres } from '../faults/own-postgres.ts'
import { restoreInPlace, restoreInPlaceOfKilled, restoreInPlaceOfTwoFolders } from './restore-scenarios.ts'

const options = { members: 100, seed: 11 }
// Several processes start, one after another.
const timeout = 300_000

async function ownPostgres() {
  const postgres = await startOwnPostgres({ fsync: 'off' })
  onTestFinished(() => postgres.destroy())
  return postgres
}

describe('an edition whose database is restored in place while it is sent', () => {
  it.each([
    ['while workers go on', restoreInPlace],
    ['after its workers were killed', restoreInPlaceOfKilled],
    ['while workers with folders of their own go on', restoreInPlaceOfTwoFolders],
  ] as const)(
    'reaches each member once: %s',
    async (_how, scenario) => {
      const result = await scenario(await ownPostgres(), options)
      expect(result.reason).toMatch(/^restored$|^ledger-behind$/)
      expect(result.doubledBefore).toEqual([])
      expect(result.confirmation).toContain('This database sends from now on.')
      expect(result.differences).toEqual([])
      expect(result.state).toBe('done')
    },
    timeout,
  )
})
