import { describe, expect } from 'vitest'
import { sendEmail } from '#features/mail/index.ts'
import { siteTest } from '#test/fixtures.ts'
import { metricValue } from '#test/metric-values.ts'
import { useTestApp } from '#test/test-app.ts'

const it = siteTest({ working: false, env: { REVISION: 'abc123' } }).extend(
  'read',
  { scope: 'file' },
  ({ site }) =>
    (name: string, labels?: Record<string, string>) =>
      metricValue(site.context.metrics, `tidings_${name}`, labels),
)

const job = sendEmail.name

describe('metrics of the database', () => {
  it('have the age of the outbox without sent emails', async ({ site, read }) => {
    const { context, clock } = site
    const row = { appId: context.config.site.appId, kind: 'welcome', recipient: 'ann@example.com' }
    const createdAt = clock.now()
    await context.database.db.outboxEmail.createMany({
      data: [
        { ...row, id: context.ids.uuid(), createdAt },
        { ...row, id: context.ids.uuid(), createdAt: new Date(0), sentAt: createdAt },
      ],
    })
    clock.pass(90_000)
    expect([await read('outbox_emails_waiting'), await read('outbox_oldest_email_seconds')]).toEqual([1, 90])
  })

  it('have the refunds for a person, and the age of the oldest Stripe event', async ({ site, read }) => {
    const { context, clock } = site
    const { db } = context.database
    const now = clock.now()
    const refund = {
      invoiceId: 'in_1',
      customerId: 'cus_1',
      reason: 'duplicate',
      amount: 499,
      currency: 'usd',
    }
    const times = { createdAt: now, updatedAt: now }
    await db.paymentRefund.createMany({
      data: (['failed', 'failed', 'manual', 'refunded'] as const).map((status, index) => ({
        ...refund,
        ...times,
        status,
        paymentIntentId: `pi_${index}`,
      })),
    })
    await db.paymentCustomer.create({
      data: { id: 'cus_1', appId: context.config.site.appId, syncRequestedAt: now, createdAt: now },
    })
    clock.pass(120_000)
    expect([
      await read('payment_refunds_waiting', { status: 'failed' }),
      await read('payment_refunds_waiting', { status: 'manual' }),
      await read('payment_oldest_unprocessed_event_seconds'),
    ]).toEqual([2, 1, 120])
  })

  it('have the jobs of each queue, and how long the oldest has been waiting', async ({ site, read }) => {
    const { jobs, database, ids } = site.context
    await jobs.enqueue(database.sql, sendEmail, { emailId: ids.uuid() })
    await jobs.enqueue(database.sql, sendEmail, { emailId: ids.uuid() }, { startAfter: { seconds: 600 } })
    await database.pool.query(
      `UPDATE jobs.job SET start_after = start_after - interval '5 minutes' WHERE name = $1`,
      [job],
    )
    expect([
      await read('queue_jobs', { queue: job, state: 'waiting' }),
      await read('queue_jobs', { queue: job, state: 'delayed' }),
    ]).toEqual([1, 1])
    expect(await read('queue_oldest_job_seconds', { queue: job })).toBeGreaterThanOrEqual(300)
  })
})

describe('metrics of the process', () => {
  it('have its version, its disk and its pool', async ({ site, read }) => {
    const { config } = site.context
    const labels = { version: '0.1.0', revision: 'abc123', node: process.version }
    expect(await read('build_info', labels)).toBe(1)
    const free = (await read('data_dir_free_bytes')) ?? 0
    expect(free).toBeGreaterThan(0)
    expect(await read('data_dir_size_bytes')).toBeGreaterThan(free)
    expect(await read('database_pool_max_connections')).toBe(config.database.connections)
    const connection = await site.context.database.pool.connect()
    const inUse = await read('database_pool_connections', { state: 'in_use' })
    connection.release()
    expect(inUse).toBe(1)
  })
})

describe('GET /metrics without a database', () => {
  it('still has what the process knows, and no value of the database', async ({ site }) => {
    const databaseUrl = site.context.config.database.url
    const { app, context } = await useTestApp({ databaseUrl, working: false })
    await context.jobs.stop()
    await context.database.close()
    const reply = await app.inject('/metrics')
    expect(reply.statusCode).toBe(200)
    expect(reply.body).toContain('tidings_database_up 0')
    expect(reply.body).toContain('tidings_build_info{version=')
    expect(reply.body).not.toMatch(/^tidings_(deliveries|queue_jobs|outbox_emails_waiting|sending_held)[ {]/m)
  })
})
