import type {
  ContentGroupChange,
  ContentGroupDraft,
  DeskContentGroup,
  DeskSecureContent,
  DeskSecureContentSummary,
  SecureContentDraft,
} from '@tidings/contracts/desk'
import type {
  ContentGroupFields,
  ContentGroupRow,
  SecureContentFields,
  SecureContentRow,
  SecureContentSummaryRow,
} from '#features/secure-content/index.ts'
import { plainField } from '../plain-field.ts'
import { fitContent } from './content-field.ts'

/** A content group as editors read it. */
export function toDeskGroup(group: ContentGroupRow): DeskContentGroup {
  return {
    id: group.id,
    key: group.key,
    name: group.name,
    permissions: group.permissions,
    plans: group.plans,
    redirect: group.redirect,
    version: group.version,
    createdAt: group.createdAt.toISOString(),
    updatedAt: group.updatedAt.toISOString(),
  }
}

/** A content group as an editor wrote it. */
export function toGroupFields(draft: ContentGroupDraft): ContentGroupFields {
  const { key, permissions, plans } = draft
  return {
    key,
    name: plainField('name', draft.name),
    permissions,
    plans,
    redirect: plainField('redirect', draft.redirect),
  }
}

/** What an editor changed of a content group; only what was named. */
export function toGroupChange(change: ContentGroupChange): Partial<ContentGroupFields> {
  return {
    ...(change.key === undefined ? {} : { key: change.key }),
    ...(change.name === undefined ? {} : { name: plainField('name', change.name) }),
    ...(change.permissions === undefined ? {} : { permissions: change.permissions }),
    ...(change.plans === undefined ? {} : { plans: change.plans }),
    ...(change.redirect === undefined ? {} : { redirect: plainField('redirect', change.redirect) }),
  }
}

/** A piece of secure content as editors read it in a list, without what it holds. */
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

/** A piece of secure content as editors read it. */
export function toDeskContent(row: SecureContentRow): DeskSecureContent {
  return { ...toDeskContentSummary(row), content: row.content }
}

/** A piece of secure content as an editor wrote it, fit for its type; its group is looked up elsewhere. */
export function toContentFields(draft: SecureContentDraft): Omit<SecureContentFields, 'groupId'> {
  const { type, permissions, plans } = draft
  return { type, content: fitContent(type, draft.content), permissions, plans }
}
