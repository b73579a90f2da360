import { expect, test } from 'vitest'
import { createDueQueue } from './due-queue.ts'

test('what is due first comes out first, and of two at a time the lower rank', () => {
  const queue = createDueQueue<string>()
  queue.add({ at: 3, rank: 0, task: 'd' })
  queue.add({ at: 1, rank: 5, task: 'b' })
  queue.add({ at: 2, rank: 0, task: 'c' })
  queue.add({ at: 1, rank: 0, task: 'a' })
  queue.add({ at: 9, rank: 0, task: 'e' })
  expect(Array.from({ length: 6 }, () => queue.take()?.task)).toEqual(['a', 'b', 'c', 'd', 'e', undefined])
})
