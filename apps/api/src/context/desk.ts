import {
  createArticleDesk,
  createChangeService,
  createCommentDesk,
  createContentGroupDesk,
  createEditionDesk,
  createEditorKeyService,
  createMediaDesk,
  createMemoDesk,
  createSecureContentDesk,
} from '../features/desk/index.ts'
import type { Caches } from './caches.ts'
import type { Content } from './content.ts'
import type { Infrastructure } from './infrastructure.ts'
import type { Membership } from './membership.ts'

export type Desk = ReturnType<typeof createDesk>

export function createDesk(deps: Infrastructure & Caches & Content & Membership) {
  const { appId, timeZone } = deps.config.site
  const changes = createChangeService(deps)
  const desk = { ...deps, changes, siteLanguage: deps.config.site.language }
  return {
    changes,
    editorKeys: createEditorKeyService(deps),
    editionDesk: createEditionDesk(desk),
    memoDesk: createMemoDesk({ ...desk, planMemo: deps.deliveryPlanning.memoAdded }),
    articleDesk: createArticleDesk({ ...desk, siteAppId: appId, timeZone }),
    contentGroupDesk: createContentGroupDesk(desk),
    secureContentDesk: createSecureContentDesk(desk),
    commentDesk: createCommentDesk({ ...desk, siteAppId: appId }),
    mediaDesk: createMediaDesk(desk),
  }
}
