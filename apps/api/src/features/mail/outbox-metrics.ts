import { z } from 'zod'
import { type Mailer, MailRefusedError } from '#integrations/mail/mailer.ts'
import type { Sql } from '#platform/database.ts'
import { type DatabaseMetrics, secondsSince } from '#platform/database-metrics/database-metrics.ts'
import type { PlatformDeps } from '#platform/membership-apps/platform-deps.ts'
import type { Metrics } from '#platform/metrics.ts'
import { queryRows } from '#platform/query-rows.ts'

const outcomes = ['accepted', 'refused', 'failed'] as const

/** Returns the mailer, whose emails are counted by their outcome. A failed one is tried again. */
export function countEmails({ mailer, metrics }: { mailer: Mailer; metrics: Metrics }): Pick<Mailer, 'send'> {
  const emails = metrics.counter({
    name: 'tidings_account_emails_total',
    help: 'Emails about accounts and payments, codes included, that this process handed over: accepted, refused for good, or failed and tried again',
    labelNames: ['outcome'],
  })
  for (const outcome of outcomes) emails.inc({ outcome }, 0)
  return {
    async send(email) {
      try {
        await mailer.send(email)
        emails.inc({ outcome: 'accepted' })
      } catch (error) {
        emails.inc({ outcome: error instanceof MailRefusedError ? 'refused' : 'failed' })
        throw error
      }
    },
  }
}

type Deps = Pick<PlatformDeps, 'database'> & { databaseMetrics: DatabaseMetrics }

/** Exports the emails about accounts and payments that wait to be sent. */
export function exportOutbox({ databaseMetrics, database }: Deps): void {
  const waiting = databaseMetrics.gauge({
    name: 'tidings_outbox_emails_waiting',
    help: 'Emails about accounts and payments that are not sent yet, without those that wait until a member proves an address',
  })
  const oldest = databaseMetrics.gauge({
    name: 'tidings_outbox_oldest_email_seconds',
    help: 'How long the oldest email of the outbox has been waiting; 0 if none waits',
  })
  databaseMetrics.fill('outbox', [waiting, oldest], async (now) => {
    const { count, since } = await readOutbox(database.sql)
    return [
      { gauge: waiting, value: count },
      { gauge: oldest, value: secondsSince(since, now) },
    ]
  })
}

const outboxRowSchema = z.object({ count: z.int(), since: z.date().nullable() })

/** Reads the index of emails that wait. A released email waits since its release. */
async function readOutbox(sql: Sql): Promise<z.infer<typeof outboxRowSchema>> {
  const [row] = await queryRows(sql, outboxRowSchema)`
    SELECT count(*)::int AS count, min(coalesce(released_at, created_at)) AS since
    FROM outbox_email WHERE sent_at IS NULL AND held_for IS NULL`
  if (row === undefined) throw new Error('The count of the outbox has no row.')
  return row
}
