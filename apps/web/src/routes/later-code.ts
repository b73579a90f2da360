import { createLazyRoute } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { loadChunk } from '../lib/chunk.ts'

/**
 * A screen whose code is fetched when it is first asked for, before it is shown.
 * @throws {ChunkLoadError} from the result, when the code does not arrive
 */
export function laterCode(load: () => Promise<() => ReactNode>) {
  return async () => createLazyRoute('/')({ component: await loadChunk(load) })
}
