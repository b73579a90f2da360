import type { TypingEvent } from '@tidings/contracts/membership/comments'
import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import type { Clock } from '#platform/clock.ts'
import type { PlatformDeps } from '#platform/membership-apps/platform-deps.ts'
import { notify } from '#platform/notifications/notifications.ts'
import type { ChannelAccess } from './channel-access.ts'
import { toAuthor, toPublicFields } from './comments.mapper.ts'
import { findPublicAuthor } from './stored/comments.repository.ts'
import type { Writer } from './stored/visible-comments.repository.ts'

type Deps = Pick<PlatformDeps, 'database' | 'clock' | 'apps'> & {
  channelAccess: ChannelAccess
  siteUrl: URL
}

export const typingChannel = 'tidings_typing'

const typingSchema = z.object({ appId: z.string(), channelKey: z.string(), memberId: z.string() })

/** The payload of the notification that a member is typing. */
type TypingNotification = z.infer<typeof typingSchema>

export const typingIntervalMs = 2_000
export const channelsPerMember = 5
const maxMembers = 10_000

export type Typing = ReturnType<typeof createTyping>

/**
 * Creates the service of typing indicators, which go from the member who writes to the channel's readers on every
 * process.
 */
export function createTyping({ database, clock, apps, channelAccess, siteUrl }: Deps) {
  const throttle = createTypingThrottle(clock)
  return {
    /** Notifies every process that a member is typing, unless throttled. Throws if the channel is closed to them. */
    async announce(writer: Writer, channelKey: string): Promise<void> {
      const { appId, memberId } = writer
      await channelAccess.require(writer, channelKey)
      if (!throttle(memberId, channelKey)) return
      const payload: TypingNotification = { appId, channelKey, memberId }
      await notify(database.db, typingChannel, JSON.stringify(payload))
    },

    parse: (payload: string): TypingNotification => typingSchema.parse(JSON.parse(payload)),

    /** Returns the event for the channel's readers; null when the member was deleted or is hidden. */
    async findEvent({ appId, channelKey, memberId }: TypingNotification): Promise<TypingEvent | null> {
      const app = (await apps.directory()).byId.get(appId)
      if (app === undefined) return null
      const author = await findPublicAuthor(database.db, toPublicFields(app), memberId)
      if (author === null) return null
      return { event: 'TYPING', data: { channelKey, member: toAuthor(author, siteUrl) } }
    },
  }
}

/** Returns a throttle: one event per member and channel in two seconds, for at most five channels at a time. */
export function createTypingThrottle(clock: Clock): (memberId: string, channel: string) => boolean {
  const sentAt = new LRUCache<string, ReadonlyMap<string, number>>({ max: maxMembers })
  return (memberId, channel) => {
    const nowMs = clock.now().getTime()
    const recent = [...(sentAt.get(memberId) ?? [])].filter(([, atMs]) => nowMs - atMs < typingIntervalMs)
    const isAllowed = recent.length < channelsPerMember && !recent.some(([known]) => known === channel)
    sentAt.set(memberId, new Map(isAllowed ? [...recent, [channel, nowMs]] : recent))
    return isAllowed
  }
}
