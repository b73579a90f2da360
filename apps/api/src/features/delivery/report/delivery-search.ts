import type { DeliverySearch, FoundDelivery } from '@tidings/contracts/delivery/deliveries'
import { parseEmailAddress } from '@tidings/contracts/membership/email-address'
import { type DeskReply, pageReply, type Requester, recordChange } from '#features/desk/index.ts'
import type { Db } from '#platform/database.ts'
import type { PlatformDeps } from '#platform/membership-apps/platform-deps.ts'
import { parsePhoneNumber } from '#platform/phone/phone-number.ts'
import { fail } from '../delivery.errors.ts'
import { findByAddress, findById, findByNumber } from '../ledger/found-members.repository.ts'
import { type FoundMembers, type ListedDelivery, listOfMembers } from '../ledger/report.repository.ts'
import { attemptsOf } from './attempt-log.ts'
import { toDeskDelivery } from './delivery.mapper.ts'
import { type WaitingService, waitingOf } from './waiting.service.ts'

type Deps = Pick<PlatformDeps, 'database'> & {
  waiting: Pick<WaitingService, 'readFacts'>
  appId: string
  phoneRegion: string
}

type Page = { limit: number; after?: string | undefined }

export type SearchDeliveries = ReturnType<typeof createDeliverySearch>

/**
 * Returns the search of one member's deliveries. It stores and logs nothing of what is searched: an editor's look is in
 * the audit log with the members who were found.
 */
export function createDeliverySearch({ database, waiting, appId, phoneRegion }: Deps) {
  async function findMembers(db: Db, search: DeliverySearch): Promise<FoundMembers> {
    if ('member' in search) return await findById(db, appId, search.member)
    if ('address' in search) {
      const email = parseEmailAddress(search.address)
      if (email === null) throw fail('invalid-request', 'address must be an email address.')
      return await findByAddress(db, appId, email)
    }
    const number = parsePhoneNumber(search.number, phoneRegion)
    if (number === null) throw fail('invalid-request', 'number must be a phone number, such as +12025550123.')
    return await findByNumber(db, appId, number)
  }

  return async function search(
    of: DeliverySearch,
    { limit, after }: Page,
    requester: Requester | null = null,
  ): Promise<DeskReply> {
    const { db } = database
    const members = await findMembers(db, of)
    const rows = await listOfMembers(db, members, { limit: limit + 1, after })
    if (requester !== null) {
      const found = [...members.memberIds, ...members.former.memberIds]
      const details = { by: Object.keys(of)[0], found }
      await recordChange(db, {
        editor: requester.editor,
        action: 'member.deliveries',
        subject: 'members',
        details,
      })
    }
    const facts = await waiting.readFacts(db)
    const map = (row: ListedDelivery): FoundDelivery => ({
      ...toDeskDelivery(row, waitingOf(row, facts)),
      attemptLog: attemptsOf(row),
    })
    return pageReply(rows, limit, { map, next: ({ id }) => id })
  }
}
