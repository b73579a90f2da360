import { type Delivery, type DeliveryMethod, type DeliveryState, Prisma } from '#generated/prisma/client.ts'
import type { Db } from '#platform/database.ts'
import { type RecipientRules, recipients } from './recipients.repository.ts'
import { contentVersion } from './runs.repository.ts'

export type DeliveryRow = Delivery

/** A sender's turn: it holds claims on deliveries of a run. */
export type Sender = { id: string; runId: number }

/** A delivery that a sender wants to hand over, and what became of it. */
export type StartedDelivery = {
  id: string
  state: DeliveryState
  /** Empty once the account is deleted. */
  memberId: string
  method: DeliveryMethod
  address: string
  name: string
  attempts: number
}

/** What became of a delivery that was handed over. */
export type DeliveryOutcome = {
  id: string
  state: 'sent' | 'failed' | 'planned' | 'unconfirmed'
  reason: string | null
  nextAttemptAt: Date | null
}

/** Claims deliveries for a sender, oldest first. Other senders skip them. Returns their ids. */
export async function claimDeliveries(db: Db, sender: Sender, limit: number, now: Date): Promise<string[]> {
  const rows = await db.$queryRaw<{ id: string }[]>`
    UPDATE delivery SET claimed_by = ${sender.id}::uuid, claimed_at = ${now}
    FROM (
      SELECT id FROM delivery
      WHERE run_id = ${sender.runId} AND state = 'planned' AND claimed_by IS NULL
        AND (next_attempt_at IS NULL OR next_attempt_at <= ${now})
      ORDER BY id LIMIT ${limit} FOR UPDATE SKIP LOCKED
    ) AS batch
    WHERE delivery.id = batch.id
    RETURNING delivery.id`
  return rows.map(({ id }) => id)
}

/**
 * Marks claimed deliveries as being handed over, or as suppressed if the member must no longer get them. Changes and
 * returns nothing if the content has changed, the run is stopped, or all sending is held.
 */
export async function startDeliveries(
  db: Db,
  sender: Sender,
  ids: readonly string[],
  { content, rules, now }: { content: string; rules: RecipientRules; now: Date },
): Promise<StartedDelivery[]> {
  return await db.$queryRaw<StartedDelivery[]>`
    UPDATE delivery SET
      state = (CASE WHEN found.obstacle IS NULL THEN 'sending' ELSE 'suppressed' END)::delivery_state,
      reason = found.obstacle, recipient = found.address, attempts = delivery.attempts + (found.obstacle IS NULL)::int,
      edition_version = found.edition_version, claimed_at = ${now}, updated_at = ${now}
    FROM (
      SELECT
        own.id, coalesce(recipient.address, '') AS address, coalesce(recipient.name, '') AS name,
        CASE WHEN recipient.id IS NULL THEN 'account-deleted' ELSE recipient.obstacle END AS obstacle,
        (SELECT edition.version FROM edition WHERE edition.id = run.edition_id) AS edition_version
      FROM delivery AS own
      JOIN delivery_run AS run ON run.id = own.run_id
      LEFT JOIN (${recipients(rules)}) AS recipient
        ON recipient.id = own.member_id AND recipient.method = own.method
      WHERE own.id = ANY(${[...ids]}::uuid[]) AND run.state = 'sending'
        AND (${contentVersion(sender.runId)}) = ${content}
        AND NOT EXISTS (SELECT 1 FROM delivery_control WHERE held_at IS NOT NULL)
    ) AS found
    WHERE delivery.id = found.id AND delivery.claimed_by = ${sender.id}::uuid
      AND delivery.state IN ('planned', 'sending')
    RETURNING
      delivery.id, delivery.state, coalesce(delivery.member_id, '') AS "memberId", delivery.method, delivery.attempts, found.address, found.name`
}

/** Stores what became of deliveries, also of those that were meanwhile declared unconfirmed. */
export async function recordOutcomes(
  db: Db,
  sender: Sender,
  outcomes: readonly DeliveryOutcome[],
  now: Date,
): Promise<void> {
  const rows = JSON.stringify(outcomes)
  await db.$executeRaw`
    UPDATE delivery SET
      state = outcome.state::delivery_state, reason = left(outcome.reason, 300),
      next_attempt_at = outcome."nextAttemptAt",
      sent_at = CASE WHEN outcome.state = 'sent' THEN ${now} ELSE delivery.sent_at END,
      claimed_by = CASE WHEN outcome.state = 'planned' THEN NULL ELSE delivery.claimed_by END,
      updated_at = ${now}
    FROM jsonb_to_recordset(${rows}::jsonb)
      AS outcome (id uuid, state text, reason text, "nextAttemptAt" timestamptz)
    WHERE delivery.id = outcome.id AND delivery.claimed_by = ${sender.id}::uuid
      AND delivery.state IN ('sending', 'unconfirmed')`
}

/** Releases what a sender claimed and didn't hand over. */
export async function releaseClaims(db: Db, sender: Sender): Promise<void> {
  await db.$executeRaw`
    UPDATE delivery SET claimed_by = NULL WHERE claimed_by = ${sender.id}::uuid AND state = 'planned'`
}

/**
 * Releases the claims of senders that stopped before `since`, and of those that are gone: a statement of theirs may have
 * ended after their claims were released. What they were handing over becomes unconfirmed.
 */
export async function recoverClaims(tx: Db, since: Date, now: Date): Promise<number> {
  const lost = Prisma.sql`
    delivery.claimed_by IS NOT NULL
    AND NOT EXISTS (
      SELECT 1 FROM delivery_sender AS sender
      WHERE sender.id = delivery.claimed_by AND sender.heartbeat_at >= ${since}
    )`
  await tx.$queryRaw`SELECT 1 FROM delivery_sender WHERE heartbeat_at < ${since} ORDER BY id FOR UPDATE`
  const unconfirmed = await tx.$executeRaw`
    UPDATE delivery SET
      state = 'unconfirmed', updated_at = ${now},
      reason = 'The worker ' || coalesce(
        (SELECT process || ' ' FROM delivery_sender AS sender WHERE sender.id = delivery.claimed_by), ''
      ) || 'stopped while it handed over the message.'
    WHERE delivery.state = 'sending' AND ${lost}`
  await tx.$executeRaw`UPDATE delivery SET claimed_by = NULL WHERE delivery.state = 'planned' AND ${lost}`
  await tx.$executeRaw`DELETE FROM delivery_sender WHERE heartbeat_at < ${since}`
  return unconfirmed
}

export async function createSender(db: Db, sender: Sender, process: string, now: Date): Promise<void> {
  await db.deliverySender.create({ data: { ...sender, process, heartbeatAt: now } })
}

/** Renews a sender's heartbeat. Returns false if its claims were given to others. */
export async function renewSender(db: Db, { id }: Sender, now: Date): Promise<boolean> {
  const { count } = await db.deliverySender.updateMany({ where: { id }, data: { heartbeatAt: now } })
  return count === 1
}

export async function removeSender(db: Db, { id }: Sender): Promise<void> {
  await db.deliverySender.deleteMany({ where: { id } })
}

/** Returns the ids of the runs that a sender is sending. */
export async function listRunsWithSender(db: Db): Promise<Set<number>> {
  const rows = await db.deliverySender.findMany({ select: { runId: true } })
  return new Set(rows.map(({ runId }) => runId))
}

/** Moves deliveries out of `unconfirmed`. Returns the runs that have deliveries to send again. */
export async function resolveUnconfirmed(
  tx: Db,
  which: { id: string } | { before: Date },
  as: 'sent' | 'send-again',
  now: Date,
): Promise<DeliveryRow[]> {
  return await tx.delivery.updateManyAndReturn({
    where: {
      state: 'unconfirmed',
      ...('id' in which ? { id: which.id } : { updatedAt: { lt: which.before } }),
    },
    data:
      as === 'sent'
        ? { state: 'sent', updatedAt: now, reason: 'confirmed' }
        : { state: 'planned', updatedAt: now, reason: 'send-again', claimedBy: null, nextAttemptAt: null },
  })
}
