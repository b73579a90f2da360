import { methodsOf } from '@tidings/contracts/delivery/methods'
import type { Member } from '@tidings/contracts/membership/members'
import { useEffect, useEffectEvent, useState } from 'react'
import { removeDrafts } from '#lib/member/member-drafts.ts'
import { isSameNumber, loadPhoneLibrary } from '#lib/phone/phone-numbers.ts'
import { useServices } from '#lib/services/services.tsx'
import {
  type MethodChanges,
  methodChanges,
  methodsSince,
  type UnsavedChanges,
  withChanges,
} from '../details/account-changes.ts'
import { type AccountDetails, detailsOf, isOtherEmail } from '../details/account-details.ts'
import { findChanges, saveChanges } from '../details/kept-changes.ts'

type Field = keyof AccountDetails

/** The text of a field, and what was stored when it was typed; null if that has been saved over since. */
type Edit = { text: string; of: string | null }
type Edits = Partial<Record<Field, Edit>>

const fields: readonly Field[] = ['name', 'email', 'phone']

/**
 * Keeps what a member changes on the dashboard until it is saved or the session ends, also over a reload. What equals
 * the stored account is no change.
 */
export function useAccountChanges(member: Member) {
  const { sessionStore, config } = useServices()
  const stored = detailsOf(member)
  const [kept] = useState(() => findChanges(sessionStore, member))
  const [edits, setEdits] = useState<Edits>(() => editsOf(kept.details, stored))
  const [methods, setMethods] = useState<MethodChanges>(kept.methods)
  usePhoneLibrary(edits.phone !== undefined)

  function isSame(field: Field, text: string, other: string | null): boolean {
    if (other === null || text === other) return text === other
    if (field === 'name') return text.trim() === other
    if (field === 'email') return text.trim() !== '' && !isOtherEmail(text, other)
    return isSameNumber(text, other, config.phoneRegion)
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
  const { id } = member
  useEffect(() => removeDrafts(sessionStore, { except: id }), [sessionStore, id])
  const keep = useEffectEvent(() => saveChanges(sessionStore, member, unsaved))
  const text = JSON.stringify(unsaved)
  useEffect(() => keep(), [sessionStore, id, text])

  return {
    /** The values that the fields show. */
    details,
    methods,
    unsaved,
    isUnsaved,
    edit(change: Partial<AccountDetails>) {
      setEdits((before) => ({ ...before, ...editsOf(change, stored) }))
    },
    choose: setMethods,
    /** Drops the changes of this rendering, which have been saved, but none made since. */
    keepNewer() {
      setEdits((now) => editsSince(edits, now))
      setMethods((now) => methodsSince(methods, now))
    },
    /** Shows again what is stored. */
    clear() {
      setEdits({})
      setMethods({})
    },
  }
}

function editsOf(change: Partial<AccountDetails>, stored: AccountDetails): Edits {
  const edits: Edits = {}
  for (const field of fields) {
    const text = change[field]
    if (text !== undefined) edits[field] = { text, of: stored[field] }
  }
  return edits
}

function editsSince(saved: Edits, now: Edits): Edits {
  const newer: Edits = {}
  for (const field of fields) {
    const edit = now[field]
    if (edit !== undefined && edit !== saved[field]) newer[field] = { text: edit.text, of: null }
  }
  return newer
}

/** Renders again once the phone library has loaded, which knows more numbers to be the same. */
function usePhoneLibrary(isNeeded: boolean): void {
  const [, setLoaded] = useState(false)
  useEffect(() => {
    if (isNeeded) void loadPhoneLibrary().then((library) => setLoaded(library !== null))
  }, [isNeeded])
}
