import type { DeliveryAttempt } from '@tidings/contracts/delivery/deliveries'
import { z } from 'zod'
import {
  type Delivery,
  type DeliveryMethod,
  DeliveryState,
  PdfFormat,
  Prisma,
} from '#generated/prisma/client.ts'
import type { Db, Sql } from '#platform/database.ts'
import { toDatabaseDate } from '#platform/database-date.ts'
import { queryRows } from '#platform/query-rows.ts'
import type { SendingPermission } from '#platform/sending-guard/sending-permission.ts'
import { isSmsMethod, sharedEmail } from '../methods.ts'
import { type RecipientRules, recipients } from './recipients.repository.ts'
import { admitted, isWaiting } from './refusing-domains.repository.ts'
import { contentVersion } from './runs.repository.ts'

export type DeliveryRow = Delivery

/** A sender's turn: it hands over deliveries of a run by one transport. */
export type Sender = { id: string; runId: number; transport: string }

const claimedRowSchema = z.object({
  id: z.string(),
  /** The delivery whose message carries it: itself, unless it is a PDF beside memos. */
  messageId: z.string(),
  state: z.enum(DeliveryState),
  /** Empty once the account is deleted. */
  memberId: z.string(),
  address: z.string(),
  /** The member's choice for PDFs. */
  pdfFormat: z.enum(PdfFormat),
  /** The number of the member's links to the preferences. */
  linkVersion: z.int(),
  attempts: z.int(),
  /** Whether its text ends with how to stop. */
  stopNotice: z.boolean(),
  /** How often the sender has claimed. */
  counter: z.int(),
  /** Whether its domain refuses us, and this message shows whether it still does. */
  isProbe: z.boolean(),
})

/** A delivery that a sender claimed, and whether it may hand it over. */
export type StartedDelivery = Omit<z.infer<typeof claimedRowSchema>, 'messageId'> & {
  /** The member's PDF that the same message carries, or that failed so that the message goes without it. */
  pdf: { id: string; state: DeliveryState; attempts: number } | null
}

/** The outcome of a delivery that was handed over. */
export type DeliveryOutcome = {
  id: string
  state: 'sent' | 'failed' | 'planned' | 'unconfirmed'
  reason: string | null
  nextAttemptAt: Date | null
  /** The delivery whose message carried it; null for its own. */
  sentWith: string | null
  /** How the attempt ended. */
  attempt: DeliveryAttempt['outcome']
}

/** Before every delivery, in order. */
export const firstPossibleId = '00000000-0000-0000-0000-000000000000'

/** The maximum of deliveries that one statement starts. */
export const maxStarted = 20

type Exchange = {
  outcomes: readonly DeliveryOutcome[]
  permission: Pick<SendingPermission, 'advance' | 'last'>
  start: {
    limit: number
    method: DeliveryMethod
    /** Starts only deliveries after this one: the index is full of those that are done. */
    after: string
    content: string
    rules: RecipientRules
    /** The site's, whose months count. */
    timeZone: string
    /** The pages of PDFs that can't be made for memos to carry. */
    unrendered: readonly PdfFormat[]
  }
  now: Date
}

/**
 * Stores the outcomes of deliveries, also of those that were meanwhile declared unconfirmed. Then claims others, oldest
 * first, and marks each as being handed over, or as suppressed if the member must no longer get it. Other senders skip them.
 * Claims none if the content has changed, the run is stopped, all sending is held, or the database went back in time.
 */
export async function exchangeDeliveries(
  db: Sql,
  sender: Sender,
  { outcomes, start, now, permission }: Exchange,
): Promise<StartedDelivery[]> {
  // The ids again, because Postgres expects a hundred outcomes and would read the whole table. The state as text, because
  // its index still has an entry for each delivery that was ever being handed over.
  const rows = await queryRows(db, claimedRowSchema)`
    WITH outcome AS (
      UPDATE delivery SET
        state = outcome.state::delivery_state, reason = left(outcome.reason, 300),
        next_attempt_at = outcome."nextAttemptAt", attempt_log = ${logWithOutcome},
        sent_at = CASE WHEN outcome.state = 'sent' THEN ${now} ELSE delivery.sent_at END,
        claimed_by = CASE WHEN outcome.state = 'planned' THEN NULL ELSE delivery.claimed_by END,
        sent_with = outcome."sentWith", updated_at = ${now}
      FROM jsonb_to_recordset(${JSON.stringify(outcomes)}::jsonb)
        AS outcome (id uuid, state text, reason text, "nextAttemptAt" timestamptz, "sentWith" uuid, attempt text)
      WHERE delivery.id = outcome.id AND delivery.id = ANY(${outcomes.map(({ id }) => id)}::uuid[])
        AND delivery.claimed_by = ${sender.id}::uuid AND delivery.state::text IN ('sending', 'unconfirmed')
    ), permit AS (${permission.advance(now)}), ${found(sender, start, permission, now)}
    UPDATE delivery SET
      state = found.state::delivery_state, reason = found.reason, recipient = found.address,
      attempts = delivery.attempts + (found.state = 'sending')::int,
      stop_notice = found.stop_notice AND found.state = 'sending',
      sent_with = CASE WHEN found.state = 'sending' THEN nullif(found.message_id, found.id) END,
      edition_version = found.edition_version, claimed_by = ${sender.id}::uuid, claimed_at = ${now}, updated_at = ${now}
    FROM found WHERE delivery.id = found.id
    RETURNING
      delivery.id, delivery.state, coalesce(delivery.member_id, '') AS "memberId", delivery.attempts,
      found.address, found.pdf_format AS "pdfFormat", found.link_version AS "linkVersion",
      delivery.stop_notice AS "stopNotice", found.message_id AS "messageId", found.is_probe AS "isProbe",
      (SELECT counter FROM permit) AS counter`
  const carried = new Map(
    rows.flatMap((row) => (row.id === row.messageId ? [] : [[row.messageId, row] as const])),
  )
  return rows
    .filter(({ id, messageId }) => id === messageId)
    .map(({ messageId, ...row }) => ({ ...row, pdf: carried.get(messageId) ?? null }))
}

/** Returns whether a text is the first one of the month for its member. */
function isFirstOfMonth({ method, rules, timeZone }: Exchange['start']): Prisma.Sql {
  if (!isSmsMethod(method)) return Prisma.sql`false`
  return Prisma.sql`NOT EXISTS (
    SELECT 1 FROM delivery AS earlier
    WHERE earlier.member_id = batch.member_id AND earlier.stop_notice AND earlier.id <> batch.id
      AND earlier.state::text IN ('sending', 'sent', 'delivered')
      AND earlier.claimed_at >= ${toDatabaseDate({ ...rules.today, day: 1 })}::date::timestamp AT TIME ZONE ${timeZone}
  )`
}

/** Locks the next deliveries, with the present choices of their members and the other deliveries of their messages. */
function found(
  { runId }: Sender,
  start: Exchange['start'],
  permission: Exchange['permission'],
  now: Date,
): Prisma.Sql {
  const { limit, method, after, content, rules } = start
  const last = permission.last()
  // The limit is written out: with a parameter, Postgres expects a tenth of the run and joins all members.
  return Prisma.sql`batch AS (
      SELECT id, member_id, method, recipient FROM delivery
      WHERE run_id = ${runId} AND state = 'planned' AND method = ${method}::delivery_method AND id > ${after}::uuid
        AND (next_attempt_at IS NULL OR next_attempt_at <= ${now})
        AND NOT ${isWaiting(Prisma.sql`recipient`, now)}
        AND (SELECT state FROM delivery_run WHERE id = ${runId}) = 'sending'
        AND (${contentVersion(runId)}) = ${content}
        AND EXISTS (SELECT 1 FROM permit)
        AND NOT EXISTS (
          SELECT 1 FROM delivery AS last WHERE last.id = ${last?.id ?? null}::uuid AND last.attempts < ${last?.attempts ?? 0}
        )
        AND ${hasOwnMessage([method])}
      ORDER BY id LIMIT ${Prisma.raw(String(limit))} FOR UPDATE SKIP LOCKED
    ), ${admitted(now)}, checked AS (
      SELECT
        batch.id, batch.member_id, batch.is_probe, coalesce(recipient.address, '') AS address,
        coalesce(recipient.pdf_format, 'phone') AS pdf_format, coalesce(recipient.link_version, 0) AS link_version,
        CASE WHEN recipient.id IS NULL THEN 'account-deleted' ELSE recipient.obstacle END AS obstacle,
        (
          SELECT edition.version FROM delivery_run AS run JOIN edition ON edition.id = run.edition_id
          WHERE run.id = ${runId}
        ) AS edition_version,
        ${isFirstOfMonth(start)} AS stop_notice
      FROM admitted AS batch
      LEFT JOIN (${recipients(rules, [method])}) AS recipient
        ON recipient.id = batch.member_id AND recipient.method = batch.method
    ), ${withCarried(runId, start)}`
}

/** The reason of a delivery whose PDF could not be made. */
const pdfFailed = 'render The PDF could not be rendered.'

/** A PDF whose member also gets memos waits for these, because both are one message. */
const waitsForMemos = Prisma.sql`coalesce((
  SELECT memo.state::text IN ('planned', 'sending') FROM delivery AS memo
  WHERE memo.run_id = delivery.run_id AND memo.member_id = delivery.member_id AND memo.method = ${sharedEmail.memos}::delivery_method
), false)`

/** Selects the rows of `delivery` by these methods that have messages of their own. */
function hasOwnMessage(methods: readonly DeliveryMethod[]): Prisma.Sql {
  if (!methods.includes(sharedEmail.pdf)) return Prisma.sql`true`
  return Prisma.sql`(delivery.method <> ${sharedEmail.pdf}::delivery_method OR NOT ${waitsForMemos})`
}

/**
 * Adds, to the rows that start messages by a method (`checked`), those that the same messages carry, as `found`. A PDF goes
 * with its member's memos. If its pages can't be made, it fails at once, and the message goes without it.
 */
function withCarried(runId: number, { method, rules, unrendered }: Exchange['start']): Prisma.Sql {
  const own = Prisma.sql`
    SELECT id, id AS message_id, is_probe, address, pdf_format, link_version, obstacle AS reason, edition_version, stop_notice,
      CASE WHEN obstacle IS NULL THEN 'sending' ELSE 'suppressed' END AS state
    FROM checked`
  if (method !== sharedEmail.memos) return Prisma.sql`found AS (${own})`
  const isFailed = Prisma.sql`recipient.pdf_format::text = ANY(${[...unrendered]}::text[])`
  // States as text, because the index on them would be read for the whole run.
  return Prisma.sql`carried AS (
      SELECT
        pdf.id, checked.id AS message_id, false AS is_probe, recipient.address, recipient.pdf_format, checked.link_version,
        CASE WHEN ${isFailed} THEN ${pdfFailed} END AS reason, checked.edition_version, false AS stop_notice,
        CASE WHEN ${isFailed} THEN 'failed' ELSE 'sending' END AS state
      FROM checked
      JOIN delivery AS pdf
        ON pdf.run_id = ${runId} AND pdf.member_id = checked.member_id AND pdf.method = ${sharedEmail.pdf}::delivery_method
        AND (pdf.state::text = 'planned' OR (pdf.state::text = 'failed' AND pdf.reason = ${pdfFailed}))
      JOIN (${recipients(rules, [sharedEmail.pdf])}) AS recipient
        ON recipient.id = checked.member_id AND recipient.obstacle IS NULL
      WHERE checked.obstacle IS NULL
      FOR UPDATE OF pdf SKIP LOCKED
    ), found AS (${own} UNION ALL SELECT * FROM carried)`
}

/** Adds an attempt to the log of the row `delivery`. */
export function logWith(outcome: Prisma.Sql, reply: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`coalesce(delivery.attempt_log, '[]') || jsonb_build_object(
    'at', delivery.claimed_at, 'outcome', ${outcome}, 'reply', left(coalesce(${reply}, ''), 300))`
}

/** Returns the log after an `outcome`. The first attempt that is accepted has none, as its row says all of it. */
const logWithOutcome = Prisma.sql`
  CASE WHEN outcome.attempt = 'accepted' AND delivery.attempts <= 1 AND delivery.attempt_log IS NULL THEN NULL
  ELSE ${logWith(Prisma.sql`outcome.attempt`, Prisma.sql`outcome.reason`)} END`

/** Releases a sender's claims of a statement whose reply was lost: it handed over none. Restored rows stay. */
export async function releaseUnsent(
  db: Db,
  sender: Sender,
  handedOver: readonly string[],
  permission: Pick<SendingPermission, 'isIntact'>,
  now: Date,
): Promise<void> {
  await db.$executeRaw`
    UPDATE delivery SET
      state = 'planned', attempts = attempts - 1, claimed_by = NULL, sent_with = NULL, updated_at = ${now}
    WHERE run_id = ${sender.runId} AND state = 'sending' AND claimed_by = ${sender.id}::uuid
      AND coalesce(sent_with, id) <> ALL(${[...handedOver]}::uuid[]) AND ${permission.isIntact()}`
}

/** Returns whether more than `count` deliveries of the run by these methods can be sent now. */
export async function hasClaimable(
  db: Db,
  id: number,
  methods: readonly DeliveryMethod[],
  now: Date,
  count = 0,
): Promise<boolean> {
  const rows = await db.$queryRaw`
    SELECT 1 FROM delivery
    WHERE run_id = ${id} AND state = 'planned' AND method = ANY(${[...methods]}::delivery_method[])
      AND (next_attempt_at IS NULL OR next_attempt_at <= ${now}) AND ${hasOwnMessage(methods)}
      AND NOT ${isWaiting(Prisma.sql`recipient`, now)}
    ORDER BY method, id OFFSET ${count} LIMIT 1`
  return rows.length > 0
}

export async function createSender(db: Db, sender: Sender, process: string, now: Date): Promise<void> {
  await db.deliverySender.create({ data: { ...sender, process, heartbeatAt: now } })
}

/** Renews a sender's heartbeat. Returns false if it counts as lost. */
export async function renewSender(db: Db, { id }: Sender, now: Date): Promise<boolean> {
  const { count } = await db.deliverySender.updateMany({ where: { id }, data: { heartbeatAt: now } })
  return count === 1
}

export async function removeSender(db: Db, { id }: Sender): Promise<void> {
  await db.deliverySender.deleteMany({ where: { id } })
}

/** Returns the names of the transports that have a sender, by the id of the run. */
export async function listActiveTransports(db: Db): Promise<Map<number, Set<string>>> {
  const senders = await db.deliverySender.findMany({ select: { runId: true, transport: true } })
  const ofRuns = Map.groupBy(senders, ({ runId }) => runId)
  return new Map([...ofRuns].map(([runId, of]) => [runId, new Set(of.map(({ transport }) => transport))]))
}
