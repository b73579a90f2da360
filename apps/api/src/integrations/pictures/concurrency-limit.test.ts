import { describe, expect, it } from 'vitest'
import { createConcurrencyLimit, type QueueLimits } from './concurrency-limit.ts'
import type { PictureUse } from './picture-encoder.ts'

const busy = { code: 'service-busy', status: 503, headers: { 'Retry-After': '2' } }
const generous = { bytes: 100, waitMs: 60_000 }

/** Creates work that records when it begins and ends on demand. */
function createWork(limits: Partial<QueueLimits> = {}) {
  const limit = createConcurrencyLimit({ editorial: generous, profile: generous, ...limits })
  const begun: string[] = []
  function begin(name: string, use: PictureUse = 'profile', bytes = 10) {
    const { promise, resolve, reject } = Promise.withResolvers<string>()
    const done = limit(use, bytes, () => {
      begun.push(name)
      return promise
    })
    done.catch(() => undefined)
    const end = async () => {
      resolve(name)
      await done
    }
    return { done, end, fail: () => reject(new Error(name)) }
  }
  return { begun, begin }
}

describe('createConcurrencyLimit', () => {
  it('runs one call at a time, in order of arrival', async () => {
    const { begun, begin } = createWork()
    const [a, b] = [begin('a'), begin('b'), begin('c')]
    await expect.poll(() => begun).toEqual(['a'])
    await a.end()
    await expect.poll(() => begun).toEqual(['a', 'b'])
    await b.end()
    await expect.poll(() => begun).toEqual(['a', 'b', 'c'])
  })

  it("runs an editor's call after the member's that runs, before those that wait", async () => {
    const { begun, begin } = createWork()
    const [a] = [begin('a'), begin('b')]
    const editor = begin('editor', 'editorial')
    await expect.poll(() => begun).toEqual(['a'])
    await a.end()
    await expect.poll(() => begun).toEqual(['a', 'editor'])
    await editor.end()
    await expect.poll(() => begun).toEqual(['a', 'editor', 'b'])
  })

  it("queues members' calls while an editor's runs or waits", async () => {
    const { begun, begin } = createWork()
    const [first, second] = [begin('first', 'editorial'), begin('second', 'editorial'), begin('a')]
    await first.end()
    await expect.poll(() => begun).toEqual(['first', 'second'])
    await second.end()
    await expect.poll(() => begun).toEqual(['first', 'second', 'a'])
  })

  it('runs the next call after one fails', async () => {
    const { begun, begin } = createWork()
    const [a] = [begin('a'), begin('b')]
    a.fail()
    await expect(a.done).rejects.toThrow('a')
    await expect.poll(() => begun).toEqual(['a', 'b'])
  })

  it('rejects a call when the queue is full, and accepts one once a place is free', async () => {
    const { begun, begin } = createWork({ profile: { bytes: 25, waitMs: 60_000 } })
    const [a] = [begin('a', 'profile', 25), begin('b'), begin('c')]
    await expect(begin('d').done).rejects.toMatchObject(busy)
    begin('e', 'profile', 5)
    await a.end()
    begin('f')
    await expect.poll(() => begun).toEqual(['a', 'b'])
  })

  it('rejects a call that has waited too long, and runs the next one', async () => {
    const { begun, begin } = createWork({ profile: { bytes: 100, waitMs: 1 } })
    const editor = begin('editor', 'editorial')
    await expect(begin('a').done).rejects.toMatchObject(busy)
    await editor.end()
    begin('b')
    await expect.poll(() => begun).toEqual(['editor', 'b'])
  })
})
