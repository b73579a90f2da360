import { formatIsoDate } from '@tidings/contracts/edition-key'
import { limits } from '@tidings/contracts/limits'
import type { Member } from '@tidings/contracts/membership/members'
import type { RateLimits } from '#http/limits/rate-limits.ts'
import type { Cache } from '#platform/cache/cache.ts'
import type { Db } from '#platform/database.ts'
import { fromDatabaseDate } from '#platform/database-date.ts'
import { fail as failService, hasCode } from '#platform/errors.ts'
import { asObject, cleanJson } from '#platform/free-json.ts'
import type { MembershipApp } from '#platform/membership-apps/membership-apps.ts'
import type { PlatformDeps } from '#platform/membership-apps/platform-deps.ts'
import type { EmailService } from '../mail/index.ts'
import type { MediaService } from '../media/index.ts'
import { readCustomFields } from './custom-fields.ts'
import { writeMemberExport } from './member-export.repository.ts'
import { fail } from './members.errors.ts'
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
import { createProfileImages } from './profile-images.service.ts'

type Deps = Pick<PlatformDeps, 'database' | 'invalidation' | 'clock'> & {
  rateLimits: RateLimits
  media: MediaService
  /** Responses of `GET /member`, by member. */
  replies: Cache<Buffer>
  siteUrl: URL
  /** Stores the open payments of a deleted member, and holds the address; false if there are none. */
  requestDeletion(tx: Db, app: MembershipApp, row: MemberRow): Promise<boolean>
  /** Syncs a member after checkout; returns whether the record may be about to change and must not be cached. */
  syncAfterCheckout(member: Pick<MemberRow, 'stripeCustomerId'>): Promise<boolean>
  sessionCacheKey(sessionId: string): string
  emails: EmailService
}

export function memberCacheKey(memberId: string): string {
  return `member:${memberId}`
}

type Work<T> = (tx: Db, row: MemberRow) => Promise<T>

export type MemberService = ReturnType<typeof createMemberService>

/**
 * Creates the service of members' own records. Every method throws `member-not-found` for a deleted member, unless it
 * says otherwise.
 */
export function createMemberService(deps: Deps) {
  const { database, invalidation, clock, rateLimits, replies, siteUrl } = deps
  let isExporting = false

  function toWire(row: MemberRow, app: MembershipApp): Member {
    return toWireMember(row, app, siteUrl)
  }

  /** Runs `work` in a transaction with the member's row locked, and invalidates the member's cached response. */
  async function withLocked<T>(memberId: string, work: Work<T>): Promise<T> {
    return await database.transaction(async (tx) => {
      const result = await work(tx, existing(await lockMember(tx, memberId)))
      await invalidation.invalidate(tx, { at: [memberCacheKey(memberId)] })
      return result
    })
  }

  /** Does the same as {@link withLocked}, but returns the changed member. */
  async function change(app: MembershipApp, memberId: string, work: Work<void>): Promise<Member> {
    return await withLocked(memberId, async (tx, row) => {
      await work(tx, row)
      return toWire(existing(await findMember(tx, memberId)), app)
    })
  }

  /** Deletes an account at once, even where self-deletion is disabled. `confirm` may throw to keep it. */
  async function removeAccount(app: MembershipApp, memberId: string, confirm?: Work<void>): Promise<void> {
    const image = await database.transaction(async (tx) => {
      await lockRemovals(tx)
      const row = existing(await lockMember(tx, memberId))
      await confirm?.(tx, row)
      const sessionIds = await listSessionIds(tx, memberId)
      const isClosing = await deps.requestDeletion(tx, app, row)
      await removeMember(tx, row)
      // An unverified address may belong to another person. Once payments are settled, another email says so.
      if (row.verified && !isClosing) {
        await deps.emails.enqueue(tx, app, row.email, {
          kind: 'account-deleted',
          planName: null,
          refunds: [],
        })
      }
      const at = [memberCacheKey(memberId), ...sessionIds.map(deps.sessionCacheKey)]
      await invalidation.invalidate(tx, { at })
      return row.profileImage
    })
    if (image !== null) await deps.media.discard({ file: image })
  }

  return {
    toWire,
    change,
    removeAccount,
    images: createProfileImages({
      media: deps.media,
      rateLimits,
      siteUrl,
      isUsed: (file) => isProfileImage(database.db, file),
      replace: (memberId, file) =>
        withLocked(memberId, async (tx, row) => {
          await updateMember(tx, memberId, { profileImage: file })
          return row.profileImage
        }),
    }),

    async get(app: MembershipApp, memberId: string): Promise<Member> {
      return toWire(existing(await findMember(database.db, memberId)), app)
    },

    /** Returns the bytes of `{ "data": member }`, at once if cached; null when the member was deleted. */
    reply(app: MembershipApp, memberId: string): Buffer | Promise<Buffer | null> {
      const key = memberCacheKey(memberId)
      const cached = replies.peek(key)
      if (cached !== undefined) return cached
      return replies
        .load(key, async () => {
          const row = existing(await findMember(database.db, memberId))
          if (await deps.syncAfterCheckout(row)) replies.drop(key)
          return Buffer.from(JSON.stringify({ data: toWire(row, app) }))
        })
        .catch((error: unknown) => {
          if (hasCode(error, 'member-not-found')) return null
          throw error
        })
    },

    async updateCustomFields(
      app: MembershipApp,
      memberId: string,
      fields: Readonly<Record<string, unknown>>,
    ): Promise<Member> {
      await rateLimits.consume('memberWrites', memberId)
      return await change(app, memberId, (tx, row) => {
        const customFields = readCustomFields(app.customFields, fields, asObject(row.customFields))
        return updateMember(tx, memberId, { customFields })
      })
    },

    async updateJson(memberId: string, json: unknown): Promise<unknown> {
      await rateLimits.consume('memberWrites', memberId)
      const cleaned = cleanJson(json ?? {}, { what: 'json', maxBytes: limits.memberJsonBytes })
      await withLocked(memberId, (tx) => updateMember(tx, memberId, { json: cleaned }))
      return cleaned
    },

    /** Deletes the account with everything it owns and ends its sessions. */
    async remove(app: MembershipApp, memberId: string): Promise<void> {
      if (!app.allowMemberSelfDelete) throw fail('access-denied')
      await removeAccount(app, memberId)
    },

    /** Yields everything stored about the member as JSON. Throws `service-busy` and `too-many-requests`. */
    async *export(app: MembershipApp, memberId: string): AsyncGenerator<string> {
      if (isExporting) throw failService('service-busy')
      isExporting = true
      try {
        await rateLimits.consume('exports', memberId)
        const row = existing(await findMember(database.db, memberId))
        yield* writeMemberExport(database.pool, memberId, {
          exportedAt: clock.now().toISOString(),
          member: toWire(row, app),
          termsAcceptedAt: row.termsAcceptedAt.toISOString(),
          termsOrigin: row.termsOrigin,
          pausedUntil:
            row.deliveriesPausedUntil && formatIsoDate(fromDatabaseDate(row.deliveriesPausedUntil)),
          pdfFormat: row.pdfFormat,
        })
      } finally {
        isExporting = false
      }
    },
  }
}

function existing(row: MemberRow | null): MemberRow {
  if (row === null) throw fail('member-not-found')
  return row
}
