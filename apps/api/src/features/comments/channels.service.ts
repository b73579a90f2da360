import type { RateLimits } from '#http/limits/rate-limits.ts'
import type { Database } from '#platform/database.ts'
import type { ChannelAccess } from './channel-access.ts'
import * as channels from './stored/channels.repository.ts'
import { countPosts } from './stored/comments.repository.ts'
import type { Viewer, Writer } from './stored/visible-comments.repository.ts'

export type ChannelDeps = { database: Database; rateLimits: RateLimits; channelAccess: ChannelAccess }

type Subscription = 'NONE' | 'THREADS_ONLY'

/** Shows channels and stores who is notified of their comments. */
export function createChannelService({ database: { db }, rateLimits, channelAccess }: ChannelDeps) {
  return {
    /** Returns a channel; one that does not exist yet is empty. */
    async channel(viewer: Viewer, channelKey: string) {
      await channelAccess.require(viewer, channelKey)
      const channelId = await channels.findChannel(db, viewer.appId, channelKey)
      if (channelId === null) return { channelKey, totalCount: 0, subscription: 'NONE' } as const
      const { memberId } = viewer
      const [totalCount, subscribed] = await Promise.all([
        countPosts(db, viewer, channelId),
        memberId === null ? false : channels.isSubscribed(db, memberId, channelId),
      ])
      return { channelKey, totalCount, subscription: subscribed ? 'THREADS_ONLY' : 'NONE' } as const
    },

    async subscribe(writer: Writer, channelKey: string, action: Subscription): Promise<void> {
      await rateLimits.consume('comments', writer.memberId)
      if (action === 'THREADS_ONLY') {
        await channelAccess.require(writer, channelKey)
        const channelId = await channels.ensureChannel(db, writer.appId, channelKey)
        await channels.addSubscription(db, writer.memberId, channelId)
      } else {
        const channelId = await channels.findChannel(db, writer.appId, channelKey)
        if (channelId !== null) await channels.removeSubscription(db, writer.memberId, channelId)
      }
    },
  }
}
