import { createLazyRoute } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { loadChunk } from '../lib/browser/chunk.ts'

/**
 * Returns the loader of a screen whose code is fetched on its first visit.
 * @throws {ChunkLoadError} from the loader, when the code does not arrive
 */
export function lazyScreen(load: () => Promise<() => ReactNode>) {
  return async () => createLazyRoute('/')({ component: await loadChunk(load) })
}
