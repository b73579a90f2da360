import { type ChosenMethods, fieldsOf, methodsOf, storedMethods } from '@tidings/contracts/delivery/methods'
import { dateInZone } from '#features/editions/index.ts'
import { findMember, type MemberRow, type MemberService, updateMember } from '#features/members/index.ts'
import type { Db } from '#platform/database.ts'
import { fromDatabaseDate, toDatabaseDate } from '#platform/database-date.ts'
import { hasCode } from '#platform/errors.ts'
import { asObject } from '#platform/free-json.ts'
import type { PlatformDeps } from '#platform/membership-apps/platform-deps.ts'
import { findPreferences } from '../ledger/report.repository.ts'
import type { MemberChoices } from './member-choices.ts'

export type StoredChoicesDeps = Pick<PlatformDeps, 'database' | 'clock' | 'apps'> & {
  members: Pick<MemberService, 'change'>
  appId: string
  timeZone: string
}

/** Returns what a member is to receive; null to leave what is stored. */
export type Choose = (methods: ChosenMethods, tx: Db) => ChosenMethods | null | Promise<ChosenMethods | null>

/** Creates what reads and changes the delivery methods of members without a session. */
export function createStoredChoices({ database, clock, apps, members, appId, timeZone }: StoredChoicesDeps) {
  /** Runs `work` with the member's row locked; returns null when the account is deleted. */
  async function withMember(
    memberId: string,
    work: (tx: Db, row: MemberRow) => Promise<void>,
  ): Promise<MemberChoices | null> {
    const app = (await apps.directory()).byId.get(appId)
    if (app === undefined) return null
    try {
      await members.change(app, memberId, work)
    } catch (error) {
      if (hasCode(error, 'member-not-found')) return null
      throw error
    }
    return await choices(memberId)
  }

  /** Stores what `choose` makes of the methods of a member, whose row is locked. */
  async function storeMethods(tx: Db, { id, customFields }: MemberRow, choose: Choose): Promise<void> {
    const fields = asObject(customFields)
    const after = await choose(methodsOf(fields), tx)
    if (after !== null) await updateMember(tx, id, { customFields: { ...fields, ...fieldsOf(after) } })
  }

  /** Changes what a member receives; returns null when the account is deleted. */
  async function changeMethods(memberId: string, choose: Choose): Promise<MemberChoices | null> {
    return await withMember(memberId, (tx, row) => storeMethods(tx, row, choose))
  }

  async function choices(memberId: string): Promise<MemberChoices | null> {
    const row = await findMember(database.db, memberId)
    if (row === null) return null
    const { pausedUntil: until, pdfFormat } = await findPreferences(database.db, memberId)
    const isPaused = until !== null && until > toDatabaseDate(dateInZone(clock.now(), timeZone))
    const fields = asObject(row.customFields)
    return {
      methods: methodsOf(fields),
      stored: storedMethods(fields),
      pausedUntil: isPaused ? fromDatabaseDate(until) : null,
      pdfFormat,
    }
  }

  return { withMember, storeMethods, changeMethods, choices }
}
