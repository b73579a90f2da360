import { z } from 'zod'
import type { PlatformDeps } from '#platform/deps.ts'
import { notify } from '#platform/notifications.ts'
import { type Typing, typingChannel } from '../comments/index.ts'
import { listPublishedByIds, toNewMemoEvent } from '../memos/index.ts'
import { roomOfChannel, type Subscribers } from './subscribers.ts'

type Deps = Pick<PlatformDeps, 'database' | 'notifications' | 'logger'> & {
  subscribers: Subscribers
  typing: Typing
}

const newMemoChannel = 'tidings_new_memo'
const memoIdsSchema = z.array(z.uuid())
// About 5,600 bytes of UUIDs; Postgres allows 8,000 per notification.
const idsPerNotification = 150

/** Sends NEW_MEMO and TYPING in every process. Notifications carry ids; each process reads the memos. */
export function createLiveFeed({ database, notifications, subscribers, typing, logger }: Deps) {
  let lastMemos: Promise<void> = Promise.resolve()
  let lastTyping: Promise<void> = Promise.resolve()

  async function sendMemos(payload: string): Promise<void> {
    if (subscribers.size === 0) return
    try {
      const ids = memoIdsSchema.parse(JSON.parse(payload))
      const memos = await listPublishedByIds(database.db, ids)
      for (const memo of memos) subscribers.broadcast(JSON.stringify(toNewMemoEvent(memo)))
    } catch (error) {
      // Clients reload what they show after they reconnect, so no memo is lost.
      logger.warn({ err: error }, 'live feed memos failed')
      subscribers.restartAll('read again')
    }
  }

  async function sendTyping(payload: string): Promise<void> {
    try {
      const typed = typing.parse(payload)
      const room = roomOfChannel(typed)
      if (!subscribers.hasRoom(room)) return
      const event = await typing.findEvent(typed)
      if (event !== null) subscribers.broadcastTo(room, JSON.stringify(event))
    } catch (error) {
      // The client announces again while the member types.
      logger.warn({ err: error }, 'live feed typing failed')
    }
  }

  notifications.on(newMemoChannel, (payload) => {
    lastMemos = lastMemos.then(() => sendMemos(payload))
  })
  notifications.on(typingChannel, (payload) => {
    lastTyping = lastTyping.then(() => sendTyping(payload))
  })
  notifications.onRestored(() => subscribers.restartAll('read again'))

  return {
    /** Notifies every process of new memos. */
    async announce(memoIds: readonly string[]): Promise<void> {
      for (let start = 0; start < memoIds.length; start += idsPerNotification) {
        const ids = memoIds.slice(start, start + idsPerNotification)
        await notify(database.db, newMemoChannel, JSON.stringify(ids))
      }
    },

    /** Resolves once every notification received so far was sent. */
    async settled(): Promise<void> {
      await Promise.all([lastMemos, lastTyping])
    },
  }
}
