import type { DeskSecureContent, DeskSecureContentSummary, SecureContentDraft } from '@tidings/contracts/desk'
import {
  ContentNotFoundError,
  createSecureContentOnce,
  findSecureContent,
  listSecureContents,
  lockSecureContent,
  removeSecureContent,
  type SecureContentFields,
  type SecureContentName,
  type SecureContentRow,
  updateSecureContent,
} from '#features/secure-content/index.ts'
import type { Database, Db } from '#platform/database.ts'
import type { MembershipApps } from '#platform/membership-apps/membership-apps.ts'
import type { Asker, Audit, Changes, DeskReply } from '../changes/changes.service.ts'
import { removedFrom } from '../html-field.ts'
import { requireScope } from '../keys/editor-keys.service.ts'
import { formatVersion, parseIfMatch, requireVersion } from '../version-tag.ts'
import { toContentFields, toDeskContent, toDeskContentSummary } from './content.mapper.ts'
import { holdGroupNamed } from './group-field.ts'
import { requirePlans } from './plans-field.ts'

type Deps = { database: Database; changes: Changes; membershipApps: MembershipApps }

/** What editors do with the secure content of the site's app. `ifMatch` is the header as it came. */
export type SecureContentDesk = {
  list(page: { limit: number; after: string | undefined }): Promise<{
    data: DeskSecureContentSummary[]
    next: string | null
  }>
  read(contentId: string): Promise<DeskSecureContent>
  put(
    asker: Asker,
    contentId: string,
    draft: SecureContentDraft,
    ifMatch: string | undefined,
  ): Promise<DeskReply>
  remove(asker: Asker, contentId: string, ifMatch: string | undefined): Promise<DeskReply>
}

export function createSecureContentDesk({ database, changes, membershipApps }: Deps): SecureContentDesk {
  async function nameOf(contentId: string): Promise<SecureContentName> {
    return { appId: (await membershipApps.siteApp()).id, contentId }
  }

  return {
    async list({ limit, after }) {
      const { id: appId } = await membershipApps.siteApp()
      const rows = await listSecureContents(database.db, appId, { limit: limit + 1, after: after ?? null })
      const page = rows.slice(0, limit)
      return {
        data: page.map(toDeskContentSummary),
        next: rows.length > limit ? (page.at(-1)?.contentId ?? null) : null,
      }
    },

    async read(contentId) {
      const content = await findSecureContent(database.db, await nameOf(contentId))
      if (content === null) throw new ContentNotFoundError()
      return toDeskContent(content)
    },

    async put(asker, contentId, draft, ifMatch) {
      const app = await membershipApps.siteApp()
      const name = { appId: app.id, contentId }
      return await changes.make(asker, async (tx, audit) => {
        requireScope(asker.editor, 'publish')
        requirePlans(app, draft.plans)
        const groupId = await holdGroupNamed(tx, app.id, draft.group)
        const fields = { ...toContentFields(draft), groupId }
        if (!(await createSecureContentOnce(tx, name, fields))) {
          return await change(tx, audit, { name, fields, draft, ifMatch })
        }
        if (ifMatch !== undefined) requireVersion(parseIfMatch(ifMatch), 0)
        await audit('secure-content.create', contentId, { type: draft.type })
        return replyOf(await lock(tx, name), 201, draft)
      })
    },

    async remove(asker, contentId, ifMatch) {
      const version = parseIfMatch(ifMatch)
      const name = await nameOf(contentId)
      return await changes.make(asker, async (tx, audit) => {
        const content = await lock(tx, name)
        requireVersion(version, content.version)
        requireScope(asker.editor, 'publish')
        await removeSecureContent(tx, name)
        await audit('secure-content.remove', contentId, { content: toDeskContent(content) })
        return { status: 200, body: { data: { contentId } }, etag: null }
      })
    },
  }
}

async function change(
  tx: Db,
  audit: Audit,
  put: {
    name: SecureContentName
    fields: SecureContentFields
    draft: SecureContentDraft
    ifMatch: string | undefined
  },
): Promise<DeskReply> {
  const { name, fields, draft, ifMatch } = put
  const before = await lock(tx, name)
  requireVersion(parseIfMatch(ifMatch), before.version)
  const stored = await updateSecureContent(tx, name, fields)
  await audit('secure-content.change', name.contentId, { before: toDeskContent(before) })
  return replyOf(stored, 200, draft)
}

async function lock(tx: Db, name: SecureContentName): Promise<SecureContentRow> {
  const content = await lockSecureContent(tx, name)
  if (content === null) throw new ContentNotFoundError()
  return content
}

function replyOf(content: SecureContentRow, status: number, draft: SecureContentDraft): DeskReply {
  const removed = removedFrom({ content: draft.type === 'HTML' ? draft.content : undefined })
  return { status, body: { data: toDeskContent(content), removed }, etag: formatVersion(content.version) }
}
