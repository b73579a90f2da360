import { methodsOf } from '@tidings/contracts/delivery/methods'
import {
  countedMembers,
  type DeskMember,
  type MemberCounts,
  type MemberSearch,
} from '@tidings/contracts/desk/members'
import { describeAuthor } from '#features/comments/index.ts'
import {
  liftSuppression,
  listSuppressions,
  type MemberDeliveryService,
  type SearchDeliveries,
} from '#features/delivery/index.ts'
import {
  type ChangeService,
  type DeskReply,
  pageReply,
  type Requester,
  recordChange,
  replyWith,
} from '#features/desk/index.ts'
import {
  type FoundMember,
  fail,
  type MemberClue,
  type MemberService,
  parseMemberClue,
} from '#features/members/index.ts'
import { invalidField } from '#platform/fields.ts'
import type { PlatformDeps } from '#platform/membership-apps/platform-deps.ts'
import { toFoundMember, toSharedKeys, toSuppression } from './member-desk.mapper.ts'

type Deps = Pick<PlatformDeps, 'database' | 'clock' | 'apps'> & {
  changes: ChangeService
  members: Pick<MemberService, 'find' | 'countBy' | 'count' | 'get'>
  memberDeliveries: Pick<MemberDeliveryService, 'read'>
  searchDeliveries: SearchDeliveries
  /** The app whose members editors see. */
  appId: string
  phoneRegion: string
}

export type MemberDesk = ReturnType<typeof createMemberDesk>

const shownDeliveries = 30

/** Creates the service that shows members to editors. Each look is in the audit log, without addresses and names. */
export function createMemberDesk(deps: Deps) {
  const { database, clock, changes, members, appId, phoneRegion } = deps
  const { db } = database

  async function getFound(id: string): Promise<FoundMember> {
    const [found] = await members.find({ id }, { appId })
    if (found === undefined) throw fail('member-not-found')
    return found
  }

  /** Counts whom a search finds, of whom these many were read. */
  async function countsOf(clue: MemberClue, read: number, limit: number): Promise<MemberCounts> {
    const [counted, all] = await Promise.all([
      read > limit ? members.countBy(clue, { appId, most: countedMembers + 1 }) : read,
      members.count(appId),
    ])
    return {
      found: Math.min(counted, countedMembers),
      isExact: counted <= countedMembers,
      members: all,
    }
  }

  async function describe(id: string): Promise<DeskReply> {
    const { planConnections: _, ...found } = await getFound(id)
    const app = (await deps.apps.directory()).byId.get(appId)
    if (app === undefined) throw fail('member-not-found')
    const { number } = found.phone ?? {}
    const [member, gets, suppressed, author, deliveries] = await Promise.all([
      members.get(app, id),
      deps.memberDeliveries.read(id),
      listSuppressions(db, [found.email, ...(number === undefined ? [] : [number])]),
      describeAuthor(db, id),
      deps.searchDeliveries({ member: id }, { limit: shownDeliveries }),
    ])
    const data: Omit<DeskMember, 'deliveries'> & { deliveries: object } = {
      ...toSharedKeys(found),
      plans: member.planConnections,
      methods: [...methodsOf(member.customFields)],
      pdfFormat: gets.pdfFormat,
      pausedUntil: gets.pausedUntil,
      obstacle: gets.obstacle,
      suppressions: suppressed.map((each) => toSuppression(each, found.email)),
      comments: { count: author.comments, hidden: author.hidden, allHidden: author.allHidden },
      deliveries: deliveries.body,
    }
    return replyWith(data)
  }

  return {
    /** Finds members. The audit entry names who was found, and not what was searched. */
    async search(
      { editor }: Requester,
      search: MemberSearch,
      { limit, after }: { limit: number; after?: string | undefined },
    ): Promise<DeskReply> {
      const clue = clueOf(search, phoneRegion)
      const rows = await members.find(clue, { appId, after, limit: limit + 1 })
      const counts = after === undefined ? await countsOf(clue, rows.length, limit) : null
      const reply = pageReply(rows, limit, { map: toFoundMember, next: ({ id }) => id })
      const found = rows.slice(0, limit).map(({ id }) => id)
      const details = { by: Object.keys(search)[0], found }
      await recordChange(db, { editor, action: 'member.search', subject: 'members', details })
      return { ...reply, body: { ...reply.body, counts } }
    },

    /** Throws `member-not-found`. */
    async read({ editor }: Requester, id: string): Promise<DeskReply> {
      const reply = await describe(id)
      await recordChange(db, { editor, action: 'member.look', subject: id, details: {} })
      return reply
    },

    /** Sends to the member's email address again. Throws `member-not-found`. */
    async lift(requester: Requester, id: string): Promise<DeskReply> {
      const { email } = await getFound(id)
      // Without the Idempotency-Key, whose stored reply would keep the address. A repeat changes nothing anyway.
      await changes.run({ ...requester, idempotency: null }, async (tx, audit) => {
        const [suppression] = await listSuppressions(tx, [email])
        if (suppression !== undefined) {
          const { kind, suppressedAt } = suppression
          await liftSuppression(tx, email, clock.now())
          await audit('member.lift-suppression', id, { kind, since: suppressedAt.toISOString() })
        }
        return replyWith({})
      })
      return await describe(id)
    },
  }
}

/** Returns the clue of a search. Throws for what is no address or number. */
function clueOf(search: MemberSearch, region: string): MemberClue {
  if ('member' in search) return { id: search.member }
  if ('name' in search || 'suppressed' in search) return search
  const [field, text] = 'address' in search ? ['address', search.address] : ['number', search.number]
  const clue = parseMemberClue(text, region)
  if (clue !== null && (field === 'address' ? 'email' : 'number') in clue) return clue
  throw field === 'address'
    ? invalidField('address', 'must be an email address')
    : invalidField('number', 'must be a phone number, such as +12025550123')
}
