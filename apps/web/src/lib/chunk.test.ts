import { describe, expect, it, vi } from 'vitest'
import { ChunkLoadError, loadChunk } from './chunk.ts'

describe('loadChunk', () => {
  it('answers what was loaded', async () => {
    await expect(loadChunk(() => Promise.resolve('a screen'))).resolves.toBe('a screen')
  })

  it('turns a missing part into a ChunkLoadError', async () => {
    const loading = loadChunk(() => Promise.reject(new TypeError('Failed to fetch')))
    await expect(loading).rejects.toMatchObject({ name: 'ChunkLoadError', message: 'Loading chunk failed' })
  })

  it('gives up after 120 seconds', async () => {
    vi.useFakeTimers()
    const failure = loadChunk(() => new Promise(() => {})).catch((error: unknown) => error)
    await vi.advanceTimersByTimeAsync(119_999)
    const early = await Promise.race([failure, Promise.resolve('still waiting')])
    expect(early).toBe('still waiting')
    await vi.advanceTimersByTimeAsync(1)
    expect(await failure).toBeInstanceOf(ChunkLoadError)
  })
})
