import { describe, expect, inject, it } from 'vitest'
import { systemClock } from '#platform/clock.ts'
import { runAudit } from './run-audit.ts'

declare module 'vitest' {
  // biome-ignore lint/style/useConsistentTypeDefinitions: only an interface extends the library's.
  interface ProvidedContext {
    paymentsAudit: { seed: number; minutes: number }
  }
}

// The bench shows these lines.
function print(line: string): void {
  process.stdout.write(`› ${line}\n`)
}

// Takes minutes, so it runs as a measure of the bench instead of with the tests.
describe('random members, a merchant, banks and failing machines under an auditor', () => {
  it('break no rule', async () => {
    const { seed, minutes } = inject('paymentsAudit')
    const until = systemClock.now().getTime() + minutes * 60_000
    const result = await runAudit({
      seed,
      seats: 15,
      isOver: () => systemClock.now().getTime() >= until,
      say: print,
    })
    for (const [outcome, count] of [...result.counts].toSorted()) print(`${count} × ${outcome}`)
    const { violations, actions, rounds, days, compared } = result
    print(`compared ${JSON.stringify(compared)}`)
    print(
      `result ${violations.length} violations; ${actions} actions, ${days} days in ${rounds} rounds; seed ${seed}`,
    )
    expect(violations.map(({ member, rule, text }) => `${member}: ${rule}: ${text}`)).toEqual([])
  })
})
