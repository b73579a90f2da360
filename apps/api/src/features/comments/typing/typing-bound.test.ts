import { describe, expect, it } from 'vitest'
import { createFixedClock } from '#platform/clock.ts'
import { channelsAtOnce, createTypingBound, typingPauseMs } from './typing-bound.ts'

const start = new Date('2026-11-20T17:00:00.000Z')

function setUp() {
  const clock = createFixedClock(start)
  return {
    bound: createTypingBound(clock),
    wait: (ms: number) => clock.moveTo(new Date(start.getTime() + ms)),
  }
}

describe('lets', () => {
  it('tells of a member and channel once, and again when the pause is over', () => {
    const { bound, wait } = setUp()
    const told = [bound.lets('ann', 'page'), bound.lets('ann', 'page')]
    wait(typingPauseMs - 1)
    told.push(bound.lets('ann', 'page'))
    wait(typingPauseMs)
    told.push(bound.lets('ann', 'page'))

    expect(told).toEqual([true, false, false, true])
  })

  it('keeps members and channels apart', () => {
    const { bound } = setUp()

    expect([bound.lets('ann', 'page'), bound.lets('ben', 'page'), bound.lets('ann', 'other page')]).toEqual([
      true,
      true,
      true,
    ])
  })

  it('tells of few channels of one member at a time', () => {
    const { bound, wait } = setUp()
    const told = Array.from({ length: 20 }, (_, page) => bound.lets('ann', `page ${page}`))
    wait(typingPauseMs)

    expect(told.filter(Boolean)).toHaveLength(channelsAtOnce)
    expect(bound.lets('ann', 'page 0')).toBe(true)
  })
})
