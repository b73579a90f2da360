import { createRepeatedWarning, type Logger, reasonOf } from '../logger.ts'

export type CoalescedNotifications = ReturnType<typeof createCoalescedNotifications>

type Options = {
  /** Sends the payloads of one channel in one transaction. */
  send: (channel: string, payloads: readonly string[]) => Promise<void>
  logger: Logger
  /** The least time between two notifications of a channel. */
  intervalMs?: number | undefined
}

type Topic = { pending: Set<string>; timer: NodeJS.Timeout | undefined; sending: Promise<void> }

const retryMs = 1_000

/**
 * Notifies all processes outside of transactions: at once, then at most every 200 ms per channel. A process that dies
 * loses what it has not sent, so a receiver must find out otherwise, too (ADR 97).
 */
export function createCoalescedNotifications({ send, logger, intervalMs = 200 }: Options) {
  const warn = createRepeatedWarning(logger, 'notifications delayed')
  const flushes: (() => Promise<void>)[] = []

  return {
    /** Returns a function that notifies a channel of items. `toPayloads` merges the items of one notification. */
    topic(
      channel: string,
      toPayloads: (items: readonly string[]) => readonly string[],
    ): (items: readonly string[]) => void {
      const topic: Topic = { pending: new Set(), timer: undefined, sending: Promise.resolve() }

      async function sendPending(): Promise<void> {
        topic.timer = undefined
        if (topic.pending.size === 0) return
        const items = [...topic.pending]
        topic.pending.clear()
        wait(intervalMs)
        try {
          await send(channel, toPayloads(items))
        } catch (error) {
          warn({ channel, reason: reasonOf(error) })
          for (const item of items) topic.pending.add(item)
          wait(retryMs)
        }
      }

      function start(): void {
        // One at a time: a slow database gets fewer notifications, not a queue of them.
        topic.sending = topic.sending.then(sendPending)
      }

      function wait(ms: number): void {
        clearTimeout(topic.timer)
        topic.timer = setTimeout(start, ms)
      }

      flushes.push(async () => {
        clearTimeout(topic.timer)
        start()
        await topic.sending
        clearTimeout(topic.timer)
        topic.timer = undefined
      })
      return (items) => {
        const isQuiet = topic.timer === undefined && topic.pending.size === 0
        for (const item of items) topic.pending.add(item)
        if (isQuiet) start()
      }
    },

    /** Sends what is waiting, before the process ends. */
    async flush(): Promise<void> {
      await Promise.all(flushes.map((flush) => flush()))
    },
  }
}
