import { describe, expect, it } from 'vitest'
import { runAudit } from './run-audit.ts'

describe('a few random rounds under the auditor', () => {
  it('break no rule', async () => {
    const { violations, days } = await runAudit({
      seed: 32,
      seats: 15,
      isOver: (round) => round > 6,
      say: () => {},
    })
    expect(violations).toEqual([])
    expect(days).toBeGreaterThan(0)
  })
})
