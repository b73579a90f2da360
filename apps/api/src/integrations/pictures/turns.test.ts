import { describe, expect, it } from 'vitest'
import type { PictureUse } from './picture-encoder.ts'
import { createTurns, type TurnLimits } from './turns.ts'

const busy = { code: 'service-busy', status: 503, headers: { 'Retry-After': '2' } }
const patient = { waiting: 10, waitMs: 60_000 }

/** Work that says when it begins and ends when it is told. */
function createWork(limits: Partial<TurnLimits> = {}) {
  const turn = createTurns({ editorial: patient, profile: patient, ...limits })
  const begun: string[] = []
  function begin(name: string, use: PictureUse = 'profile') {
    const { promise, resolve, reject } = Promise.withResolvers<string>()
    const done = turn(use, () => {
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

describe('createTurns', () => {
  it('lets one at a time begin, first come first served', async () => {
    const { begun, begin } = createWork()
    const [a, b] = [begin('a'), begin('b'), begin('c')]
    await expect.poll(() => begun).toEqual(['a'])
    await a.end()
    await expect.poll(() => begun).toEqual(['a', 'b'])
    await b.end()
    await expect.poll(() => begun).toEqual(['a', 'b', 'c'])
  })

  it('lets an editor begin at once while a member is at it', async () => {
    const { begun, begin } = createWork()
    for (const name of ['a', 'b']) begin(name)
    begin('editor', 'editorial')
    await expect.poll(() => begun).toEqual(['a', 'editor'])
  })

  it('lets members wait until no editor waits or is at it', async () => {
    const { begun, begin } = createWork()
    const [first, second] = [begin('first', 'editorial'), begin('second', 'editorial'), begin('a')]
    await first.end()
    await expect.poll(() => begun).toEqual(['first', 'second'])
    await second.end()
    await expect.poll(() => begun).toEqual(['first', 'second', 'a'])
  })

  it('passes the turn on when work fails', async () => {
    const { begun, begin } = createWork()
    const [a] = [begin('a'), begin('b')]
    a.fail()
    await expect(a.done).rejects.toThrow('a')
    await expect.poll(() => begun).toEqual(['a', 'b'])
  })

  it('refuses whoever finds as many waiting as may, and takes the next once one has begun', async () => {
    const { begun, begin } = createWork({ profile: { waiting: 1, waitMs: 60_000 } })
    const [a] = [begin('a'), begin('b')]
    await expect(begin('c').done).rejects.toMatchObject(busy)
    await a.end()
    begin('d')
    await expect.poll(() => begun).toEqual(['a', 'b'])
  })

  it('refuses whoever has waited as long as may be, and leaves no gap', async () => {
    const { begun, begin } = createWork({ profile: { waiting: 10, waitMs: 1 } })
    const editor = begin('editor', 'editorial')
    await expect(begin('a').done).rejects.toMatchObject(busy)
    await editor.end()
    begin('b')
    await expect.poll(() => begun).toEqual(['editor', 'b'])
  })
})
