import { type ReactNode, useEffect, useState } from 'react'
import { loadChunk } from '../lib/chunk.ts'
import { whenIdle } from '../lib/idle.ts'

type Comments = (props: { channel: string }) => ReactNode

/** The comments of a channel. Their code is fetched once the page is idle; a page without them is still whole. */
export function LazyComments({ channel }: { channel: string }) {
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
  }, [])
  return Loaded === null ? null : <Loaded channel={channel} />
}
