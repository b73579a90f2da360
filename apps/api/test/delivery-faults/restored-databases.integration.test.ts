import { describe, expect, it, onTestFinished } from 'vitest'
import { startOwnPostgres } from '../faults/own-postgres.ts'
import {
  putBackServerFiles,
  restoreACopy,
  restoreElsewhere,
  restoreFromBeforePublication,
} from './restore-scenarios.ts'

const options = { members: 100, seed: 11 }
// Several processes start, one after another.
const timeout = 300_000

async function ownPostgres() {
  const postgres = await startOwnPostgres({ fsync: 'off' })
  onTestFinished(() => postgres.destroy())
  return postgres
}

describe('an edition whose database is restored otherwise while it is sent', () => {
  it.each([
    ['in place, from before its publication', restoreFromBeforePublication, /^restored$|^ledger-behind$/],
    ['in place, as files of the server', putBackServerFiles, /^ledger-behind$/],
    ['into another database', restoreElsewhere, /^other-database$/],
  ] as const)(
    'reaches each member once: %s',
    async (_how, scenario, reason) => {
      const result = await scenario(await ownPostgres(), options)
      expect(result.reason).toMatch(reason)
      expect(result.doubledBefore).toEqual([])
      expect(result.confirmation).toContain('This database sends from now on.')
      expect(result.differences).toEqual([])
      expect(result.state).toBe('done')
    },
    timeout,
  )

  it(
    'is held for an editor in a copy that a worker without its record sends',
    async () => {
      const result = await restoreACopy(await ownPostgres(), options)
      expect(result.reason).toBe('other-database')
      expect(result.doubledBefore).toEqual([])
      expect(result.confirmation).toContain('1 editions or digests are held')
      expect(result.differences).toEqual([])
      expect(result.state).toMatch(
        /^held: The database was restored, and .* may have sent a part of it since/,
      )
    },
    timeout,
  )
})
