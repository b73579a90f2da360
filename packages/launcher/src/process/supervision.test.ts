import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Child } from './child.ts'
import { keepRunning, pauseMs } from './supervision.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

/** A line of children that end when told to, and what was said about them. */
function stage(endsPerMinute: number) {
  const said: string[] = []
  const givenUp: Error[] = []
  const stopped: number[] = []
  const ends: ((how: string) => void)[] = []
  function start(): Child {
    const pid = ends.length + 1
    const { promise, resolve } = Promise.withResolvers<string>()
    ends.push(resolve)
    return {
      name: 'worker',
      pid,
      exited: promise,
      lastLines: async () => '    out of memory',
      stop: async () => void stopped.push(pid),
    }
  }
  const supervision = {
    say: (line: string) => said.push(line),
    giveUp: (reason: Error) => givenUp.push(reason),
    onStart: () => {},
  }
  const stop = keepRunning(start, { endsPerMinute }, supervision, start())
  const endLatest = async (waitMs: number) => {
    ends.at(-1)?.('ended with code 1')
    await vi.advanceTimersByTimeAsync(waitMs)
  }
  return { said, givenUp, stopped, ends, stop, endLatest }
}

describe('keepRunning', () => {
  test('what ends is started again, and its last lines are shown', async () => {
    const { ends, said, endLatest } = stage(3)
    await endLatest(pauseMs(1))
    expect(ends).toHaveLength(2)
    expect(said.join()).toContain('The worker ended with code 1. Its last lines:\n    out of memory')
  })

  test('ending too often within a minute is the end', async () => {
    const { ends, givenUp, endLatest } = stage(3)
    for (let round = 1; round <= 3; round += 1) await endLatest(10_000)
    expect(ends).toHaveLength(3)
    expect(givenUp.map(({ message }) => message).join()).toContain('3 times within a minute')
  })

  test('ends that lie more than a minute apart are forgiven', async () => {
    const { ends, givenUp, endLatest } = stage(2)
    for (let round = 1; round <= 4; round += 1) await endLatest(61_000)
    expect(ends).toHaveLength(5)
    expect(givenUp).toEqual([])
  })

  test('once stopped, nothing is started again', async () => {
    const { ends, stopped, stop, endLatest } = stage(3)
    await stop()
    await endLatest(60_000)
    expect(stopped).toEqual([1])
    expect(ends).toHaveLength(1)
  })

  test('stopping during the pause after an end keeps the next one from starting', async () => {
    const { ends, stop, endLatest } = stage(3)
    await endLatest(0)
    await stop()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(ends).toHaveLength(1)
  })
})

describe('pauseMs', () => {
  test.each([
    [1, 500],
    [2, 1_000],
    [4, 4_000],
    [20, 30_000],
  ])('after %i ends within a minute it waits %i ms', (ends, ms) => {
    expect(pauseMs(ends)).toBe(ms)
  })
})
