import { limits } from '@tidings/contracts/limits'
import { messages } from '@tidings/contracts/membership/messages'

/** A chunk of the page's code did not load: gone after a new release, offline or too slow. */
export class ChunkLoadError extends Error {
  override readonly name = 'ChunkLoadError'

  constructor(cause?: unknown) {
    super(messages.chunkFailed, { cause })
  }
}

/**
 * Loads a chunk of the page's code, with a timeout of 120 seconds.
 * @throws {ChunkLoadError}
 */
export async function loadChunk<T>(load: () => Promise<T>): Promise<T> {
  const timeout = Promise.withResolvers<never>()
  const timer = setTimeout(() => timeout.reject(new ChunkLoadError()), limits.chunkTimeoutMs)
  try {
    return await Promise.race([load(), timeout.promise])
  } catch (error) {
    throw error instanceof ChunkLoadError ? error : new ChunkLoadError(error)
  } finally {
    clearTimeout(timer)
  }
}
