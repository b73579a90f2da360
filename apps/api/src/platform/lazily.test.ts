import { expect, it } from 'vitest'
import { lazily } from './lazily.ts'

it('loads once for all calls, and again after a failed load', async () => {
  let loads = 0
  const open = lazily(async () => {
    loads += 1
    if (loads === 1) throw new Error('The first load fails.')
    return loads
  })
  await expect(open()).rejects.toThrow('The first load fails.')
  expect(await Promise.all([open(), open()])).toEqual([2, 2])
  expect(await open()).toBe(2)
})
