import type { TypingEvent } from '@tidings/contracts/comments'
import { z } from 'zod'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/database.ts'
import type { MembershipApps } from '#platform/membership-apps/membership-apps.ts'
import { notify } from '#platform/notifications.ts'
import { toAuthor, toViewer } from '../comments.mapper.ts'
import { findPublicAuthor } from '../stored/comment-lists.repository.ts'
import type { Writer } from '../stored/comment-sight.repository.ts'
import { createTypingBound } from './typing-bound.ts'

type Deps = { database: Database; clock: Clock; apps: MembershipApps; siteUrl: URL }

const noticeSchema = z.object({ appId: z.string(), channelKey: z.string(), memberId: z.string() })

/** That somebody writes somewhere, as it goes between the processes. */
export type TypingNotice = z.infer<typeof noticeSchema>

export type Typing = {
  /** Tells every process that a member is writing, unless it was told a moment ago. */
  announce(writer: Writer, channelKey: string): Promise<void>
  /** Reads what another process, or this one, announced. */
  read(payload: string): TypingNotice
  /** What the channel's readers are sent; null when nobody may hear of this member. */
  findEvent(notice: TypingNotice): Promise<TypingEvent | null>
}

/** Typing, from the member who writes to the readers of the channel at every process. */
export function createTyping({ database, clock, apps, siteUrl }: Deps): Typing {
  const bound = createTypingBound(clock)
  return {
    async announce({ appId, memberId }, channelKey) {
      if (!bound.lets(memberId, channelKey)) return
      const notice: TypingNotice = { appId, channelKey, memberId }
      await notify(database.db, 'tidings_typing', JSON.stringify(notice))
    },
    read: (payload) => noticeSchema.parse(JSON.parse(payload)),
    async findEvent({ appId, channelKey, memberId }) {
      const app = (await apps.directory()).byId.get(appId)
      if (app === undefined) return null
      const author = await findPublicAuthor(database.db, toViewer(app, null), memberId)
      if (author === null) return null
      return { event: 'TYPING', data: { channelKey, member: toAuthor(author, siteUrl) } }
    },
  }
}
