import { findDatabaseHold } from './find-hold.ts'
import type { GuardDeps } from './findings.ts'
import { readGuardState, writeControl } from './guard.repository.ts'

/**
 * Lets a database follow a change of SITE_URL as long as no edition was sent: a new site is often started before it has
 * its address. Only when a worker starts, so that two sites at one database don't take turns.
 */
export async function followSite({ database, clock, site, logger }: GuardDeps): Promise<void> {
  const state = await readGuardState(database.sql, null, [])
  const { control, isUsed } = state
  const hold = findDatabaseHold(state, site)
  const isOtherSite = hold === 'other-host-name' || hold === 'other-site-url'
  if (control === null || isUsed || !isOtherSite) return
  if (control.isOriginal !== true || control.suspendedReason !== null) return
  await writeControl(database.db, site, control.epoch, clock.now())
  logger.info({ siteUrl: site.siteUrl }, 'new SITE_URL accepted')
}
