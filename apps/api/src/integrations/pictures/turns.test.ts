import { describe, expect, it } from 'vitest'
import { createTurns } from './turns.ts'

/** Work that says when it begins and ends when it is told. */
function createWork(begun: string[]) {
  return (name: string) => {
    const { promise, resolve, reject } = Promise.withResolvers<string>()
    const run = () => {
      begun.push(name)
      return promise
    }
    return { run, end: () => resolve(name), fail: () => reject(new Error(name)) }
  }
}

describe('createTurns', () => {
  it('lets no more begin than may run at once', () => {
    const begun: string[] = []
    const work = createWork(begun)
    const turn = createTurns(2)
    for (const name of ['a', 'b', 'c']) void turn(work(name).run)
    expect(begun).toEqual(['a', 'b'])
  })

  it('lets the first that waits go next', async () => {
    const begun: string[] = []
    const work = createWork(begun)
    const turn = createTurns(1)
    const [a, b, c] = [work('a'), work('b'), work('c')]
    const all = [a, b, c].map(({ run }) => turn(run))
    a.end()
    expect(await all[0]).toBe('a')
    b.end()
    expect(await all[1]).toBe('b')
    c.end()
    expect(await all[2]).toBe('c')
    expect(begun).toEqual(['a', 'b', 'c'])
  })

  it('passes the turn on when work fails', async () => {
    const begun: string[] = []
    const work = createWork(begun)
    const turn = createTurns(1)
    const [a, b] = [work('a'), work('b')]
    const [first, second] = [turn(a.run), turn(b.run)]
    a.fail()
    await expect(first).rejects.toThrow('a')
    b.end()
    expect(await second).toBe('b')
  })

  it('begins at once again when all is done', async () => {
    const begun: string[] = []
    const work = createWork(begun)
    const turn = createTurns(1)
    const a = work('a')
    a.end()
    await turn(a.run)
    void turn(work('b').run)
    expect(begun).toEqual(['a', 'b'])
  })
})
