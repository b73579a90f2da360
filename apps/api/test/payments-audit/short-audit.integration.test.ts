import { describe, expect, it } from 'vitest'
import { runAudit } from './run-audit.ts'

describe('a few random rounds under the auditor', () => {
  it('break no rule', async () => {
    const { violations, compared } = await runAudit({
      seed: 32,
      seats: 15,
      isOver: (round) => round > 2,
      say: () => {},
    })
    expect(violations).toEqual([])
    expect(compared.charges * compared.mails * compared.plans).toBeGreaterThan(0)
  })
})
