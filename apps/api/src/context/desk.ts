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
import type { Ground } from './ground.ts'
import type { Membership } from './membership.ts'
import type { Memory } from './memory.ts'
import type { Reading } from './reading.ts'

/** What editors do, each change with its audit line. */
export function createDesk(on: Ground & Memory & Reading & Membership) {
  const changes = createChanges(on)
  const desk = { ...on, changes }
  return {
    changes,
    editorKeys: createEditorKeyService(on),
    editionDesk: createEditionDesk(desk),
    articleDesk: createArticleDesk({ ...desk, siteAppId: on.config.site.appId }),
    contentGroupDesk: createContentGroupDesk(desk),
    secureContentDesk: createSecureContentDesk(desk),
    commentDesk: createCommentDesk(desk),
    mediaDesk: createMediaDesk(desk),
  }
}
