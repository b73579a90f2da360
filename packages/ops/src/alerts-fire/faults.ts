import { rm, statfs, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { FaultySite } from './site.ts'

/** A fault, the alert that must fire for it, and how it is mended. */
export type Fault = {
  alert: string
  what: string
  /** How long the alert may take; two minutes by default. */
  withinMs?: number
  cause(): Promise<void>
  mend(): Promise<void>
}

const minuteMs = 60_000
const blockBytes = 1024 * 1024

/** Returns the faults that happen side by side and don't touch each other. They may take longer. */
export function slowFaults(site: FaultySite): Fault[] {
  return [
    {
      alert: 'TidingsBackupOld',
      what: 'there is no backup',
      withinMs: 7 * minuteMs,
      async cause() {},
      mend: () => site.tidings('backup', '--to', join(site.dataDir, '../backups')),
    },
    {
      alert: 'TidingsDomainRefuses',
      what: 'a domain refuses for a quarter of an hour',
      withinMs: 18 * minuteMs,
      cause: () =>
        site.sql(
          `INSERT INTO refusing_domain (domain, since, refusals, first_reply, last_reply, last_refused_at, waits)
           VALUES ('example.com', now(), 9, '550', '550', now(), 1)`,
        ),
      mend: () => site.sql('DELETE FROM refusing_domain'),
    },
    {
      alert: 'TidingsPaymentsWaiting',
      what: 'a refund failed',
      withinMs: 7 * minuteMs,
      cause: () =>
        site.sql(
          `INSERT INTO payment_refund (payment_intent_id, invoice_id, customer_id, reason, amount, currency, status,
             created_at, updated_at)
           VALUES ('pi_fault', 'in_fault', 'cus_fault', 'fault', 500, 'usd', 'FAILED', now(), now())`,
        ),
      mend: () => site.sql("DELETE FROM payment_refund WHERE payment_intent_id = 'pi_fault'"),
    },
    {
      alert: 'TidingsJobsDead',
      what: 'a job failed for good',
      withinMs: 3 * minuteMs,
      cause: () =>
        site.sql(
          "INSERT INTO jobs.job (name, state, completed_on) VALUES ('mail.send-email', 'failed', now())",
        ),
      mend: () => site.sql("DELETE FROM jobs.job WHERE state = 'failed'"),
    },
  ]
}

/** Returns the faults of mail, requests and disk. */
export function firstFaults(site: FaultySite, { canFillDisk }: { canFillDisk: boolean }): Fault[] {
  let isLiking = true
  const filler = join(site.dataDir, 'filler')
  return [
    {
      alert: 'TidingsDeliveriesLate',
      what: 'the mail server is down while an edition is sent',
      async cause() {
        await site.mail.cut()
        await publish(site)
      },
      mend: () => site.mail.restore(),
    },
    {
      alert: 'TidingsErrors',
      what: 'likes fail',
      withinMs: 5 * minuteMs,
      async cause() {
        await site.sql('ALTER TABLE memo_like RENAME TO memo_like_away')
        void like(site, () => isLiking).catch(() => {})
      },
      async mend() {
        isLiking = false
        await site.sql('ALTER TABLE memo_like_away RENAME TO memo_like')
      },
    },
    ...(canFillDisk
      ? [
          {
            alert: 'TidingsDiskFull',
            what: 'the disk is 95 % full',
            cause: () => fill(filler),
            mend: () => rm(filler),
          },
        ]
      : []),
  ]
}

/** Returns the fault of the listener. Alone, because a worker without it does nothing. */
export function listenerFaults(site: FaultySite): Fault[] {
  return [
    {
      alert: 'TidingsDegraded',
      what: 'the listener hears nothing',
      cause: () => site.listener.cut(),
      mend: () => site.listener.restore(),
    },
  ]
}

/** Returns the faults of editions and of sending. */
export function secondFaults(site: FaultySite): Fault[] {
  return [
    {
      alert: 'TidingsSendingHeld',
      what: 'the database was restored on another server',
      // As a dump says that was made elsewhere.
      cause: () =>
        site.sql(
          "UPDATE delivery_control SET instance = regexp_replace(instance, '^[0-9]+', '7000000000000000000')",
        ),
      mend: () => site.tidings('deliveries', 'confirm-instance', '--yes'),
    },
    {
      alert: 'TidingsEditionHeld',
      what: 'an edition without memos reaches its time',
      cause: () => site.sql(scheduledSql('2030-01-01', '10AM')),
      mend: () => site.sql("DELETE FROM edition WHERE date = '2030-01-01'"),
    },
  ]
}

/** Returns the faults of a worker that hangs. */
export function workerFaults(site: FaultySite): Fault[] {
  const pid = site.pids.worker ?? 0
  return [
    {
      alert: 'TidingsProcessDown',
      what: 'the worker hangs',
      async cause() {
        process.kill(pid, 'SIGSTOP')
      },
      async mend() {
        process.kill(pid, 'SIGCONT')
      },
    },
    {
      alert: 'TidingsEditionMissed',
      what: 'an edition reaches its time meanwhile',
      cause: () => site.sql(scheduledSql('2030-01-02', '10AM')),
      mend: () => site.sql("DELETE FROM edition WHERE date = '2030-01-02'"),
    },
  ]
}

function scheduledSql(date: string, slot: string): string {
  return `INSERT INTO edition (date, slot, status, publish_at) VALUES ('${date}', '${slot}', 'scheduled', now())`
}

/** Publishes an edition that the seeded members get. */
async function publish(site: FaultySite): Promise<void> {
  const path = '/desk/v1/editions/01-03-30-10AM'
  await site.desk('PUT', path, { status: 'draft', deliver: true })
  await site.desk('POST', `${path}/memos`, {
    title: 'A memo for a mail server that is down',
    memo_content: '<p>It waits.</p>',
  })
  await site.desk('POST', `${path}/publish`)
}

/** Sends two likes a second while a condition holds, whatever becomes of them. */
async function like(site: FaultySite, isOn: () => boolean): Promise<void> {
  const cookie = await site.passGate()
  const id = '01890000-0000-7000-8000-000000000000'
  while (isOn()) {
    await fetch(`${site.url}/edition/update_counter`, {
      method: 'POST',
      headers: { cookie, 'Content-Type': 'application/json' },
      body: JSON.stringify({ id, add: true }),
    }).catch(() => {})
    await pause(500)
  }
}

/** Fills the disk of a file until 5 % are free. */
async function fill(file: string): Promise<void> {
  const { bavail, blocks, bsize } = await statfs(join(file, '..'))
  const bytes = Math.floor((bavail - blocks * 0.05) * bsize)
  const block = Buffer.alloc(blockBytes)
  for (let written = 0; written < bytes; written += blockBytes) await writeFile(file, block, { flag: 'a' })
}
