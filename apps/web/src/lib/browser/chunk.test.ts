import { describe, expect, it, vi } from 'vitest'
import { ChunkLoadError, loadChunk } from './chunk.ts'

describe('loadChunk', () => {
  it('returns the loaded chunk', async () => {
    await expect(loadChunk(() => Promise.resolve('a screen'))).resolves.toBe('a screen')
  })

  it('turns a missing chunk into a ChunkLoadError', async () => {
    const loading = loadChunk(() => Promise.reject(new TypeError('Failed to fetch')))
    await expect(loading).rejects.toMatchObject({ name: 'ChunkLoadError', message: 'Loading chunk failed' })
  })

  it('times out after 120 seconds', async () => {
    vi.useFakeTimers()
    const failure = loadChunk(() => new Promise(() => {})).catch((error: unknown) => error)
    await vi.advanceTimersByTimeAsync(119_999)
    const early = await Promise.race([failure, Promise.resolve('still waiting')])
    expect(early).toBe('still waiting')
    await vi.advanceTimersByTimeAsync(1)
    expect(await failure).toBeInstanceOf(ChunkLoadError)
  })
})
