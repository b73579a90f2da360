import type { MediaService } from '#features/media/index.ts'
import type { PlatformDeps } from '#platform/membership-apps/platform-deps.ts'
import type { ChangeService } from './changes.service.ts'

/** Collaborators of the desk services; each service picks its own. */
export type DeskDeps = PlatformDeps & {
  changes: ChangeService
  media: MediaService
  /** BCP 47 tag of texts that name no language. */
  siteLanguage: string
}
