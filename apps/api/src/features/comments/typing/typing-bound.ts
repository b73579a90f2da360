import { LRUCache } from 'lru-cache'
import type { Clock } from '#platform/clock.ts'

/** How often it is told that somebody is writing. */
export type TypingBound = {
  /** Whether this is to be told: once in two seconds for a member and channel, and of few channels at a time. */
  lets(memberId: string, channel: string): boolean
}

export const typingPauseMs = 2_000
export const channelsAtOnce = 5

const rememberedMembers = 10_000

/** Remembers who was heard of lately. Each process has its own: nobody is hurt by a second event. */
export function createTypingBound(clock: Clock): TypingBound {
  const heard = new LRUCache<string, ReadonlyMap<string, number>>({ max: rememberedMembers })
  return {
    lets(memberId, channel) {
      const nowMs = clock.now().getTime()
      const recent = [...(heard.get(memberId) ?? [])].filter(([, atMs]) => nowMs - atMs < typingPauseMs)
      const lets = recent.length < channelsAtOnce && !recent.some(([known]) => known === channel)
      heard.set(memberId, new Map(lets ? [...recent, [channel, nowMs]] : recent))
      return lets
    },
  }
}
