import { z } from 'zod'
import { Prisma, type SendingFolder } from '#generated/prisma/client.ts'
import type { Db, Sql } from '../database.ts'
import { queryRows } from '../query-rows.ts'
import type { HoldReason } from './hold-reasons.ts'

/** The site in whose name is sent. */
export type SendingSite = { hostName: string; siteUrl: string }

export type GuardState = {
  cluster: string
  database: string
  timeline: string
  /** The row that says which database and site send; null before the first sending, or while it is being restored. */
  control: {
    instance: string
    siteUrl: string | null
    isHeld: boolean
    suspendedReason: string | null
    epoch: number
    /** Whether the transaction that wrote the row is the one that it names; null in rows of earlier versions. */
    isOriginal: boolean | null
    /** Changes whenever the row is written. */
    version: string
  } | null
  /** The folder's row; null without one. */
  folder: { isAccepted: boolean; heldReason: string | null; seenAt: Date } | null
  /** Whether any folder has sent. */
  isUsed: boolean
  /** Whether a sender's counter is lower than the folder knows, or missing. */
  isBehind: boolean
}

// The same in the claim: nothing that is read here may be older than the statement.
const cluster = Prisma.sql`(SELECT system_identifier::text FROM pg_control_system())`
const databaseOid = Prisma.sql`(SELECT oid::text FROM pg_database WHERE datname = current_database())`
const timeline = Prisma.sql`left(pg_walfile_name(pg_current_wal_lsn()), 8)`
// A row that a dump brought was written by the transaction that restored it. The column holds 64 bits, `xmin` 32.
const isOriginal = Prisma.sql`(control.xmin::text::bigint = (control.written_by & 4294967295))`
const thisTransaction = Prisma.sql`pg_current_xact_id()::text::bigint`

function instanceOf({ hostName }: SendingSite): Prisma.Sql {
  return Prisma.sql`concat_ws('/', ${cluster}, ${databaseOid}, ${timeline}, ${hostName}::text)`
}

const stateRowSchema = z.object({
  cluster: z.string(),
  database: z.string(),
  timeline: z.string(),
  instance: z.string().nullable(),
  siteUrl: z.string().nullable(),
  isHeld: z.boolean(),
  suspendedReason: z.string().nullable(),
  epoch: z.int().nullable(),
  isOriginal: z.boolean().nullable(),
  version: z.string().nullable(),
  acceptedAt: z.date().nullable(),
  heldReason: z.string().nullable(),
  seenAt: z.date().nullable(),
  isUsed: z.boolean(),
  isBehind: z.boolean(),
})

/** Reads the database's state for the comparison with a folder. */
export async function readGuardState(
  sql: Sql,
  folderId: string | null,
  marks: readonly { mark: string; counter: number }[],
): Promise<GuardState> {
  const rows = await queryRows(sql, stateRowSchema)`
    SELECT
      ${cluster} AS cluster, ${databaseOid} AS database, ${timeline} AS timeline,
      control.instance, control.site_url AS "siteUrl", control.held_at IS NOT NULL AS "isHeld",
      control.suspended_reason AS "suspendedReason", control.epoch, ${isOriginal} AS "isOriginal",
      control.xmin::text AS version,
      folder.accepted_at AS "acceptedAt", folder.held_reason AS "heldReason", folder.seen_at AS "seenAt",
      EXISTS (SELECT 1 FROM sending_folder WHERE used_at IS NOT NULL) AS "isUsed",
      EXISTS (
        SELECT 1 FROM jsonb_to_recordset(${JSON.stringify(marks)}::jsonb) AS known (mark uuid, counter int)
        LEFT JOIN sending_mark AS mark ON mark.id = known.mark
        WHERE mark.counter IS NULL OR mark.counter < known.counter
      ) AS "isBehind"
    FROM (SELECT 1) AS one
    LEFT JOIN delivery_control AS control ON control.id = 1
    LEFT JOIN sending_folder AS folder ON folder.id = ${folderId}::uuid`
  const [row] = rows
  if (row === undefined) throw new Error('The state of sending has no row.')
  const { instance, epoch, version, seenAt, acceptedAt, heldReason } = row
  const isControlled = instance !== null && epoch !== null && version !== null
  return {
    ...row,
    control: isControlled ? { ...row, instance, epoch, version } : null,
    folder: seenAt === null ? null : { isAccepted: acceptedAt !== null, heldReason, seenAt },
  }
}

/**
 * Returns the statement that lets a sender claim once, and counts it. It changes no row, so that nothing is claimed, if
 * the database went back, is another one, waits for an operator, or a folder is not accepted.
 */
export function advanceMark(
  site: SendingSite,
  { mark, counter, epoch, now }: { mark: string; counter: number; epoch: number; now: Date },
): Prisma.Sql {
  return Prisma.sql`
    UPDATE sending_mark AS mark SET counter = mark.counter + 1, used_at = ${now}
    FROM delivery_control AS control, sending_folder AS folder
    WHERE mark.id = ${mark}::uuid AND mark.counter >= ${counter}
      AND folder.id = mark.folder_id AND folder.accepted_at IS NOT NULL
      AND control.id = 1 AND control.epoch = ${epoch} AND ${isOriginal}
      AND control.held_at IS NULL AND control.suspended_reason IS NULL
      AND control.site_url = ${site.siteUrl} AND control.instance = ${instanceOf(site)}
    RETURNING mark.counter`
}

/** Selects whether a sender's counter is as high as its folder knows. */
export function isMarkIntact(mark: string, counter: number): Prisma.Sql {
  return Prisma.sql`EXISTS (SELECT 1 FROM sending_mark WHERE id = ${mark}::uuid AND counter >= ${counter})`
}

/** Records that this database and site send. */
export async function writeControl(tx: Db, site: SendingSite, epoch: number, now: Date): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO delivery_control (id, instance, site_url, confirmed_at, epoch, written_by)
    VALUES (1, ${instanceOf(site)}, ${site.siteUrl}, ${now}, ${epoch}, ${thisTransaction})
    ON CONFLICT (id) DO UPDATE SET
      instance = excluded.instance, site_url = excluded.site_url, confirmed_at = excluded.confirmed_at,
      epoch = excluded.epoch, written_by = excluded.written_by, suspended_reason = NULL`
}

/** Holds all sending for an operator, or releases it. A restored row stays recognizable. */
export async function writeHeld(db: Db, heldAt: Date | null): Promise<void> {
  await db.$executeRaw`
    UPDATE delivery_control AS control SET
      held_at = ${heldAt}, written_by = CASE WHEN ${isOriginal} THEN ${thisTransaction} ELSE written_by END
    WHERE id = 1`
}

/** Holds all sending because a worker knows more than the database. */
export async function suspend(db: Db, reason: HoldReason): Promise<void> {
  await db.$executeRaw`
    UPDATE delivery_control AS control SET suspended_reason = ${reason}, written_by = ${thisTransaction}
    WHERE id = 1 AND suspended_reason IS NULL AND ${isOriginal}`
}

/** Locks the row that says which database sends, until the transaction ends. */
export async function lockControl(tx: Db): Promise<void> {
  await tx.$queryRaw`SELECT pg_advisory_xact_lock(hashtext('sending control'))::text`
}

type FolderChange = { id: string; process: string; now: Date }

/** Stores a folder; accepted or still waiting for an operator. */
export async function saveFolder(
  tx: Db,
  { id, process, now }: FolderChange,
  heldReason: HoldReason | null,
): Promise<void> {
  const accepted = heldReason === null ? { acceptedAt: now } : {}
  const seen = { process, seenAt: now, heldReason }
  await tx.sendingFolder.upsert({
    where: { id },
    create: { id, ...seen, ...accepted },
    update: { ...seen, ...accepted },
  })
}

export async function noteFolder(db: Db, id: string, seenAt: Date, heldReason: string | null): Promise<void> {
  await db.sendingFolder.updateMany({ where: { id }, data: { seenAt, heldReason } })
}

/** Notes that the ledgers know what was sent from a folder, as far as this state of the database is concerned. */
export async function noteSettled(db: Db, id: string, settledFor: string): Promise<void> {
  await db.sendingFolder.updateMany({ where: { id }, data: { settledFor } })
}

const unloggedKeptMs = 24 * 3600_000

/** Begins a sender's counter, and removes old ones that no log has. */
export async function beginMark(
  tx: Db,
  {
    mark,
    folder,
    process,
    now,
    logged,
  }: { mark: string; folder: string; process: string; now: Date; logged: readonly string[] },
): Promise<void> {
  await tx.sendingMark.createMany({ data: [{ id: mark, folderId: folder, counter: 0, usedAt: now }] })
  await tx.sendingFolder.updateMany({ where: { id: folder }, data: { usedAt: now, seenAt: now, process } })
  const before = new Date(now.getTime() - unloggedKeptMs)
  await tx.sendingMark.deleteMany({
    where: { folderId: folder, usedAt: { lt: before }, id: { notIn: [...logged] } },
  })
}

/** Removes the counter of a sender that handed nothing over. */
export async function removeMark(db: Db, mark: string): Promise<void> {
  await db.sendingMark.deleteMany({ where: { id: mark } })
}

export async function listFolders(db: Db): Promise<SendingFolder[]> {
  return await db.sendingFolder.findMany({ orderBy: { seenAt: 'desc' } })
}
