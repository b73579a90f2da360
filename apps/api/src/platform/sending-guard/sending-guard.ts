import { hostname } from 'node:os'
import { pid } from 'node:process'
import { type Confirmation, confirmDatabase } from './confirm-database.ts'
import { findDatabaseHold } from './find-hold.ts'
import { aliveMs, type Findings, type GuardDeps, settledName } from './findings.ts'
import { createFolderComparison, fileOf, isOf } from './folder-comparison.ts'
import { type FoundFolder, readFolderFile } from './folder-file.ts'
import { createFolderReport } from './folder-report.ts'
import { followSite } from './follow-site.ts'
import * as rows from './guard.repository.ts'
import { type HoldReason, toHoldReason } from './hold-reasons.ts'
import { createOutgoingCheck } from './outgoing-check.ts'
import { createSendingPermission, type SendingPermission } from './sending-permission.ts'
import { type LogFile, listLogFiles, pruneLog, readEntries, readTails, type SentEntry } from './sent-log.ts'

export type SendingGuard = ReturnType<typeof createSendingGuard>

const processName = `${hostname()}:${pid}`
const checkMs = 15_000
const settleMs = 60_000

/** Creates the guard that decides whether this process may send. The permission to send is in no dump. */
export function createSendingGuard(deps: GuardDeps) {
  const { database, clock, logger, folder, site } = deps
  const { look, settle, createFolder, newFile } = createFolderComparison(deps, processName)
  const report = createFolderReport(deps, { processName, createFolder })
  const holdFor = createHold(deps, settle)
  /** The last sender could not record its messages. */
  let isUnwritable = false
  let lastHold: HoldReason | null = null
  const outgoing = createOutgoingCheck(deps, { check, readWorkers, lastHold: () => lastHold })

  const confirm = () => confirmDatabase({ ...deps, process: processName, look, settle, newFile })

  /** Returns why this process may not send now; null if it may. Does what follows from it. */
  async function check(): Promise<HoldReason | null> {
    let findings = await look()
    // A file that another process is about to remove or to accept must not hold all workers.
    if (findings.hold === 'ledger-behind') {
      await database.transaction((tx) => rows.lockControl(tx))
      findings = await look()
    }
    const { hold } = findings
    if (hold !== null) await holdFor(hold, findings)
    await report(findings, isUnwritable)
    lastHold = hold
    return hold
  }

  /** Returns why all workers that are alive are held; null if one of them may send. */
  async function readWorkers(): Promise<HoldReason | null> {
    const since = clock.now().getTime() - aliveMs
    const alive = (await rows.listFolders(database.db)).filter(({ seenAt }) => seenAt.getTime() >= since)
    const open = alive.find(({ heldReason }) => heldReason === null)
    return toHoldReason(open === undefined ? (alive[0]?.heldReason ?? null) : null)
  }

  return {
    check,
    findHold: outgoing.findHold,
    assertOpen: outgoing.assertOpen,

    /** Returns why all sending is held, for reports: by the database, or by all workers that are alive. */
    async read(): Promise<HoldReason | null> {
      const state = await rows.readGuardState(database.sql, null, [])
      return findDatabaseHold(state, site) ?? (await readWorkers())
    },

    /** Returns a sender's permission; null if this process may not send. */
    async open(sender: { id: string; ledger: string; subject: string }): Promise<SendingPermission | null> {
      const hold = await check()
      const found = await readFolderFile(folder)
      if (hold !== null || found.state !== 'valid') return null
      isUnwritable = false
      const { id, epoch } = found.file
      const header = { mark: sender.id, folder: id, epoch, ledger: sender.ledger, subject: sender.subject }
      await pruneLog(folder, clock.now())
      const files = await listLogFiles(folder)
      const earlier = await readEarlier(files, found, sender)
      await rows.beginMark(database.db, {
        mark: sender.id,
        folder: id,
        process: processName,
        now: clock.now(),
        logged: files.map(({ mark }) => mark),
      })
      return createSendingPermission({ site, folder, header, earlier })
    },

    /** Ends a sender's permission. */
    async close(sender: { id: string }, permission: SendingPermission): Promise<void> {
      await permission.close(clock.now())
      if (!permission.isUsed()) await rows.removeMark(database.db, sender.id)
    },

    /** Reports that this process can't record its messages. */
    async noteUnwritable(error: unknown): Promise<void> {
      isUnwritable = true
      logger.warn({ err: error, folder }, 'sending folder not writable')
      const file = fileOf(await readFolderFile(folder))
      if (file !== null) await rows.noteFolder(database.db, file.id, clock.now(), 'mark-unwritable')
    },

    /** Holds all sending for an operator, or releases it. */
    async setHeld(heldAt: Date | null): Promise<void> {
      const { control } = await rows.readGuardState(database.sql, null, [])
      if (control === null) await rows.writeControl(database.db, site, 0, clock.now())
      await rows.writeHeld(database.db, heldAt)
    },

    /** Lets this database and this folder send. */
    confirm,

    /** Confirms a promoted standby. Returns why it doesn't: null without a hold, or a reason beside the timeline. */
    confirmFailover: () => confirmFailover(look, confirm),

    listFolders: () => rows.listFolders(database.db),

    ...createRegularCheck(deps, { check, asWorker: outgoing.asWorker }),
  }
}

async function confirmFailover(
  look: (options?: { ignoresTimeline: boolean }) => Promise<Findings>,
  confirm: () => Promise<Confirmation>,
) {
  const { hold } = await look()
  if (hold !== 'other-timeline') return { confirmation: null, hold }
  const { hold: other } = await look({ ignoresTimeline: true })
  if (other !== null && other !== 'held') return { confirmation: null, hold: other }
  return { confirmation: await confirm(), hold: null }
}

/** Creates the check that a worker repeats as long as it runs. */
function createRegularCheck(
  deps: GuardDeps,
  { check, asWorker }: { check: () => Promise<unknown>; asWorker: () => void },
) {
  let timer: NodeJS.Timeout | undefined
  const warn = (error: unknown) => deps.logger.warn({ err: error }, 'sending folder check failed')
  const quietly = () => check().catch(warn)
  return {
    /** Accepts a new folder of a new database, and looks regularly: what this worker knows also holds the others. */
    async start(): Promise<void> {
      asWorker()
      await followSite(deps).then(quietly, warn)
      timer = setInterval(quietly, checkMs)
      timer.unref()
    },

    stop(): void {
      clearInterval(timer)
    },
  }
}

/** Creates what follows from a hold: all workers are held if the database went back, and the ledgers learn what was sent. */
function createHold({ database, clock, logger }: GuardDeps, settle: () => Promise<number>) {
  let settledAt = { state: '', at: 0 }

  return async (reason: HoldReason, { found, state }: Findings): Promise<void> => {
    if (reason === 'held' || reason === 'no-mark' || reason === 'mark-unwritable') return
    if (reason === 'ledger-behind') await rows.suspend(database.db, reason)
    const { control } = await rows.readGuardState(database.sql, null, [])
    const now = clock.now().getTime()
    const name = settledName(control, state)
    if (name === settledAt.state && Math.abs(now - settledAt.at) < settleMs) return
    const settled = await settle()
    if (settled > 0) logger.warn({ settled }, 'restored deliveries already sent')
    settledAt = { state: name, at: now }
    const file = fileOf(found)
    if (file !== null && found.state === 'valid') await rows.noteSettled(database.db, file.id, name)
  }
}

/** Returns what a sender sent from other folders, or before this folder's epoch. */
async function readEarlier(
  files: readonly LogFile[],
  found: FoundFolder,
  sender: { ledger: string; subject: string },
): Promise<Map<string, SentEntry>> {
  const earlier = new Map<string, SentEntry>()
  for (const tail of (await readTails(files)).reverse()) {
    const { ledger, subject } = tail.header
    if (ledger !== sender.ledger || subject !== sender.subject || isOf(found, tail.header)) continue
    for (const entry of await readEntries(tail)) earlier.set(entry.key, entry)
  }
  return earlier
}
