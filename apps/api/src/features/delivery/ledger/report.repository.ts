import type { CalendarDate } from '@tidings/contracts/edition-key'
import { z } from 'zod'
import {
  DeliveryMethod,
  type DeliveryRun,
  DeliveryRunState,
  DeliveryState,
  type PdfFormat,
  Prisma,
} from '#generated/prisma/client.ts'
import type { Db } from '#platform/database.ts'
import { queryRows } from '#platform/query-rows.ts'
import { type ChosenMethod, isChosenMethod } from '../methods.ts'
import { isNotStopped } from './digest-editions.repository.ts'
import { getContentVersion } from './runs.repository.ts'

const shownStateSchema = z.enum({ ...DeliveryState, held: 'held' })

const listedRowSchema = z.object({
  id: z.string(),
  runId: z.int(),
  memberId: z.string().nullable(),
  method: z.enum(DeliveryMethod),
  state: shownStateSchema,
  recipient: z.string(),
  attempts: z.int(),
  reason: z.string().nullable(),
  claimedAt: z.date().nullable(),
  nextAttemptAt: z.date().nullable(),
  sentAt: z.date().nullable(),
  editionVersion: z.int().nullable(),
  /** The delivery whose message carried it; null for its own. */
  sentWith: z.string().nullable(),
  /** Of an edition; null for a digest. */
  date: z.date().nullable(),
  slot: z.string().nullable(),
  digestDate: z.date().nullable(),
  attemptLog: z.unknown(),
  runState: z.enum(DeliveryRunState),
  heldReason: z.string().nullable(),
  sendAfter: z.date(),
  isPublished: z.boolean(),
})

type ListedRow = z.infer<typeof listedRowSchema>

export type ListedDelivery = Omit<ListedRow, 'runState' | Exclude<keyof RunFacts, 'state' | 'isDigest'>> & {
  run: RunFacts
}

/** The facts that decide whether the deliveries of a run are sent. */
export type RunFacts = Pick<DeliveryRun, 'state' | 'heldReason' | 'sendAfter'> & {
  isDigest: boolean
  isPublished: boolean
}

const countedDeliveriesSchema = z.object({
  method: z.enum(DeliveryMethod),
  state: shownStateSchema,
  reason: z.string().nullable(),
  count: z.int(),
})

export type CountedDeliveries = z.infer<typeof countedDeliveriesSchema>

export type SendingTimes = {
  firstSentAt: Date | null
  lastSentAt: Date | null
  slowest: { id: string; sentAt: Date; attempts: number }[]
}

const published = Prisma.sql`
  CASE WHEN run.edition_id IS NOT NULL THEN edition.status = 'published' ELSE EXISTS (
    SELECT 1 FROM edition WHERE edition.date = run.digest_date AND edition.status = 'published' AND ${isNotStopped}
  ) END`

const shownState = Prisma.sql`
  CASE WHEN delivery.state = 'planned' AND (run.state IN ('stopped', 'held') OR NOT (${published})) THEN 'held'
  ELSE delivery.state::text END`

const columns = Prisma.sql`
  delivery.id, delivery.run_id AS "runId", delivery.member_id AS "memberId", delivery.method, ${shownState} AS state,
  delivery.recipient, delivery.attempts, delivery.reason, delivery.claimed_at AS "claimedAt",
  delivery.next_attempt_at AS "nextAttemptAt", delivery.sent_at AS "sentAt",
  delivery.edition_version AS "editionVersion", delivery.sent_with AS "sentWith", edition.date, edition.slot,
  run.digest_date AS "digestDate", delivery.attempt_log AS "attemptLog",
  run.state AS "runState", run.held_reason AS "heldReason", run.send_after AS "sendAfter",
  (${published}) AS "isPublished"`

function toListed({ runState, heldReason, sendAfter, isPublished, ...row }: ListedRow): ListedDelivery {
  const isDigest = row.digestDate !== null
  return { ...row, run: { state: runState, heldReason, sendAfter, isDigest, isPublished } }
}

const joins = Prisma.sql`
  JOIN delivery_run AS run ON run.id = delivery.run_id
  LEFT JOIN edition ON edition.id = run.edition_id`

// The states by their names, and as they are stored.
const states = new Map<string, DeliveryState>(Object.values(DeliveryState).map((state) => [state, state]))
const heldStates = new Map([...states, ['held', 'planned'] as const].filter(([shown]) => shown !== 'planned'))

type Page = { limit: number; after: string | undefined }
type Filter = { state: string | undefined; method: DeliveryMethod | undefined }

/** Lists a page of a run's deliveries, in the order in which they are sent. */
export async function listDeliveries(
  db: Db,
  { id, state, firstId, lastId }: DeliveryRun,
  { limit, after }: Page,
  filter: Filter,
): Promise<ListedDelivery[]> {
  if (firstId === null || lastId === null) return []
  const isAfter = after === undefined ? Prisma.empty : Prisma.sql`AND id > ${after}::uuid`
  const isHeld = state === 'stopped' || state === 'held' || (await getContentVersion(db, id)) === ''
  const { states, methods } = storedFilter(filter, isHeld)
  // The range of the primary key has the order of all; the sum hides the index, which has it within a state and a method.
  const rows =
    filter.state === undefined && filter.method === undefined
      ? Prisma.sql`
          SELECT * FROM delivery
          WHERE run_id + 0 = ${id} AND id BETWEEN ${firstId}::uuid AND ${lastId}::uuid ${isAfter}`
      : Prisma.sql`
          SELECT each.* FROM
            unnest(${states}::delivery_state[]) AS of_state, unnest(${methods}::delivery_method[]) AS of_method,
            LATERAL (
              SELECT * FROM delivery
              WHERE run_id = ${id} AND state = of_state AND method = of_method ${isAfter}
              ORDER BY id LIMIT ${limit}
            ) AS each`
  const listed = await queryRows(db, listedRowSchema)`
    SELECT ${columns} FROM (${rows} ORDER BY id LIMIT ${limit}) AS delivery ${joins}
    ORDER BY delivery.id`
  return listed.map(toListed)
}

/** Returns the stored states for a filter by the state as shown. */
function storedFilter({ state: shown, method }: Filter, isHeld: boolean) {
  const names = isHeld ? heldStates : states
  return {
    states: shown === undefined ? Object.values(DeliveryState) : [names.get(shown) ?? []].flat(),
    methods: method === undefined ? Object.values(DeliveryMethod) : [method],
  }
}

/** Lists a page of the unconfirmed deliveries of all runs, oldest first. */
export async function listUnconfirmed(db: Db, { limit, after }: Page): Promise<ListedDelivery[]> {
  const rows = await queryRows(db, listedRowSchema)`
    SELECT ${columns} FROM delivery ${joins}
    WHERE delivery.state = 'unconfirmed'
      ${after === undefined ? Prisma.empty : Prisma.sql`AND delivery.id > ${after}::uuid`}
    ORDER BY delivery.id LIMIT ${limit}`
  return rows.map(toListed)
}

/**
 * Lists a member's deliveries in the newest runs, newest first, without notifications: these are shown with the browsers.
 * The number of runs limits the index probes.
 */
export async function listOfMember(
  db: Db,
  memberId: string,
  limit: number,
): Promise<(ListedDelivery & { method: ChosenMethod })[]> {
  const rows = await queryRows(db, listedRowSchema)`
    SELECT ${columns}
    FROM (SELECT * FROM delivery_run WHERE archived_at IS NULL ORDER BY id DESC) AS run
    JOIN delivery ON delivery.run_id = run.id AND delivery.member_id = ${memberId} AND delivery.method <> 'web_push'
    LEFT JOIN edition ON edition.id = run.edition_id
    ORDER BY run.id DESC, delivery.id DESC LIMIT ${limit}`
  return rows
    .map(toListed)
    .flatMap((row) => (isChosenMethod(row.method) ? [{ ...row, method: row.method }] : []))
}

/** The members whose deliveries to find, and a recipient whom members had before. */
export type FoundMembers = {
  memberIds: readonly string[]
  former: { recipient: string; memberIds: readonly string[] }
}

/** Lists a page of members' deliveries, newest first. Probes the index once for each member and run that is not archived. */
export async function listOfMembers(
  db: Db,
  { memberIds, former }: FoundMembers,
  { limit, after }: Page,
): Promise<ListedDelivery[]> {
  const isAfter = after === undefined ? Prisma.empty : Prisma.sql`AND delivery.id < ${after}::uuid`
  const rows = await queryRows(db, listedRowSchema)`
    SELECT ${columns}
    FROM (SELECT * FROM delivery_run WHERE archived_at IS NULL) AS run
    CROSS JOIN unnest(${[...memberIds, ...former.memberIds]}::text[]) AS found (member_id)
    JOIN delivery ON delivery.run_id = run.id AND delivery.member_id = found.member_id
    LEFT JOIN edition ON edition.id = run.edition_id
    WHERE (found.member_id = ANY(${[...memberIds]}::text[]) OR delivery.recipient = ${former.recipient}) ${isAfter}
    ORDER BY delivery.id DESC LIMIT ${limit}`
  return rows.map(toListed)
}

export async function findDelivery(db: Db, id: string): Promise<ListedDelivery | null> {
  const [row] = await queryRows(db, listedRowSchema)`
    SELECT ${columns} FROM delivery ${joins} WHERE delivery.id = ${id}::uuid`
  return row === undefined ? null : toListed(row)
}

/** Counts a run's deliveries by method, state and reason. */
export async function countDeliveries(db: Db, runId: number): Promise<CountedDeliveries[]> {
  return await queryRows(db, countedDeliveriesSchema)`
    SELECT delivery.method, ${shownState} AS state, nullif(delivery.reason, '') AS reason, sum(count)::int AS count
    FROM delivery_count AS delivery ${joins}
    WHERE delivery.run_id = ${runId}
    GROUP BY 1, 2, 3 HAVING sum(count) <> 0 ORDER BY 1, 2, 3`
}

const methodCountSchema = z.object({ method: z.enum(DeliveryMethod), count: z.int() })

/** Counts the texts of a run in these states that ended with how to stop, by method. */
export async function countStopNotices(
  db: Db,
  runId: number,
  states: readonly string[],
): Promise<Map<DeliveryMethod, number>> {
  const rows = await queryRows(db, methodCountSchema)`
    SELECT method, count(*)::int AS count FROM delivery
    WHERE run_id = ${runId} AND stop_notice AND state::text = ANY(${[...states]}::text[])
    GROUP BY method`
  return new Map(rows.map(({ method, count }) => [method, count]))
}

/** Returns the times of a run's first and last sent deliveries, and the last ones. */
export async function readSendingTimes(db: Db, runId: number, slowest: number): Promise<SendingTimes> {
  const where = { runId, sentAt: { not: null } }
  // An aggregate would read the whole index.
  const first = await db.delivery.findFirst({ where, orderBy: { sentAt: 'asc' }, select: { sentAt: true } })
  const last = await db.delivery.findMany({
    where,
    orderBy: [{ sentAt: 'desc' }, { id: 'asc' }],
    take: slowest,
    select: { id: true, sentAt: true, attempts: true },
  })
  return {
    firstSentAt: first?.sentAt ?? null,
    lastSentAt: last[0]?.sentAt ?? null,
    slowest: last.flatMap(({ sentAt, ...each }) => (sentAt === null ? [] : [{ ...each, sentAt }])),
  }
}

export type DeliveryPreferences = {
  /** The first day on which deliveries are sent again; null if they are not paused. */
  pausedUntil: Date | null
  pdfFormat: PdfFormat
}

export async function findPreferences(db: Db, memberId: string): Promise<DeliveryPreferences> {
  const member = await db.member.findUnique({
    where: { id: memberId },
    select: { deliveriesPausedUntil: true, pdfFormat: true },
  })
  return { pausedUntil: member?.deliveriesPausedUntil ?? null, pdfFormat: member?.pdfFormat ?? 'phone' }
}

export async function updatePreferences(
  db: Db,
  memberId: string,
  { pausedUntil, pdfFormat }: Partial<DeliveryPreferences>,
): Promise<void> {
  const data = {
    ...(pausedUntil !== undefined && { deliveriesPausedUntil: pausedUntil }),
    ...(pdfFormat !== undefined && { pdfFormat }),
  }
  await db.member.updateMany({ where: { id: memberId }, data })
}

const runSummarySchema = z.object({
  id: z.int(),
  name: z.string(),
  state: z.string(),
  heldReason: z.string().nullable(),
  counts: z.string(),
})

/** Counts the deliveries of the runs since a day, for the operator. */
export async function summarize(db: Db, since: CalendarDate): Promise<z.infer<typeof runSummarySchema>[]> {
  const day = new Date(Date.UTC(since.year, since.month - 1, since.day))
  return await queryRows(db, runSummarySchema)`
    SELECT
      run.id,
      coalesce(to_char(edition.date, 'MM-DD-YY') || '-' || edition.slot, 'digest ' || to_char(run.digest_date, 'MM-DD-YY')) AS name,
      run.state::text AS state, run.held_reason AS "heldReason",
      coalesce((
        SELECT string_agg(counted.state || ' ' || counted.count, ', ' ORDER BY counted.state)
        FROM (
          SELECT state, sum(count) AS count FROM delivery_count WHERE run_id = run.id GROUP BY 1 HAVING sum(count) <> 0
        ) AS counted
      ), 'no deliveries') AS counts
    FROM delivery_run AS run LEFT JOIN edition ON edition.id = run.edition_id
    WHERE run.created_at >= ${day}
    ORDER BY run.id`
}
