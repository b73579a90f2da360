import { limits } from '@tidings/contracts/limits'
import type { Member } from '@tidings/contracts/members'
import type { RateLimits } from '#http/rate-limits.ts'
import type { Cache } from '#platform/cache/cache.ts'
import type { Invalidation } from '#platform/cache/invalidation.ts'
import { cacheKeys } from '#platform/cache-keys.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database, Db } from '#platform/database.ts'
import { fail } from '#platform/errors.ts'
import { asObject, cleanJson } from '#platform/free-json.ts'
import type { MembershipApp } from '#platform/membership-apps/membership-apps.ts'
import type { EmailService, RefundedPayment } from '../mail/index.ts'
import type { MediaService } from '../media/index.ts'
import { listBelongings } from './belongings.repository.ts'
import { readCustomFields } from './custom-fields.ts'
import { writeMemberExport } from './member-export.ts'
import { MemberNotFoundError, SelfDeleteDisabledError } from './members.errors.ts'
import { toWireMember } from './members.mapper.ts'
import {
  findMember,
  isProfileImage,
  listSessionIds,
  lockMember,
  lockRemovals,
  type MemberRow,
  removeMember,
  updateMember,
} from './members.repository.ts'
import { createProfileImages, type ProfileImages } from './profile-image/profile-images.ts'

type Deps = {
  database: Database
  invalidation: Invalidation
  clock: Clock
  rateLimits: RateLimits
  media: MediaService
  /** The reply of `GET /member`, by member. */
  replies: Cache<Buffer>
  siteUrl: URL
  /** Ends what a member pays; returns since when they have been leaving and what was refunded. Rejects when it can't. */
  cancelOnDeletion(
    member: Pick<MemberRow, 'id' | 'appId' | 'stripeCustomerId'>,
  ): Promise<{ since: Date; refunds: RefundedPayment[] } | null>
  /** Called when a member's record is read; returns whether it may be about to change and is not to be kept. */
  syncAfterCheckout(member: Pick<MemberRow, 'stripeCustomerId'>): Promise<boolean>
  emails: EmailService
}

export type MemberService = {
  /** Throws `member-not-found`. */
  get(app: MembershipApp, memberId: string): Promise<Member>
  /** The bytes of `{ "data": member }`, from memory when they are there; null when the member is gone. */
  reply(app: MembershipApp, memberId: string): Buffer | Promise<Buffer | null>
  /** A stored member in the wire's words. */
  toWire(row: MemberRow, app: MembershipApp): Member
  /**
   * Runs `work` in a transaction with the member's row held, and has every process read the member anew. Answers the
   * member as it is then; throws `member-not-found`.
   */
  change(
    app: MembershipApp,
    memberId: string,
    work: (tx: Db, row: MemberRow) => Promise<void>,
  ): Promise<Member>
  updateCustomFields(
    app: MembershipApp,
    memberId: string,
    fields: Readonly<Record<string, unknown>>,
  ): Promise<Member>
  updateJson(memberId: string, json: unknown): Promise<unknown>
  /** Removes the account and all that belongs to it; ends its sessions everywhere, and mails a proved or paying one that it is gone. */
  remove(app: MembershipApp, memberId: string): Promise<void>
  /** The same for an account whose address belongs to another person; `confirm` throws when it may not be removed. */
  removeUnproved(
    app: MembershipApp,
    memberId: string,
    confirm: (tx: Db, row: MemberRow) => Promise<void>,
  ): Promise<void>
  /**
   * Writes everything that is kept about the member as JSON, piece by piece. Throws `service-busy` at the first piece
   * while this process writes another one, and `too-many-requests` past the member's limit.
   */
  export(app: MembershipApp, memberId: string): AsyncGenerator<string>
  images: ProfileImages
}

/** Members as they see and change themselves. */
export function createMemberService(deps: Deps): MemberService {
  const { database, invalidation, clock, rateLimits, replies, siteUrl } = deps
  let isExporting = false
  const toWire = (row: MemberRow, app: MembershipApp) => toWireMember(row, app, siteUrl)

  async function getRow(memberId: string): Promise<MemberRow> {
    const row = await findMember(database.db, memberId)
    if (row === null) throw new MemberNotFoundError()
    return row
  }

  /** As `change`, but answers what `work` does. */
  async function hold<T>(memberId: string, work: (tx: Db, row: MemberRow) => Promise<T>): Promise<T> {
    return await database.transaction(async (tx) => {
      const row = await lockMember(tx, memberId)
      if (row === null) throw new MemberNotFoundError()
      const result = await work(tx, row)
      await invalidation.invalidate(tx, { at: [cacheKeys.member(memberId)] })
      return result
    })
  }

  async function change(
    app: MembershipApp,
    memberId: string,
    work: (tx: Db, row: MemberRow) => Promise<void>,
  ): Promise<Member> {
    return await hold(memberId, async (tx, row) => {
      await work(tx, row)
      const changed = await findMember(tx, memberId)
      if (changed === null) throw new MemberNotFoundError()
      return toWire(changed, app)
    })
  }

  /** An address that nobody has proved may be somebody else's; who has paid is told in any case. */
  async function sayGoodbye(
    tx: Db,
    app: MembershipApp,
    { email, verified }: MemberRow,
    paid: { planName: string | null; refunds: RefundedPayment[] },
  ): Promise<void> {
    if (!verified && paid.planName === null && paid.refunds.length === 0) return
    await deps.emails.enqueue(tx, app, email, { kind: 'account-deleted', ...paid })
  }

  async function removeAccount(
    app: MembershipApp,
    memberId: string,
    confirm?: (tx: Db, row: MemberRow) => Promise<void>,
  ): Promise<void> {
    // First of all, and before anything is deleted: nobody goes on paying for an account that is gone.
    const leaving = await getRow(memberId)
    const ended = await deps.cancelOnDeletion(leaving)
    const planName = paidPlanOf(leaving, app, ended?.since ?? null)
    const image = await database.transaction(async (tx) => {
      await lockRemovals(tx)
      const row = await lockMember(tx, memberId)
      if (row === null) throw new MemberNotFoundError()
      await confirm?.(tx, row)
      const sessionIds = await listSessionIds(tx, memberId)
      await removeMember(tx, row)
      await sayGoodbye(tx, app, row, { planName, refunds: ended?.refunds ?? [] })
      await invalidation.invalidate(tx, {
        at: [cacheKeys.member(memberId), ...sessionIds.map(cacheKeys.session)],
      })
      return row.profileImage
    })
    if (image !== null) await deps.media.discard({ file: image })
  }

  return {
    get: async (app, memberId) => toWire(await getRow(memberId), app),
    toWire,
    reply(app, memberId) {
      const key = cacheKeys.member(memberId)
      const known = replies.peek(key)
      if (known !== undefined) return known
      return replies
        .load(key, async () => {
          const row = await getRow(memberId)
          if (await deps.syncAfterCheckout(row)) replies.drop(key)
          return Buffer.from(JSON.stringify({ data: toWire(row, app) }))
        })
        .catch((error: unknown) => {
          if (error instanceof MemberNotFoundError) return null
          throw error
        })
    },
    change,
    async updateCustomFields(app, memberId, fields) {
      await rateLimits.consume('memberWrites', memberId)
      return await change(app, memberId, (tx, row) => {
        const customFields = readCustomFields(app.customFields, fields, asObject(row.customFields))
        return updateMember(tx, memberId, { customFields })
      })
    },
    async updateJson(memberId, json) {
      await rateLimits.consume('memberWrites', memberId)
      const cleaned = cleanJson(json ?? {}, { what: 'json', maxBytes: limits.memberJsonBytes })
      await hold(memberId, (tx) => updateMember(tx, memberId, { json: cleaned }))
      return cleaned
    },
    async remove(app, memberId) {
      if (!app.allowMemberSelfDelete) throw new SelfDeleteDisabledError()
      await removeAccount(app, memberId)
    },
    removeUnproved: removeAccount,
    async *export(app, memberId) {
      if (isExporting) throw fail('service-busy')
      isExporting = true
      try {
        await rateLimits.consume('exports', memberId)
        const row = await getRow(memberId)
        const head = {
          exportedAt: clock.now().toISOString(),
          member: toWire(row, app),
          termsAcceptedAt: row.termsAcceptedAt.toISOString(),
          termsOrigin: row.termsOrigin,
        }
        yield* writeMemberExport(head, (name) => listBelongings(database.pool, memberId, name))
      } finally {
        isExporting = false
      }
    },
    images: createProfileImages({
      media: deps.media,
      rateLimits,
      siteUrl,
      isUsed: (file) => isProfileImage(database.db, file),
      replace: (memberId, file) =>
        hold(memberId, async (tx, row) => {
          await updateMember(tx, memberId, { profileImage: file })
          return row.profileImage
        }),
    }),
  }
}

/** The name of the plan that a member paid for until they began to leave, perhaps by an earlier try; null for none. */
function paidPlanOf(
  { planConnections }: MemberRow,
  app: MembershipApp,
  leavingSince: Date | null,
): string | null {
  const paid = planConnections.find(({ type, status, endsAt }) => {
    if (type === 'FREE') return false
    const endedAt = endsAt === null ? null : new Date(endsAt)
    return status !== 'CANCELED' || (endedAt !== null && leavingSince !== null && endedAt >= leavingSince)
  })
  return paid === undefined ? null : (app.plansById.get(paid.planId)?.name ?? paid.planId)
}
