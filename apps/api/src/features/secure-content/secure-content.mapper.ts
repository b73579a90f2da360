import type { ContentGroupChange, DeskContentGroup } from '@tidings/contracts/desk/content/content-groups'
import type {
  DeskSecureContent,
  DeskSecureContentSummary,
  SecureContentDraft,
} from '@tidings/contracts/desk/content/secure-content'
import type { MembershipAppReply } from '@tidings/contracts/membership/widget-config'
import { addressLine, type FieldTable, singleLine } from '#platform/fields.ts'
import type { ContentGroupRow } from './content-groups.repository.ts'
import type { SecureContentRow, SecureContentSummaryRow } from './secure-content.repository.ts'

/** The columns that each key of a draft or change sets. */
export const groupFields = {
  key: (key) => ({ key }),
  name: (name) => ({ name: singleLine('name', name) }),
  permissions: (permissions) => ({ permissions }),
  plans: (plans) => ({ plans }),
  redirect: (redirect) => ({ redirect: addressLine('redirect', redirect) }),
} satisfies FieldTable<ContentGroupChange>

/** As {@link groupFields}. `content` depends on the type, and `group` needs the database. */
export const contentFields = {
  type: (type) => ({ type }),
  permissions: (permissions) => ({ permissions }),
  plans: (plans) => ({ plans }),
} satisfies FieldTable<Omit<SecureContentDraft, 'content' | 'group'>>

export function toDeskGroup({
  appId: _appId,
  createdAt,
  updatedAt,
  ...group
}: ContentGroupRow): DeskContentGroup {
  return { ...group, createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() }
}

/** Maps a content group to its shape in `GET /app`. */
export function toWireGroup({
  id,
  key,
  name,
  permissions,
  plans,
  redirect,
}: ContentGroupRow): MembershipAppReply['contentGroups'][number] {
  return {
    id,
    key,
    name,
    allowAllMembers: permissions.length === 0 && plans.length === 0,
    redirect,
    // Content is requested by its id; no page is protected by its URL.
    urls: [],
    plans: plans.map((plan) => ({ id: plan })),
    permissions,
  }
}

export function toDeskContentSummary(row: SecureContentSummaryRow): DeskSecureContentSummary {
  return {
    contentId: row.contentId,
    type: row.type,
    permissions: row.permissions,
    plans: row.plans,
    group: row.group?.key ?? null,
    version: row.version,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}

export function toDeskContent(row: SecureContentRow): DeskSecureContent {
  return { ...toDeskContentSummary(row), content: row.content }
}
