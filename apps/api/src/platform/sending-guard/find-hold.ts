import type { FoundFolder } from './folder-file.ts'
import type { GuardState, SendingSite } from './guard.repository.ts'
import { type HoldReason, toHoldReason } from './hold-reasons.ts'

/** Returns why this database lets no worker send, as far as it says itself; null if it does. */
export function findDatabaseHold(state: GuardState, site: SendingSite): HoldReason | null {
  const { control } = state
  if (control === null) return null
  const [cluster, database, timeline, hostName] = control.instance.split('/')
  if (cluster !== state.cluster) return 'other-cluster'
  if (database !== state.database) return 'other-database'
  if (timeline !== state.timeline) return 'other-timeline'
  if (hostName !== site.hostName) return 'other-host-name'
  if (control.siteUrl !== null && control.siteUrl !== site.siteUrl) return 'other-site-url'
  if (control.isOriginal === false) return 'restored'
  return toHoldReason(control.suspendedReason) ?? (control.isHeld ? 'held' : null)
}

/** The verdict on a folder: it may send, be accepted without an operator, go on after a confirmation, or wait. */
export type FolderVerdict = 'may-send' | 'first-start' | 'new-epoch' | HoldReason

/** Decides about a folder in a database that lets its workers send. `hasSent`: the folder has a log. */
export function judgeFolder(state: GuardState, found: FoundFolder, hasSent: boolean): FolderVerdict {
  if (found.state === 'unreadable') return 'mark-unreadable'
  if (found.state === 'copied') return 'mark-copied'
  // Nothing was sent yet that a folder could have missed.
  const isFirst = !state.isUsed && !hasSent && state.control?.isOriginal !== false
  if (found.state === 'missing') return isFirst ? 'first-start' : 'no-mark'
  const { file } = found
  const isOther = file.cluster !== state.cluster || file.database !== state.database
  const { control, folder } = state
  // This folder was accepted by a database that has forgotten it: one that is being restored, perhaps.
  if (control === null && !isOther) return 'ledger-behind'
  const isAccepted = folder?.isAccepted === true && file.siteUrl === control?.siteUrl
  if (isFirst && (isOther || !isAccepted)) return 'first-start'
  if (isOther) return 'mark-of-another-database'
  if (control === null || control.isOriginal === null || file.epoch > control.epoch) return 'ledger-behind'
  if (folder === null) return hasSent ? 'ledger-behind' : 'no-mark'
  if (!folder.isAccepted) return 'no-mark'
  // Whatever it sent before the confirmation may be missing here.
  if (file.epoch < control.epoch) return 'new-epoch'
  if (state.isBehind) return 'ledger-behind'
  return control.siteUrl === file.siteUrl ? 'may-send' : 'mark-of-another-database'
}
