import { describe, expect, it } from 'vitest'
import { createLifetime } from './lifetime.ts'

function recorder() {
  const order: string[] = []
  return { order, ending: (name: string) => async () => void order.push(name) }
}

describe('createLifetime', () => {
  it('ends the last beginning first', async () => {
    const { order, ending } = recorder()
    const lifetime = createLifetime()
    lifetime.atEnd(ending('database'))
    lifetime.atEnd(ending('server'))
    await lifetime.end()
    expect(order).toEqual(['server', 'database'])
  })

  it('ends the rest when one end fails, and tells of it', async () => {
    const { order, ending } = recorder()
    const lifetime = createLifetime()
    const failure = new Error('will not stop')
    lifetime.atEnd(ending('database'))
    lifetime.atEnd(() => Promise.reject(failure))
    expect(await lifetime.end()).toEqual([failure])
    expect(order).toEqual(['database'])
  })

  it('ends only once', async () => {
    const { order, ending } = recorder()
    const lifetime = createLifetime()
    lifetime.atEnd(ending('database'))
    await Promise.all([lifetime.end(), lifetime.end()])
    expect(order).toEqual(['database'])
  })

  it('ends a part of it as soon as that part is done, even when it fails', async () => {
    const { order, ending } = recorder()
    const lifetime = createLifetime()
    lifetime.atEnd(ending('database'))
    const part = lifetime.within(async (inner) => {
      inner.atEnd(ending('server'))
      throw new Error('no answer')
    })
    await expect(part).rejects.toThrow('no answer')
    expect(order).toEqual(['server'])
  })

  it('ends a part that is still going on with the whole', async () => {
    const { order, ending } = recorder()
    const lifetime = createLifetime()
    const { promise, resolve } = Promise.withResolvers<void>()
    const part = lifetime.within(async (inner) => {
      inner.atEnd(ending('server'))
      await promise
    })
    await lifetime.end()
    expect(order).toEqual(['server'])
    resolve()
    await part
  })
})

describe('a lifetime that has ended', () => {
  it('ends at once what is begun late', async () => {
    const { promise, resolve } = Promise.withResolvers<string>()
    const lifetime = createLifetime()
    await lifetime.end()
    lifetime.atEnd(async () => resolve('ended'))
    expect(await promise).toBe('ended')
  })

  it('begins no further part', async () => {
    const lifetime = createLifetime()
    await lifetime.end()
    await expect(lifetime.within(async () => 'begun')).rejects.toThrow('ending')
  })
})
