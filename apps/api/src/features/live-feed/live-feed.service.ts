import { formatWireDate, parseEditionKey } from '@tidings/contracts/edition-key'
import type { MemoEvent } from '@tidings/contracts/live-feed'
import { z } from 'zod'
import type { PlatformDeps } from '#platform/membership-apps/platform-deps.ts'
import { notify } from '#platform/notifications/notifications.ts'
import { type Typing, typingChannel } from '../comments/index.ts'
import { listPublishedByIds, memoChangesChannel, parseMemoChanges, toMemoEvent } from '../memos/index.ts'
import { roomOfChannel, type Subscribers } from './subscribers.ts'

type Deps = Pick<PlatformDeps, 'database' | 'notifications' | 'logger'> & {
  subscribers: Subscribers
  typing: Typing
}

const newMemoChannel = 'tidings_new_memo'
const memoIdsSchema = z.array(z.uuid())
// About 5,600 bytes of UUIDs; Postgres allows 8,000 per notification.
const idsPerNotification = 150

/** Sends the events of memos and TYPING in every process. Notifications carry ids; each process reads the memos. */
export function createLiveFeed({ database, notifications, subscribers, typing, logger }: Deps) {
  let lastMemos: Promise<void> = Promise.resolve()
  let lastTyping: Promise<void> = Promise.resolve()

  async function eventsOf(event: 'NEW_MEMO' | 'MEMO_CHANGED', ids: readonly string[]): Promise<MemoEvent[]> {
    return (await listPublishedByIds(database.db, ids)).map((memo) => toMemoEvent(event, memo))
  }

  async function readNewMemos(payload: string): Promise<MemoEvent[]> {
    return await eventsOf('NEW_MEMO', memoIdsSchema.parse(JSON.parse(payload)))
  }

  async function readChanges(payload: string): Promise<MemoEvent[]> {
    const { kind, edition, memoIds } = parseMemoChanges(payload)
    return kind === 'changed' ? await eventsOf('MEMO_CHANGED', memoIds) : withdrawalsOf(edition, memoIds)
  }

  async function sendEvents(read: () => Promise<MemoEvent[]>): Promise<void> {
    if (subscribers.size === 0) return
    try {
      for (const event of await read()) subscribers.broadcast(JSON.stringify(event))
    } catch (error) {
      // Clients reload what they show after they reconnect, so no event is lost.
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
      if (event === null) return
      await subscribers.closeWithoutAccess(room)
      subscribers.broadcastTo(room, JSON.stringify(event))
    } catch (error) {
      // The client announces again while the member types.
      logger.warn({ err: error }, 'live feed typing failed')
    }
  }

  notifications.on(newMemoChannel, (payload) => {
    lastMemos = lastMemos.then(() => sendEvents(() => readNewMemos(payload)))
  })
  notifications.on(memoChangesChannel, (payload) => {
    lastMemos = lastMemos.then(() => sendEvents(() => readChanges(payload)))
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

function withdrawalsOf(editionKey: string, memoIds: readonly string[]): MemoEvent[] {
  const edition = parseEditionKey(editionKey)
  if (edition === null) throw new Error('The notification names no edition')
  const keys = { date: formatWireDate(edition.date), time_stamp: edition.slot }
  return memoIds.map((_id) => ({ event: 'MEMO_WITHDRAWN', data: { _id, ...keys } }))
}
