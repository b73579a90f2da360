import type { MediaService } from '#features/media/index.ts'
import type { Invalidation } from '#platform/cache/invalidation.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/database.ts'
import type { Ids } from '#platform/ids.ts'
import type { MembershipApps } from '#platform/membership-apps/membership-apps.ts'
import type { ChangeService } from './changes/changes.service.ts'

/** Collaborators of the desk services; each service picks its own. */
export type DeskDeps = {
  database: Database
  changes: ChangeService
  media: MediaService
  membershipApps: MembershipApps
  invalidation: Invalidation
  clock: Clock
  ids: Ids
}
