import { type ReactNode, useEffect, useState } from 'react'
import { loadChunk } from '../browser/chunk.ts'
import { useServices } from './services.tsx'

/**
 * Returns a component whose code is fetched once the page is idle, and null before. A page without it is still whole.
 * @param load must not change between renders; null loads nothing
 */
export function useIdleComponent<Props>(load: (() => Promise<(props: Props) => ReactNode>) | null) {
  const { whenIdle } = useServices()
  const [Loaded, setLoaded] = useState<((props: Props) => ReactNode) | null>(null)
  useEffect(() => {
    if (load === null) return
    let isGone = false
    const cancel = whenIdle(() => {
      loadChunk(load).then(
        (loaded) => {
          if (!isGone) setLoaded(() => loaded)
        },
        () => undefined,
      )
    })
    return () => {
      isGone = true
      cancel()
    }
  }, [whenIdle, load])
  return Loaded
}
