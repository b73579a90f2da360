import { type ReactNode, useEffect, useState } from 'react'
import { loadChunk } from '../lib/chunk.ts'
import { useServices } from '../lib/services.tsx'

type Comments = (props: { channel: string }) => ReactNode

/** The comments of a channel. Their code is fetched once the page is idle; a page without them is still whole. */
export function LazyComments({ channel }: { channel: string }) {
  const { whenIdle } = useServices()
  const [Loaded, setLoaded] = useState<Comments | null>(null)
  useEffect(() => {
    let isGone = false
    async function load() {
      const { Comments } = await loadChunk(() => import('../features/comments/comments.tsx'))
      if (!isGone) setLoaded(() => Comments)
    }
    const cancel = whenIdle(() => void load().catch(() => undefined))
    return () => {
      isGone = true
      cancel()
    }
  }, [whenIdle])
  return Loaded === null ? null : <Loaded channel={channel} />
}
