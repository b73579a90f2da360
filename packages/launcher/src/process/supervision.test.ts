import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Child } from './child.ts'
import { backoffMs, keepRunning } from './supervision.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

/** Supervises children that end on demand, and collects the messages about them. */
function supervise(maxCrashesPerMinute: number) {
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
  const stop = keepRunning(start, { maxCrashesPerMinute }, supervision, start())
  const endLatest = async (waitMs: number) => {
    ends.at(-1)?.('ended with code 1')
    await vi.advanceTimersByTimeAsync(waitMs)
  }
  return { said, givenUp, stopped, ends, stop, endLatest }
}

describe('keepRunning', () => {
  test('restarts a child that ended, and shows its last lines', async () => {
    const { ends, said, endLatest } = supervise(3)
    await endLatest(backoffMs(1))
    expect(ends).toHaveLength(2)
    expect(said.join()).toContain('The worker ended with code 1. Its last lines:\n    out of memory')
  })

  test('gives up after too many crashes within a minute', async () => {
    const { ends, givenUp, endLatest } = supervise(3)
    for (let round = 1; round <= 3; round += 1) await endLatest(10_000)
    expect(ends).toHaveLength(3)
    expect(givenUp.map(({ message }) => message).join()).toContain('3 times within a minute')
  })

  test('does not count crashes that are more than a minute apart', async () => {
    const { ends, givenUp, endLatest } = supervise(2)
    for (let round = 1; round <= 4; round += 1) await endLatest(61_000)
    expect(ends).toHaveLength(5)
    expect(givenUp).toEqual([])
  })

  test('restarts nothing once it is stopped', async () => {
    const { ends, stopped, stop, endLatest } = supervise(3)
    await stop()
    await endLatest(60_000)
    expect(stopped).toEqual([1])
    expect(ends).toHaveLength(1)
  })

  test('does not restart a child when it is stopped during the backoff', async () => {
    const { ends, stop, endLatest } = supervise(3)
    await endLatest(0)
    await stop()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(ends).toHaveLength(1)
  })
})

describe('backoffMs', () => {
  test.each([
    [1, 500],
    [2, 1_000],
    [4, 4_000],
    [20, 30_000],
  ])('after %i crashes within a minute it waits %i ms', (ends, ms) => {
    expect(backoffMs(ends)).toBe(ms)
  })
})
