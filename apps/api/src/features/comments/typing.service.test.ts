import { describe, expect, it } from 'vitest'
import { createFixedClock } from '#test/factories/fixed-clock.ts'
import { channelsPerMember, createTypingThrottle, typingIntervalMs } from './typing.service.ts'

const start = new Date('2026-11-20T17:00:00.000Z')

function setUp() {
  const clock = createFixedClock(start)
  return {
    allows: createTypingThrottle(clock),
    wait: (ms: number) => clock.moveTo(new Date(start.getTime() + ms)),
  }
}

describe('the typing throttle', () => {
  it('allows one event per member and channel in an interval', () => {
    const { allows, wait } = setUp()
    const allowed = [allows('ann', 'page'), allows('ann', 'page')]
    wait(typingIntervalMs - 1)
    allowed.push(allows('ann', 'page'))
    wait(typingIntervalMs)
    allowed.push(allows('ann', 'page'))

    expect(allowed).toEqual([true, false, false, true])
  })

  it('throttles each member and channel separately', () => {
    const { allows } = setUp()
    const allowed = [allows('ann', 'page'), allows('ben', 'page'), allows('ann', 'other page')]

    expect(allowed).toEqual([true, true, true])
  })

  it('allows a limited number of channels per member at a time', () => {
    const { allows, wait } = setUp()
    const allowed = Array.from({ length: 20 }, (_, page) => allows('ann', `page ${page}`))
    wait(typingIntervalMs)

    expect(allowed.filter(Boolean)).toHaveLength(channelsPerMember)
    expect(allows('ann', 'page 0')).toBe(true)
  })
})
