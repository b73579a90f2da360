import type { ContentGroupChange, ContentGroupDraft, DeskContentGroup } from '@tidings/contracts/desk'
import {
  ContentGroupInUseError,
  ContentGroupNotFoundError,
  type ContentGroupRow,
  countUses,
  createGroup,
  findGroup,
  listGroups,
  lockGroup,
  removeGroup,
  updateGroup,
} from '#features/secure-content/index.ts'
import type { Invalidation } from '#platform/cache/invalidation.ts'
import { cacheKeys } from '#platform/cache-keys.ts'
import type { Database, Db } from '#platform/database.ts'
import type { Ids } from '#platform/ids.ts'
import type { MembershipApps } from '#platform/membership-apps/membership-apps.ts'
import type { Asker, Changes, DeskReply } from '../changes/changes.service.ts'
import { requireScope } from '../keys/editor-keys.service.ts'
import { formatVersion, parseIfMatch, requireVersion } from '../version-tag.ts'
import { toDeskGroup, toGroupChange, toGroupFields } from './content.mapper.ts'
import { requirePlans } from './plans-field.ts'

type Deps = {
  database: Database
  changes: Changes
  membershipApps: MembershipApps
  ids: Ids
  invalidation: Invalidation
}

/** What editors do with the content groups of the site's app. `ifMatch` is the header as it came. */
export type ContentGroupDesk = {
  list(page: { limit: number; after: string | undefined }): Promise<{
    data: DeskContentGroup[]
    next: string | null
  }>
  read(id: string): Promise<DeskContentGroup>
  create(asker: Asker, draft: ContentGroupDraft): Promise<DeskReply>
  change(
    asker: Asker,
    id: string,
    change: ContentGroupChange,
    ifMatch: string | undefined,
  ): Promise<DeskReply>
  remove(asker: Asker, id: string, ifMatch: string | undefined): Promise<DeskReply>
}

export function createContentGroupDesk(deps: Deps): ContentGroupDesk {
  const { database, changes, membershipApps, ids, invalidation } = deps
  const groups = { at: [cacheKeys.contentGroups] }

  return {
    async list({ limit, after }) {
      const app = await membershipApps.siteApp()
      const rows = await listGroups(database.db, app.id, { limit: limit + 1, after: after ?? null })
      const page = rows.slice(0, limit)
      return { data: page.map(toDeskGroup), next: rows.length > limit ? (page.at(-1)?.key ?? null) : null }
    },

    async read(id) {
      const app = await membershipApps.siteApp()
      const group = await findGroup(database.db, app.id, id)
      if (group === null) throw new ContentGroupNotFoundError()
      return toDeskGroup(group)
    },

    async create(asker, draft) {
      const app = await membershipApps.siteApp()
      return await changes.make(asker, async (tx, audit) => {
        requireScope(asker.editor, 'publish')
        requirePlans(app, draft.plans)
        const id = ids.public('grp')
        const group = await createGroup(tx, { ...toGroupFields(draft), id, appId: app.id })
        await invalidation.invalidate(tx, groups)
        await audit('content-group.create', id, { key: group.key, name: group.name })
        return replyOf(group, 201)
      })
    },

    async change(asker, id, change, ifMatch) {
      const version = parseIfMatch(ifMatch)
      const app = await membershipApps.siteApp()
      return await changes.make(asker, async (tx, audit) => {
        const group = await lock(tx, app.id, id)
        requireVersion(version, group.version)
        requireScope(asker.editor, 'publish')
        requirePlans(app, change.plans)
        const stored = await updateGroup(tx, id, toGroupChange(change))
        await invalidation.invalidate(tx, groups)
        await audit('content-group.change', id, { before: toDeskGroup(group), changed: Object.keys(change) })
        return replyOf(stored, 200)
      })
    },

    async remove(asker, id, ifMatch) {
      const version = parseIfMatch(ifMatch)
      const app = await membershipApps.siteApp()
      return await changes.make(asker, async (tx, audit) => {
        const group = await lock(tx, app.id, id)
        requireVersion(version, group.version)
        requireScope(asker.editor, 'publish')
        const uses = await countUses(tx, id)
        if (uses.articles + uses.contents > 0) throw new ContentGroupInUseError(uses)
        await removeGroup(tx, id)
        await invalidation.invalidate(tx, groups)
        await audit('content-group.remove', id, { group: toDeskGroup(group) })
        return { status: 200, body: { data: { id } }, etag: null }
      })
    },
  }
}

async function lock(tx: Db, appId: string, id: string): Promise<ContentGroupRow> {
  const group = await lockGroup(tx, appId, id)
  if (group === null) throw new ContentGroupNotFoundError()
  return group
}

function replyOf(group: ContentGroupRow, status: number): DeskReply {
  return { status, body: { data: toDeskGroup(group) }, etag: formatVersion(group.version) }
}
