import { hostname } from 'node:os'
import { pid } from 'node:process'
import { uuidOf } from '../ids.ts'
import { aliveMs, type Findings, type GuardDeps } from './findings.ts'
import { fileOf } from './folder-comparison.ts'
import type { FolderFile } from './folder-file.ts'
import * as rows from './guard.repository.ts'
import type { HoldReason } from './hold-reasons.ts'

type FolderActions = {
  processName: string
  createFolder: (state: rows.GuardState) => Promise<FolderFile | null>
}

/** These hold the workers of one folder only. */
const folderHolds: ReadonlySet<HoldReason> = new Set([
  'no-mark',
  'mark-of-another-database',
  'mark-copied',
  'mark-unreadable',
  'mark-unwritable',
])

/** Creates what says in the database that a folder is there, and whether its workers may send. */
export function createFolderReport(deps: GuardDeps, { processName, createFolder }: FolderActions) {
  const { database, clock, folder } = deps
  /** Stands in the database for a folder whose own id can't be read. */
  const anonymousId = uuidOf('sending folder', hostname(), folder, String(pid))

  return async ({ found, state, hold }: Findings, isUnwritable: boolean): Promise<void> => {
    const now = clock.now()
    const reason = hold ?? (isUnwritable ? 'mark-unwritable' : null)
    const ownHold = reason !== null && folderHolds.has(reason) ? reason : null
    const [file, row] = [fileOf(found), state.folder]
    if (file === null) {
      if (ownHold === null) return
      await database.transaction(async (tx) => {
        // Before the file: another process that sees the file waits for this lock, and then sees the row too.
        await rows.lockControl(tx)
        const created = hold === 'no-mark' ? await createFolder(state) : null
        await rows.saveFolder(tx, { id: created?.id ?? anonymousId, process: processName, now }, ownHold)
      })
      return
    }
    // Nothing is stored where a dump that is being restored has a row.
    if (hold === 'ledger-behind' && state.control === null)
      return await rows.saveFolder(database.db, { id: anonymousId, process: processName, now }, hold)
    // The row may be that of the original, whose own process reports.
    const isQuiet = row !== null && now.getTime() - row.seenAt.getTime() > aliveMs
    if (hold === 'mark-copied' && row?.heldReason !== hold && !isQuiet) return
    if (row === null && hold === 'no-mark')
      await rows.saveFolder(database.db, { id: file.id, process: processName, now }, 'no-mark')
    else if (row !== null && (row.heldReason !== ownHold || now.getTime() - row.seenAt.getTime() > 60_000))
      await rows.noteFolder(database.db, file.id, now, ownHold)
  }
}
