import { copyServerFiles, dumpDatabase } from '../faults/database-dump.ts'
import { createMigratedDatabase } from '../faults/migrated-database.ts'
import type { OwnPostgres } from '../faults/own-postgres.ts'
import { temporaryFolder } from '../faults/temporary-folder.ts'
import { startRestoreSite } from './restore-site.ts'

export type RestoreOptions = { members: number; seed: number }
export type RestoreResult = {
  /** The reason why nothing was sent after the restore. */
  reason: string
  /** Members with the edition twice when the restored database had waited for its operator. */
  doubledBefore: readonly string[]
  /** The command's output for the operator. */
  confirmation: string
  differences: readonly string[]
  state: string
}

/** Dumps the database while an edition is sent, and restores it in place while workers go on. */
export async function restoreInPlace(postgres: OwnPostgres, options: RestoreOptions): Promise<RestoreResult> {
  const site = await startRestoreSite(postgres, options)
  await site.work()
  await site.work()
  await site.publish()
  await site.untilSent(0.3)
  const dump = await dumpDatabase(postgres.url)
  await site.untilSent(0.6)
  await dump.restoreInto(postgres.url)
  return await confirmAndFinish(site, site)
}

/** The same, but the workers are killed before the restore, and others start after it. */
export async function restoreInPlaceOfKilled(
  postgres: OwnPostgres,
  options: RestoreOptions,
): Promise<RestoreResult> {
  const site = await startRestoreSite(postgres, options)
  const workers = [await site.work(), await site.work()]
  await site.publish()
  await site.untilSent(0.3)
  const dump = await dumpDatabase(postgres.url)
  await site.untilSent(0.6)
  await Promise.all(workers.map((worker) => worker.end('SIGKILL')))
  await dump.restoreInto(postgres.url)
  await site.work()
  return await confirmAndFinish(site, site, workers)
}

/** Two workers with folders of their own, of which only one is confirmed. */
export async function restoreInPlaceOfTwoFolders(
  postgres: OwnPostgres,
  options: RestoreOptions,
): Promise<RestoreResult> {
  const site = await startRestoreSite(postgres, options)
  const other = await temporaryFolder()
  // Both before the first message, so that both are accepted.
  await Promise.all([site.work(), site.work(other)])
  await site.publish()
  await site.untilSent(0.3)
  const dump = await dumpDatabase(postgres.url)
  await site.untilSent(0.7)
  await dump.restoreInto(postgres.url)
  const reason = await site.untilHeld()
  const doubledBefore = site.doubled()
  const confirmation = await site.command('confirm-instance --yes')
  await site.resumeOnceReported()
  return { reason, doubledBefore, confirmation, ...(await finish(site, site)) }
}

/** Restores the dump of the night before: the edition is a draft again, and is published again. */
export async function restoreFromBeforePublication(
  postgres: OwnPostgres,
  options: RestoreOptions,
): Promise<RestoreResult> {
  const site = await startRestoreSite(postgres, options)
  await site.work()
  const dump = await dumpDatabase(postgres.url)
  await site.publish()
  await site.untilSent(0.6)
  await dump.restoreInto(postgres.url)
  const reason = await site.untilHeld()
  const confirmation = await site.command('confirm-instance --yes')
  const doubledBefore = site.doubled()
  await site.publish()
  return { reason, confirmation, doubledBefore, ...(await finish(site, site)) }
}

/** Puts a copy of the server's files back in place: the same cluster, database and timeline. */
export async function putBackServerFiles(
  postgres: OwnPostgres,
  options: RestoreOptions,
): Promise<RestoreResult> {
  const site = await startRestoreSite(postgres, options)
  await site.work()
  await site.publish()
  await site.untilSent(0.3)
  const putBack = await copyServerFiles(postgres)
  await site.untilSent(0.6)
  await putBack()
  return await confirmAndFinish(site, site)
}

/** Restores the dump into another database and moves there, with the folder that was used. */
export async function restoreElsewhere(
  postgres: OwnPostgres,
  options: RestoreOptions,
): Promise<RestoreResult> {
  const site = await startRestoreSite(postgres, options)
  const worker = await site.work()
  await site.publish()
  await site.untilSent(0.3)
  const dump = await dumpDatabase(postgres.url)
  await site.untilSent(0.6)
  await worker.end('SIGTERM')
  const url = await createMigratedDatabase(postgres.url, 'moved')
  const moved = await site.openSite(url, site.dataDir)
  await dump.restoreInto(url)
  await moved.work()
  return await confirmAndFinish(site, moved)
}

/** Restores the dump elsewhere, while the original sends the rest: the copy knows nothing of that. */
export async function restoreACopy(postgres: OwnPostgres, options: RestoreOptions): Promise<RestoreResult> {
  const site = await startRestoreSite(postgres, options)
  await site.work()
  await site.publish()
  await site.untilSent(0.3)
  const dump = await dumpDatabase(postgres.url)
  const url = await createMigratedDatabase(postgres.url, 'copy')
  const copy = await site.openSite(url)
  await dump.restoreInto(url)
  await copy.work()
  const reason = await copy.untilHeld()
  const confirmation = await copy.command('confirm-instance --yes')
  await site.untilDone()
  await site.resolve()
  await site.untilDone()
  const { state, heldReason } = await copy.report()
  return {
    reason,
    confirmation,
    doubledBefore: site.doubled(),
    differences: await site.differences(),
    state: `${state}: ${heldReason}`,
  }
}

type Site = Awaited<ReturnType<typeof startRestoreSite>>
type Restored = Pick<Site, 'untilHeld' | 'command' | 'untilDone' | 'resolve' | 'differences' | 'report'>
type Lost = Parameters<Site['untilDone']>[0]

async function confirmAndFinish(site: Site, restored: Restored, lost: Lost = []): Promise<RestoreResult> {
  const reason = await restored.untilHeld()
  const doubledBefore = site.doubled()
  const confirmation = await restored.command('confirm-instance --yes')
  return { reason, doubledBefore, confirmation, ...(await finish(site, restored, lost)) }
}

async function finish({ mails }: Site, restored: Restored, lost: Lost = []) {
  await restored.untilDone(lost)
  mails.behave()
  await restored.resolve()
  await restored.untilDone(lost)
  return { differences: await restored.differences(), state: (await restored.report()).state }
}
