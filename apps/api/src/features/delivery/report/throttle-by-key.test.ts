import { beforeEach, describe, expect, it, vi } from 'vitest'
import { throttleByKey } from './throttle-by-key.ts'

beforeEach(() => {
  vi.useFakeTimers()
  return () => vi.useRealTimers()
})

function throttled() {
  const runs: string[] = []
  const ask = throttleByKey(async (key: string) => void runs.push(key), 1_000)
  return { runs, ask }
}

describe('throttleByKey', () => {
  it('runs at once, and once more for all calls of a second', async () => {
    const { runs, ask } = throttled()
    for (let count = 0; count < 50; count += 1) ask('a')
    expect(runs).toEqual(['a'])

    await vi.advanceTimersByTimeAsync(999)
    expect(runs).toEqual(['a'])
    await vi.advanceTimersByTimeAsync(1)

    expect(runs).toEqual(['a', 'a'])
    await vi.advanceTimersByTimeAsync(10_000)
    expect(runs).toEqual(['a', 'a'])
  })

  it('runs at most once a second while it is called all the time', async () => {
    const { runs, ask } = throttled()
    for (let tenth = 0; tenth < 100; tenth += 1) {
      ask('a')
      await vi.advanceTimersByTimeAsync(100)
    }
    expect(runs).toHaveLength(11)
  })

  it('keeps keys apart, and runs at once again after a quiet second', async () => {
    const { runs, ask } = throttled()
    ask('a')
    ask('b')
    await vi.advanceTimersByTimeAsync(1_000)
    ask('a')

    expect(runs).toEqual(['a', 'b', 'a'])
  })
})
