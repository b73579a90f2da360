import type { SendingFolder } from '#generated/prisma/client.ts'
import { findDatabaseHold } from './find-hold.ts'
import { aliveMs, type Findings, type GuardDeps, settledName } from './findings.ts'
import { type FolderFile, replaceFolderFile } from './folder-file.ts'
import * as rows from './guard.repository.ts'

/** The result of a confirmation. */
export type Confirmation = {
  /** Restored messages that this folder had sent. */
  settled: number
  /** Runs that wait for an editor, because these other workers may have sent a part of them. */
  heldRuns: number
  unreported: readonly string[]
  /** Workers whose folders must be confirmed themselves. */
  waiting: readonly string[]
}

type Options = GuardDeps & {
  process: string
  look(): Promise<Findings>
  settle(): Promise<number>
  newFile(state: rows.GuardState, epoch: number): FolderFile
}

/** Folders last seen a week or more before the newest one count as abandoned. */
const recentMs = 7 * 24 * 3600_000

/** Makes this database and site the ones that send, and accepts this folder. Other folders stay as they are. */
export async function confirmDatabase(options: Options): Promise<Confirmation> {
  const { database, clock, folder, site, ledgers, process, look, settle, newFile } = options
  const { found, state, hold } = await look()
  const current = 'file' in found ? found.file : null
  const isOwn =
    found.state === 'valid' && current?.cluster === state.cluster && current.database === state.database
  const isRestored =
    state.control === null ||
    state.control.isOriginal === null ||
    hold === 'ledger-behind' ||
    (findDatabaseHold(state, site) ?? 'held') !== 'held'
  const now = clock.now()
  const settled = await settle()
  const last = Math.max(state.control?.epoch ?? 0, current?.epoch ?? 0)
  const epoch = isRestored ? last + 1 : (state.control?.epoch ?? 0)
  const file = { ...newFile(state, epoch), ...(isOwn && current !== null && { id: current.id }) }
  const result = await database.transaction(async (tx) => {
    await rows.lockControl(tx)
    const folders = await rows.listFolders(tx)
    const others = folders.filter(({ id }) => id !== current?.id && id !== file.id)
    const unreported = isRestored ? listUnreported(others, settledName(state.control, state)) : []
    let heldRuns = 0
    if (unreported.length > 0)
      for (const ledger of ledgers) heldRuns += await ledger.holdOpen(tx, mayBeSentReason(unreported))
    if (isRestored) await rows.writeControl(tx, site, epoch, now)
    await rows.saveFolder(tx, { id: file.id, process, now }, null)
    await tx.sendingFolder.deleteMany({ where: { acceptedAt: null, heldReason: 'ledger-behind' } })
    if (current !== null && current.id !== file.id)
      await tx.sendingFolder.deleteMany({ where: { id: current.id } })
    return { settled, heldRuns, unreported, waiting: others.filter((row) => isWaiting(row, now)).map(nameOf) }
  })
  // After the commit: a folder of an earlier epoch goes on by itself.
  await replaceFolderFile(folder, file)
  return result
}

/**
 * Names the workers that could send lately and haven't told this database what they sent. One that was idle before the
 * dump may have sent since.
 */
function listUnreported(folders: readonly SendingFolder[], state: string): string[] {
  const accepted = folders.filter(({ acceptedAt }) => acceptedAt !== null)
  const newest = Math.max(...accepted.map(({ seenAt }) => seenAt.getTime()))
  const recent = accepted.filter(({ seenAt }) => newest - seenAt.getTime() < recentMs)
  return recent.filter(({ settledFor }) => settledFor !== state).map(nameOf)
}

function isWaiting({ acceptedAt, seenAt }: SendingFolder, now: Date): boolean {
  return acceptedAt === null && now.getTime() - seenAt.getTime() < aliveMs
}

function nameOf({ process, seenAt }: SendingFolder): string {
  return `${process} (seen ${seenAt.toISOString()})`
}

function mayBeSentReason(workers: readonly string[]): string {
  return `The database was restored, and ${workers.join(', ')} may have sent a part of it since. Start these workers first, so that they report; then resume it to send the rest.`
}
