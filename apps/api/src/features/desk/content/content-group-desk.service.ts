import type { ContentGroupChange, ContentGroupDraft } from '@tidings/contracts/desk/content/content-groups'
import {
  contentGroupIdPrefix,
  contentGroupsCacheKey,
  countUses,
  createGroup,
  fail,
  getGroup,
  groupFields,
  listGroups,
  lockGroup,
  removeGroup,
  requirePlans,
  toDeskGroup,
  updateGroup,
} from '#features/secure-content/index.ts'
import { mapDefined } from '#platform/fields.ts'
import type { DeskDeps } from '../changes/desk.deps.ts'
import { type DeskReply, type PageQuery, pageReply, replyWith, versionedReply } from '../desk-reply.ts'
import { requireScope } from '../requests/editor.ts'
import { type Requester, requireVersion } from '../requests/register-desk.ts'

type Deps = Pick<DeskDeps, 'database' | 'changes' | 'apps' | 'ids' | 'invalidation'>

export type ContentGroupDesk = ReturnType<typeof createContentGroupDesk>

/** Lets editors read and change the content groups of the site's app. */
export function createContentGroupDesk({ database, changes, apps, ids, invalidation }: Deps) {
  const groups = { at: [contentGroupsCacheKey] }

  return {
    async list({ limit, after }: PageQuery): Promise<DeskReply> {
      const app = await apps.siteApp()
      const rows = await listGroups(database.db, app.id, { limit: limit + 1, after: after ?? null })
      return pageReply(rows, limit, { map: toDeskGroup, next: ({ key }) => key })
    },

    async read(id: string): Promise<DeskReply> {
      const app = await apps.siteApp()
      return versionedReply(toDeskGroup(await getGroup(database.db, app.id, id)))
    },

    async create(requester: Requester, draft: ContentGroupDraft): Promise<DeskReply> {
      const app = await apps.siteApp()
      return await changes.run(requester, async (tx, audit) => {
        requireScope(requester.editor, 'publish')
        requirePlans(app, draft.plans)
        const id = ids.public(contentGroupIdPrefix)
        const group = await createGroup(tx, { ...mapDefined(draft, groupFields), id, appId: app.id })
        await invalidation.invalidate(tx, groups)
        await audit('content-group.create', id, { key: group.key, name: group.name })
        return versionedReply(toDeskGroup(group), 201)
      })
    },

    async change(
      requester: Requester,
      id: string,
      change: ContentGroupChange,
      version: number | null,
    ): Promise<DeskReply> {
      const app = await apps.siteApp()
      return await changes.run(requester, async (tx, audit) => {
        const group = await lockGroup(tx, app.id, id)
        requireVersion(version, group.version)
        requireScope(requester.editor, 'publish')
        requirePlans(app, change.plans)
        const stored = await updateGroup(tx, id, mapDefined(change, groupFields))
        await invalidation.invalidate(tx, groups)
        await audit('content-group.change', id, { before: toDeskGroup(group), changed: Object.keys(change) })
        return versionedReply(toDeskGroup(stored))
      })
    },

    /** Throws `content-group-in-use` while an article or a piece of secure content belongs to the group. */
    async remove(requester: Requester, id: string, version: number | null): Promise<DeskReply> {
      const app = await apps.siteApp()
      return await changes.run(requester, async (tx, audit) => {
        const group = await lockGroup(tx, app.id, id)
        requireVersion(version, group.version)
        requireScope(requester.editor, 'publish')
        const uses = await countUses(tx, id)
        if (uses.articles + uses.contents > 0) throw fail('content-group-in-use', uses)
        await removeGroup(tx, id)
        await invalidation.invalidate(tx, groups)
        await audit('content-group.remove', id, { group: toDeskGroup(group) })
        return replyWith({ id })
      })
    },
  }
}
