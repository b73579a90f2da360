import { limits } from '@tidings/contracts/limits'
import { messages } from '@tidings/contracts/messages'

/** A part of the page's code did not arrive: gone after a new release, offline, or too slow. */
export class ChunkLoadError extends Error {
  override readonly name = 'ChunkLoadError'

  constructor(cause?: unknown) {
    super(messages.chunkFailed, { cause })
  }
}

/**
 * Waits for a part of the page's code, for 120 seconds at most.
 * @throws {ChunkLoadError}
 */
export async function loadChunk<T>(load: () => Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new ChunkLoadError()), limits.chunkTimeoutMs)
  try {
    return await Promise.race([load(), late.promise])
  } catch (error) {
    throw error instanceof ChunkLoadError ? error : new ChunkLoadError(error)
  } finally {
    clearTimeout(timer)
  }
}
