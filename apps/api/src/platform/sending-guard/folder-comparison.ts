import { findDatabaseHold, judgeFolder } from './find-hold.ts'
import { type Findings, type GuardDeps, settledName } from './findings.ts'
import {
  createFolderFile,
  type FolderFile,
  type FoundFolder,
  readFolderFile,
  replaceFolderFile,
} from './folder-file.ts'
import * as rows from './guard.repository.ts'
import type { HoldReason } from './hold-reasons.ts'
import { type LogTail, listLogFiles, readEntries, readTails } from './sent-log.ts'

/** A rollback undoes the newest claims first. */
const tailsCompared = 20
const settledAtOnce = 1_000

/** Creates the comparison of a folder with the database, which tells the ledgers about the folder's messages. */
export function createFolderComparison(deps: GuardDeps, processName: string) {
  const { database, clock, ids, logger, folder, site, ledgers } = deps

  /**
   * Reads the folder before the database, which must know at least as much. `ignoresTimeline`: as if the server were on
   * the timeline that was confirmed.
   */
  async function look({ ignoresTimeline = false } = {}): Promise<Findings> {
    const found = await readFolderFile(folder)
    const files = await listLogFiles(folder)
    const tails = await readTails(files.slice(0, tailsCompared))
    const own = tails.filter(({ header }) => isOf(found, header))
    const marks = own.map(({ header: { mark }, counter }) => ({ mark, counter }))
    const read = await rows.readGuardState(database.sql, fileOf(found)?.id ?? null, marks)
    const state = ignoresTimeline ? onConfirmedTimeline(read) : read
    const hold = findDatabaseHold(state, site)
    if (hold !== null && hold !== 'held') return { found, tails, state, hold }
    const verdict = judgeFolder(state, found, files.length > 0)
    if (verdict === 'first-start')
      return { found, tails, state, hold: (await acceptFirst(found, state)) ?? hold }
    if (verdict === 'new-epoch') {
      await beginEpoch(found, state)
      return { found, tails, state, hold }
    }
    if (verdict !== 'may-send') return { found, tails, state, hold: verdict }
    if (await isAnyBehind(own)) return { found, tails, state, hold: 'ledger-behind' }
    return { found, tails, state, hold }
  }

  async function isAnyBehind(tails: readonly LogTail[]): Promise<boolean> {
    for (const ledger of ledgers) {
      const last = tails.flatMap(({ header, last }) =>
        header.ledger === ledger.name && last !== null ? [last] : [],
      )
      if (last.length > 0 && (await ledger.isBehind(database.sql, last))) return true
    }
    return false
  }

  /** Accepts a folder in a database that has sent nothing yet. Returns why it can't send all the same. */
  async function acceptFirst(found: FoundFolder, state: rows.GuardState): Promise<HoldReason | null> {
    const now = clock.now()
    return await database.transaction(async (tx) => {
      // Before the file: another process that sees the file waits for this lock, and then sees the rows too.
      await rows.lockControl(tx)
      if (found.state === 'valid')
        await replaceFolderFile(folder, { ...newFile(state, state.control?.epoch ?? 0), id: found.file.id })
      const file = await createFolder(state)
      if (file === null) return 'mark-unwritable'
      const { control } = await rows.readGuardState(database.sql, null, [])
      if (control === null || control.isOriginal === null) await rows.writeControl(tx, site, 0, now)
      await rows.saveFolder(tx, { id: file.id, process: processName, now }, null)
      return null
    })
  }

  /** Goes on after an operator confirmed the database: first the ledgers learn what was sent from this folder. */
  async function beginEpoch(found: FoundFolder, state: rows.GuardState): Promise<void> {
    const file = fileOf(found)
    const { control } = state
    if (file === null || control === null) return
    await settle()
    await rows.noteSettled(database.db, file.id, settledName(control, state))
    await replaceFolderFile(folder, { ...file, epoch: control.epoch, siteUrl: site.siteUrl })
  }

  /** Creates the file of a folder unless there is one; returns null if it can't be written. */
  async function createFolder(state: rows.GuardState): Promise<FolderFile | null> {
    try {
      return fileOf(await createFolderFile(folder, newFile(state, state.control?.epoch ?? 0)))
    } catch (error) {
      logger.warn({ err: error, folder }, 'sending folder not writable')
      return null
    }
  }

  function newFile({ cluster, database: name }: rows.GuardState, epoch: number): FolderFile {
    return { id: ids.uuid(), cluster, database: name, siteUrl: site.siteUrl, epoch }
  }

  /** Tells the ledgers what was sent from this folder. Returns how many messages they didn't know. */
  async function settle(): Promise<number> {
    const files = await listLogFiles(folder)
    let settled = 0
    // The oldest first: the last time that a message was handed over counts.
    for (const tail of (await readTails(files)).reverse()) {
      const ledger = ledgers.find(({ name }) => name === tail.header.ledger)
      const entries = ledger === undefined ? [] : await readEntries(tail)
      for (let from = 0; from < entries.length; from += settledAtOnce) {
        const some = entries.slice(from, from + settledAtOnce)
        settled += (await ledger?.settle(database.sql, some, clock.now())) ?? 0
      }
    }
    return settled
  }

  return { look, settle, createFolder, newFile }
}

function onConfirmedTimeline(state: rows.GuardState): rows.GuardState {
  const timeline = state.control?.instance.split('/')[2] ?? state.timeline
  return { ...state, timeline }
}

/** Returns the content of a folder's file; null if it can't be read. */
export function fileOf(found: FoundFolder): FolderFile | null {
  return 'file' in found ? found.file : null
}

/** Returns whether a file of the log belongs to the folder as it is now: not to an earlier epoch, nor to a copy. */
export function isOf(found: FoundFolder, header: LogTail['header']): boolean {
  const file = fileOf(found)
  return file !== null && header.folder === file.id && header.epoch === file.epoch
}
