import type { Member } from '@tidings/contracts/membership/members'
import { findDraft, saveDraft } from '#lib/member/member-drafts.ts'
import type { Store } from '#lib/storage/store.ts'
import { parseChanges, type UnsavedChanges } from './account-changes.ts'

const name = 'dashboard'

/** Reads what a member has changed in this browser tab and not saved. */
export function findChanges(sessionStore: Store, { id }: Pick<Member, 'id'>): UnsavedChanges {
  return parseChanges(findDraft(sessionStore, { member: id, name }))
}

/** Keeps what a member has changed and not saved, until it is saved or the session ends. */
export function saveChanges(
  sessionStore: Store,
  { id }: Pick<Member, 'id'>,
  { details, methods }: UnsavedChanges,
): void {
  const isUnsaved = Object.keys(details).length + Object.keys(methods).length > 0
  saveDraft(sessionStore, { member: id, name }, isUnsaved ? JSON.stringify({ details, methods }) : '')
}
