import {
  createArticleDesk,
  createChanges,
  createCommentDesk,
  createContentGroupDesk,
  createEditionDesk,
  createEditorKeyService,
  createMediaDesk,
  createSecureContentDesk,
} from '../features/desk/index.ts'
import type { Caches } from './caches.ts'
import type { Content } from './content.ts'
import type { Infrastructure } from './infrastructure.ts'
import type { Membership } from './membership.ts'

/** What editors do, each change with its audit line. */
export function createDesk(deps: Infrastructure & Caches & Content & Membership) {
  const changes = createChanges(deps)
  const desk = { ...deps, changes }
  return {
    changes,
    editorKeys: createEditorKeyService(deps),
    editionDesk: createEditionDesk(desk),
    articleDesk: createArticleDesk({ ...desk, siteAppId: deps.config.site.appId }),
    contentGroupDesk: createContentGroupDesk(desk),
    secureContentDesk: createSecureContentDesk(desk),
    commentDesk: createCommentDesk(desk),
    mediaDesk: createMediaDesk(desk),
  }
}
