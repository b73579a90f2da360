import type { SecureContentDraft } from '@tidings/contracts/desk/content/secure-content'
import {
  contentFields,
  createSecureContentOnce,
  getSecureContent,
  listSecureContents,
  lockSecureContent,
  parseContent,
  removeSecureContent,
  requireGroup,
  requirePlans,
  toDeskContent,
  toDeskContentSummary,
  updateSecureContent,
} from '#features/secure-content/index.ts'
import { mapDefined } from '#platform/fields.ts'
import type { DeskDeps } from '../changes/desk.deps.ts'
import {
  cleanedReply,
  type DeskReply,
  type PageQuery,
  pageReply,
  replyWith,
  versionedReply,
} from '../desk-reply.ts'
import { requireScope } from '../requests/editor.ts'
import { type Requester, requireVersion } from '../requests/register-desk.ts'

type Deps = Pick<DeskDeps, 'database' | 'changes' | 'apps' | 'siteLanguage'>

export type SecureContentDesk = ReturnType<typeof createSecureContentDesk>

/** Lets editors read and change the secure content of the site's app. */
export function createSecureContentDesk({ database, changes, apps, siteLanguage }: Deps) {
  return {
    async list({ limit, after }: PageQuery): Promise<DeskReply> {
      const { id: appId } = await apps.siteApp()
      const rows = await listSecureContents(database.db, appId, { limit: limit + 1, after: after ?? null })
      return pageReply(rows, limit, { map: toDeskContentSummary, next: ({ contentId }) => contentId })
    },

    async read(contentId: string): Promise<DeskReply> {
      const { id: appId } = await apps.siteApp()
      return versionedReply(toDeskContent(await getSecureContent(database.db, { appId, contentId })))
    },

    async put(
      requester: Requester,
      contentId: string,
      draft: SecureContentDraft,
      version: number | null,
    ): Promise<DeskReply> {
      const app = await apps.siteApp()
      const name = { appId: app.id, contentId }
      return await changes.run(requester, async (tx, audit) => {
        requireScope(requester.editor, 'publish')
        requirePlans(app, draft.plans)
        const groupId = await requireGroup(tx, app.id, draft.group)
        const content = parseContent(draft.type, draft.content, siteLanguage)
        const fields = { ...mapDefined(draft, contentFields), content, groupId }
        const html = { content: draft.type === 'HTML' ? draft.content : undefined }
        if (await createSecureContentOnce(tx, name, fields)) {
          if (version !== null) requireVersion(version, 0)
          await audit('secure-content.create', contentId, { type: draft.type })
          return cleanedReply(toDeskContent(await lockSecureContent(tx, name)), 201, html)
        }
        const before = await lockSecureContent(tx, name)
        requireVersion(version, before.version)
        const stored = await updateSecureContent(tx, name, fields)
        await audit('secure-content.change', contentId, { before: toDeskContent(before) })
        return cleanedReply(toDeskContent(stored), 200, html)
      })
    },

    async remove(requester: Requester, contentId: string, version: number | null): Promise<DeskReply> {
      const { id: appId } = await apps.siteApp()
      return await changes.run(requester, async (tx, audit) => {
        const content = await lockSecureContent(tx, { appId, contentId })
        requireVersion(version, content.version)
        requireScope(requester.editor, 'publish')
        await removeSecureContent(tx, { appId, contentId })
        await audit('secure-content.remove', contentId, { content: toDeskContent(content) })
        return replyWith({ contentId })
      })
    },
  }
}
