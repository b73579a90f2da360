import { limits } from '@tidings/contracts/limits'
import type { Member } from '@tidings/contracts/membership/members'
import type { Cache } from '#platform/cache/cache.ts'
import { hasCode } from '#platform/errors.ts'
import { asObject, cleanJson } from '#platform/free-json.ts'
import type { MembershipApp } from '#platform/membership-apps/membership-apps.ts'
import { type AccountRemovalDeps, createAccountRemoval } from './account-removal.ts'
import { readCustomFields } from './custom-fields.ts'
import { createMemberExport, type MemberExportDeps } from './member-export.ts'
import {
  countMembers,
  countMembersBy,
  type FoundMember,
  listMembersBy,
  type MemberClue,
  type MemberPage,
} from './member-lookup.repository.ts'
import { existing, memberCacheKey, type WorkOnMember } from './member-record.ts'
import { fail } from './members.errors.ts'
import { toWireMember } from './members.mapper.ts'
import { findMember, isProfileImage, lockMember, type MemberRow, updateMember } from './members.repository.ts'
import { createProfileImages } from './profile-images.service.ts'

type Deps = AccountRemovalDeps &
  MemberExportDeps & {
    /** Responses of `GET /member`, by member. */
    replies: Cache<Buffer>
    /** Syncs a member after checkout; returns whether the record may be about to change and must not be cached. */
    syncAfterCheckout(member: Pick<MemberRow, 'stripeCustomerId'>): Promise<boolean>
  }

export type MemberService = ReturnType<typeof createMemberService>

/**
 * Creates the service of members' own records. Every method throws `member-not-found` for a deleted member, unless it
 * says otherwise.
 */
export function createMemberService(deps: Deps) {
  const { database, invalidation, rateLimits, replies, siteUrl } = deps
  const removeAccount = createAccountRemoval(deps)

  function toWire(row: MemberRow, app: MembershipApp): Member {
    return toWireMember(row, app, siteUrl)
  }

  /** Runs `work` in a transaction with the member's row locked, and invalidates the member's cached response. */
  async function withLocked<T>(memberId: string, work: WorkOnMember<T>): Promise<T> {
    return await database.transaction(async (tx) => {
      const result = await work(tx, existing(await lockMember(tx, memberId)))
      await invalidation.invalidate(tx, { at: [memberCacheKey(memberId)] })
      return result
    })
  }

  /** Does the same as {@link withLocked}, but returns the changed member. */
  async function change(app: MembershipApp, memberId: string, work: WorkOnMember<void>): Promise<Member> {
    return await withLocked(memberId, async (tx, row) => {
      await work(tx, row)
      return toWire(existing(await findMember(tx, memberId)), app)
    })
  }

  return {
    change,
    removeAccount,
    export: createMemberExport(deps),
    /** Lists the members whom an operator or an editor looks for, by default at most 50. */
    find: async (clue: MemberClue, page?: MemberPage): Promise<FoundMember[]> =>
      await listMembersBy(database.db, clue, page),
    /** Counts the members whom an editor looks for, up to a number. */
    countBy: async (clue: MemberClue, page: { appId: string; most: number }): Promise<number> =>
      await countMembersBy(database.db, clue, page),
    /** Counts the members of an app. */
    count: async (appId: string): Promise<number> => await countMembers(database.db, appId),
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
  }
}
