import {
  createArticleDesk,
  createArticleReaders,
  createArticleVersions,
  createArticleWriting,
  createChangeService,
  createCommentDesk,
  createContentGroupDesk,
  createDeskEvents,
  createEditionDesk,
  createEditionMemos,
  createEditionUndo,
  createEditorKeyService,
  createMediaDesk,
  createMemoDesk,
  createMemoVersions,
  createMemoWriting,
  createSecureContentDesk,
} from '../features/desk/index.ts'
import type { Adapters } from './adapters.ts'
import type { Caches } from './caches.ts'
import type { Content } from './content.ts'
import type { Infrastructure } from './infrastructure.ts'
import type { Membership } from './membership.ts'
import { createPeople } from './people.ts'

export type Desk = ReturnType<typeof createDesk>

/** Creates the editors' desk and the services for its people. */
export function createDesk(deps: Infrastructure & Caches & Adapters & Content & Membership) {
  const services = createDeskServices(deps)
  return { ...services, ...createPeople({ ...deps, ...services }) }
}

function createDeskServices(deps: Infrastructure & Caches & Content & Membership) {
  const { appId, timeZone } = deps.config.site
  const changes = createChangeService(deps)
  const desk = { ...deps, changes, siteLanguage: deps.config.site.language }
  const memoWriting = createMemoWriting({ ...desk, planMemo: deps.deliveryPlanning.memoAdded })
  const articles = { ...desk, siteAppId: appId }
  const articleWriting = createArticleWriting(articles)
  return {
    changes,
    deskEvents: createDeskEvents(deps),
    editorKeys: createEditorKeyService(deps),
    editionDesk: createEditionDesk(desk),
    memoDesk: createMemoDesk({ ...desk, planMemo: deps.deliveryPlanning.memoAdded }),
    editionMemos: createEditionMemos(desk),
    editionUndo: createEditionUndo(desk),
    memoWriting,
    memoVersions: createMemoVersions({ ...desk, memoWriting }),
    articleDesk: createArticleDesk({ ...articles, timeZone }),
    articleWriting,
    articleVersions: createArticleVersions({ ...articles, articleWriting }),
    articleReaders: createArticleReaders(desk),
    contentGroupDesk: createContentGroupDesk(desk),
    secureContentDesk: createSecureContentDesk(desk),
    commentDesk: createCommentDesk({ ...desk, siteAppId: appId, timeZone }),
    mediaDesk: createMediaDesk(desk),
  }
}
