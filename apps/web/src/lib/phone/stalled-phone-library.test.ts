import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { phoneLibraryInTime, toStoredPhone } from './phone-numbers.ts'

const chunk = vi.hoisted(() => Promise.withResolvers<void>())

// A chunk that is on its way for long.
vi.mock('./phone-library.ts', async (load) => {
  await chunk.promise
  return await load()
})

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('the phone library is waited for once, for five seconds, until it has loaded', async () => {
  const first = phoneLibraryInTime()
  await vi.advanceTimersByTimeAsync(5000)
  await expect(first).resolves.toBeNull()
  // No time passes any more.
  await expect(toStoredPhone('213 373 4253', 'US')).resolves.toBe('213 373 4253')
  chunk.resolve()
  await vi.waitFor(async () => expect(await toStoredPhone('213 373 4253', 'US')).toBe('+12133734253'))
})
