import { methodsOf } from '@tidings/contracts/delivery/methods'
import type { Member } from '@tidings/contracts/membership/members'
import { useEffect, useState } from 'react'
import { findDraft, removeDrafts, saveDraft } from '#lib/member-session/member-drafts.ts'
import { loadPhoneLibrary } from '#lib/phone/phone-numbers.ts'
import { useServices } from '#lib/services.tsx'
import { type AccountDetails, detailsOf, isOtherEmail } from '../details/account-details.ts'
import {
  type MethodChanges,
  methodChanges,
  parseChanges,
  type UnsavedChanges,
  withChanges,
} from './account-changes.ts'

type Field = keyof AccountDetails

/** The text of a field, and what was stored when it was typed. */
type Edit = { text: string; of: string }
type Edits = Partial<Record<Field, Edit>>

type PhoneLibrary = Awaited<ReturnType<typeof loadPhoneLibrary>>

const fields: readonly Field[] = ['name', 'email', 'phone']

/**
 * Keeps what a member changes on the dashboard until it is saved or the session ends, also over a reload. What equals
 * the stored account is no change.
 */
export function useAccountChanges(member: Member) {
  const { sessionStore, config } = useServices()
  const stored = detailsOf(member)
  const [kept] = useState(() => parseChanges(findDraft(sessionStore, draftOf(member))))
  const [edits, setEdits] = useState<Edits>(() => editsOf(kept.details, stored))
  const [methods, setMethods] = useState<MethodChanges>(kept.methods)
  const library = usePhoneLibrary(edits.phone !== undefined)

  function isSame(field: Field, text: string, other: string): boolean {
    if (text === other || library === undefined) return text === other || field === 'phone'
    if (field === 'name') return text.trim() === other
    if (field === 'email') return text.trim() !== '' && !isOtherEmail(text, other)
    return library !== null && other !== '' && library.toE164(text, config.phoneRegion) === other
  }

  const details = { ...stored }
  const unsaved: UnsavedChanges = {
    details: {},
    methods: methodChanges(methodsOf(member.customFields), withChanges(member, methods)),
  }
  for (const field of fields) {
    const edit = edits[field]
    if (edit === undefined) continue
    const isChange = !isSame(field, edit.text, edit.of)
    if (isChange || edit.of === stored[field]) details[field] = edit.text
    if (isChange && !isSame(field, edit.text, stored[field])) unsaved.details[field] = edit.text
  }
  const isUnsaved = Object.keys(unsaved.details).length + Object.keys(unsaved.methods).length > 0
  const text = isUnsaved ? JSON.stringify(unsaved) : ''
  const isKnown = edits.phone === undefined || library !== undefined
  const { id } = member
  useEffect(() => removeDrafts(sessionStore, { except: id }), [sessionStore, id])
  useEffect(() => {
    if (isKnown) saveDraft(sessionStore, { member: id, name: draftName }, text)
  }, [sessionStore, id, text, isKnown])

  return {
    /** What the fields show. */
    details,
    methods,
    unsaved,
    isUnsaved,
    edit(change: Partial<AccountDetails>) {
      setEdits((before) => ({ ...before, ...editsOf(change, stored) }))
    },
    choose: setMethods,
    /** Shows again what is stored. */
    clear() {
      setEdits({})
      setMethods({})
    },
  }
}

const draftName = 'dashboard'

function draftOf({ id }: Member) {
  return { member: id, name: draftName }
}

function editsOf(change: Partial<AccountDetails>, stored: AccountDetails): Edits {
  const edits: Edits = {}
  for (const field of fields) {
    const text = change[field]
    if (text !== undefined) edits[field] = { text, of: stored[field] }
  }
  return edits
}

/** Returns the library once it is needed and loaded: undefined before that, null if it can't be loaded. */
function usePhoneLibrary(isNeeded: boolean): PhoneLibrary | undefined {
  const [library, setLibrary] = useState<PhoneLibrary>()
  useEffect(() => {
    if (isNeeded) void loadPhoneLibrary().then((loaded) => setLibrary(() => loaded))
  }, [isNeeded])
  return library
}
