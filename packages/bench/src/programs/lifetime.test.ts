import { describe, expect, it } from 'vitest'
import { createLifetime } from './lifetime.ts'

function recorder() {
  const order: string[] = []
  return { order, ending: (name: string) => async () => void order.push(name) }
}

describe('createLifetime', () => {
  it('stops in reverse order', async () => {
    const { order, ending } = recorder()
    const lifetime = createLifetime()
    lifetime.atEnd(ending('database'))
    lifetime.atEnd(ending('server'))
    await lifetime.end()
    expect(order).toEqual(['server', 'database'])
  })

  it('stops the rest after a failure, and returns the error', async () => {
    const { order, ending } = recorder()
    const lifetime = createLifetime()
    const failure = new Error('will not stop')
    lifetime.atEnd(ending('database'))
    lifetime.atEnd(() => Promise.reject(failure))
    expect(await lifetime.end()).toEqual([failure])
    expect(order).toEqual(['database'])
  })

  it('stops only once', async () => {
    const { order, ending } = recorder()
    const lifetime = createLifetime()
    lifetime.atEnd(ending('database'))
    await Promise.all([lifetime.end(), lifetime.end()])
    expect(order).toEqual(['database'])
  })

  it('stops a part as soon as it is done, even when it fails', async () => {
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

  it('stops a running part with the whole', async () => {
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
  it('stops a late start at once', async () => {
    const { promise, resolve } = Promise.withResolvers<string>()
    const lifetime = createLifetime()
    await lifetime.end()
    lifetime.atEnd(async () => resolve('ended'))
    expect(await promise).toBe('ended')
  })

  it('starts no further part', async () => {
    const lifetime = createLifetime()
    await lifetime.end()
    await expect(lifetime.within(async () => 'begun')).rejects.toThrow('ending')
  })
})
