import { z } from 'zod'
import type { Database } from '#platform/database.ts'
import type { Jobs } from '#platform/jobs.ts'
import type { Logger } from '#platform/logger.ts'
import { type Notifications, notify } from '#platform/notifications.ts'
import type { Typing } from '../comments/index.ts'
import { editionPublished } from '../editions/index.ts'
import { listMemoIds, listPublishedByIds, memoPublished, toNewMemoEvent } from '../memos/index.ts'
import { roomOfChannel } from './channel-room.ts'
import type { SocketHub } from './socket-hub.ts'

type Deps = {
  database: Database
  jobs: Jobs
  notifications: Notifications
  hub: SocketHub
  typing: Typing
  logger: Logger
}

export type LiveFeed = {
  /** Handles what publishing enqueues. To be called before the jobs start. */
  handleJobs(): void
  /** Carries what any process announces to this process's sockets. To be called before listening starts. */
  listen(): void
  /** Resolves once every announcement heard so far has been sent. */
  settled(): Promise<void>
}

const announcement = z.array(z.uuid())
// 37 characters an id: far below the 8,000 bytes that Postgres allows.
const idsInOneAnnouncement = 150

/**
 * NEW_MEMO for every reader on every process, and TYPING for the readers of one channel. Announcements carry ids only;
 * each process reads what they name itself, because a payload over 8,000 bytes cannot be notified.
 */
export function createLiveFeed({ database, jobs, notifications, hub, typing, logger }: Deps): LiveFeed {
  let lastSend: Promise<void> = Promise.resolve()
  let lastTyping: Promise<void> = Promise.resolve()

  async function announce(memoIds: readonly string[]): Promise<void> {
    for (let start = 0; start < memoIds.length; start += idsInOneAnnouncement) {
      const ids = memoIds.slice(start, start + idsInOneAnnouncement)
      await notify(database.db, 'tidings_new_memo', JSON.stringify(ids))
    }
  }

  async function send(payload: string): Promise<void> {
    if (hub.size === 0) return
    try {
      const ids = announcement.parse(JSON.parse(payload))
      const memos = await listPublishedByIds(database.db, ids)
      for (const memo of memos) hub.broadcast(JSON.stringify(toNewMemoEvent(memo)))
    } catch (error) {
      // Readers who connect again read what they show again, so nothing is missed.
      logger.warn({ err: error }, 'new memos could not be read; readers are asked to connect again')
      hub.restartAll('read again')
    }
  }

  async function sendTyping(payload: string): Promise<void> {
    try {
      const notice = typing.parse(payload)
      const room = roomOfChannel(notice)
      if (!hub.hasRoom(room)) return
      const event = await typing.findEvent(notice)
      if (event !== null) hub.broadcastTo(room, JSON.stringify(event))
    } catch (error) {
      // Nothing is lost: whoever goes on writing is announced again.
      logger.warn({ err: error }, 'it could not be told that somebody writes')
    }
  }

  return {
    handleJobs() {
      jobs.handle(editionPublished, async ({ editionId }) =>
        announce(await listMemoIds(database.db, editionId)),
      )
      jobs.handle(memoPublished, ({ memoId }) => announce([memoId]))
    },
    listen() {
      notifications.on('tidings_new_memo', (payload) => {
        lastSend = lastSend.then(() => send(payload))
      })
      notifications.on('tidings_typing', (payload) => {
        lastTyping = lastTyping.then(() => sendTyping(payload))
      })
      notifications.onRestored(() => hub.restartAll('read again'))
    },
    async settled() {
      await Promise.all([lastSend, lastTyping])
    },
  }
}
