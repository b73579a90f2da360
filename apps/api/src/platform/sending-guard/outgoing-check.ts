import { fail } from '../errors.ts'
import { findDatabaseHold } from './find-hold.ts'
import type { GuardDeps } from './findings.ts'
import { type GuardState, readGuardState } from './guard.repository.ts'
import type { HoldReason } from './hold-reasons.ts'

type FolderHolds = {
  /** Checks this worker's folder and the database. */
  check(): Promise<HoldReason | null>
  /** Returns the reason of the last check. */
  lastHold(): HoldReason | null
  /** Returns why all workers are held; null if one of them may send. */
  readWorkers(): Promise<HoldReason | null>
}

/** An operator who holds editions doesn't hold codes and payments, and these need no record on the disk. */
const onlyForEditions: ReadonlySet<HoldReason> = new Set(['held', 'mark-unwritable'])

/** Creates the check that everything outgoing begins with: emails, texts, notifications and changes at Stripe. */
export function createOutgoingCheck({ database, site, logger }: GuardDeps, folders: FolderHolds) {
  let isWorker = false
  let lastReason: HoldReason | null = null
  let openUntil = 0
  let hasSeenControl = false

  function findVanished({ control }: GuardState): HoldReason | null {
    hasSeenControl ||= control !== null
    // A dump is being restored: until its rows are there, the database looks new.
    return control === null && hasSeenControl ? 'restored' : null
  }

  async function find(): Promise<HoldReason | null> {
    const state = await readGuardState(database.sql, null, [])
    const own = findVanished(state) ?? without(findDatabaseHold(state, site))
    if (own !== null) return own
    if (!isWorker) return without(await folders.readWorkers())
    return folders.lastHold() === null ? null : without(await folders.check())
  }

  /**
   * Returns why nothing may leave this process now; null if it may. An open guard is believed for `openForMs`, for calls
   * that the ledger's claim has guarded already.
   */
  async function findHold({ openForMs = 0 }: { openForMs?: number } = {}): Promise<HoldReason | null> {
    if (openForMs > 0 && performance.now() < openUntil) return null
    const reason = await find()
    openUntil = reason === null ? performance.now() + openForMs : 0
    if (reason !== lastReason) logger.warn({ reason }, reason === null ? 'sending allowed' : 'sending held')
    lastReason = reason
    return reason
  }

  return {
    findHold,

    /** Throws `sending-held` if nothing may leave this process now. */
    async assertOpen(): Promise<void> {
      const reason = await findHold()
      if (reason !== null) throw fail('sending-held', reason)
    },

    /** Lets the check include this process's own folder, which the HTTP processes don't have. */
    asWorker(): void {
      isWorker = true
    },
  }
}

function without(reason: HoldReason | null): HoldReason | null {
  return reason !== null && onlyForEditions.has(reason) ? null : reason
}
