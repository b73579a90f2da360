import type { PlatformDeps } from '../membership-apps/platform-deps.ts'
import type { FoundFolder } from './folder-file.ts'
import type { GuardState, SendingSite } from './guard.repository.ts'
import type { HoldReason } from './hold-reasons.ts'
import type { Ledger } from './ledger.ts'
import type { LogTail } from './sent-log.ts'

export type GuardDeps = Pick<PlatformDeps, 'database' | 'clock' | 'ids' | 'logger'> & {
  /** Where this process records what it sends: outside the database, and in no backup. */
  folder: string
  site: SendingSite
  ledgers: readonly Ledger[]
}

/** The findings of a worker in its folder and in the database, and their result. */
export type Findings = {
  found: FoundFolder
  tails: readonly LogTail[]
  state: GuardState
  hold: HoldReason | null
}

/** A folder that no process has checked for three minutes counts as inactive. */
export const aliveMs = 180_000

/** Names the state of a database for which a folder has told the ledgers what it had sent. */
export function settledName(
  control: GuardState['control'],
  { cluster, database, timeline }: GuardState,
): string {
  return [control?.version ?? '', cluster, database, timeline].join('/')
}
