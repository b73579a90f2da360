import { describe, expect, it } from 'vitest'
import { createCapturedLog } from '#test/captured-log.ts'
import { useTestApp } from '#test/test-app.ts'
import { mostConnections, readConnectionBudget, warnOfConnections } from './connection-budget.ts'

describe('the connection budget', () => {
  it('counts each process once, and warns when all of them may need more than the server has', async () => {
    const first = await useTestApp()
    const { sql } = first.context.database
    const before = await readConnectionBudget(sql)
    await useTestApp({ databaseUrl: first.context.config.database.url })
    const budget = await readConnectionBudget(sql)
    expect(budget.processes).toBeGreaterThan(before.processes)
    expect(budget.usable).toBeGreaterThan(0)

    const log = createCapturedLog()
    await warnOfConnections({ sql, logger: log.logger }, 1)
    expect(log.entries()).toEqual([])
    await warnOfConnections({ sql, logger: log.logger }, budget.usable)
    expect(log.entries()).toMatchObject([
      {
        msg: 'database connections may run out',
        perProcess: budget.usable,
        usable: budget.usable,
        reason: 'Raise max_connections, lower DATABASE_CONNECTIONS, or run fewer processes.',
      },
    ])
  })

  it('is what all processes and everything else may need', () => {
    expect(mostConnections({ usable: 97, processes: 6, others: 3 }, 16)).toBe(99)
  })
})
