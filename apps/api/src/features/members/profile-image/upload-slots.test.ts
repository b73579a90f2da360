import { expect, it } from 'vitest'
import { createUploadSlots } from './upload-slots.ts'

const refusal = { code: 'too-many-requests', status: 429, headers: { 'Retry-After': '2' } }

/** Uploads that go on until they are ended. */
function createUploads() {
  const slots = createUploadSlots({ ofOneMember: 2, inAll: 3 })
  return function begin(memberId: string) {
    const { promise, resolve, reject } = Promise.withResolvers<string>()
    return { done: slots(memberId, () => promise), end: () => resolve(memberId), fail: reject }
  }
}

it('a member has few uploads at a time, and another one once one has ended', async () => {
  const begin = createUploads()
  const [first] = [begin('ann'), begin('ann')]
  await expect(begin('ann').done).rejects.toMatchObject(refusal)
  first.end()
  expect(await first.done).toBe('ann')
  const next = begin('ann')
  next.end()
  expect(await next.done).toBe('ann')
})

it('all members together have few as well, and another one once one has failed', async () => {
  const begin = createUploads()
  const [first] = [begin('ann'), begin('ben'), begin('cy')]
  await expect(begin('dan').done).rejects.toMatchObject(refusal)
  first.fail(new Error('broken off'))
  await expect(first.done).rejects.toThrow('broken off')
  const next = begin('dan')
  next.end()
  expect(await next.done).toBe('dan')
})
