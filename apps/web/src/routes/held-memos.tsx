import { useNavigate } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useState } from 'react'
import { isPageScrolled } from '../components/page-scroll.ts'
import { NewMemoLine } from '../features/live-feed/new-memo-line.tsx'
import { memoRowId } from '../features/memos/memo-row.tsx'
import { useLiveNews } from './live-news.tsx'

/** Memos that wait for the reader: a quiet line, which shows them or leads to their edition. */
export function HeldMemos({
  editionKey,
  shownIds,
}: {
  editionKey: string | null
  shownIds: readonly string[]
}) {
  const { held, setShown, showHeld } = useLiveNews()
  const navigate = useNavigate()
  const [revealedId, setRevealedId] = useState<string | null>(null)
  const waiting = held.filter(({ memoId }) => !shownIds.includes(memoId))
  const here = waiting.filter((arrival) => arrival.editionKey === editionKey)
  const elsewhere = waiting.find(
    (arrival) =>
      arrival.editionKey !== editionKey && arrival.editionKey.slice(0, 8) === editionKey?.slice(0, 8),
  )
  const flush = useEffectEvent(() => {
    if (editionKey !== null) showHeld(editionKey)
  })

  useEffect(() => {
    setShown(editionKey)
    flush()
    return () => setShown(null)
  }, [editionKey, setShown])

  const isHolding = here.length > 0
  useEffect(() => {
    if (!isHolding) return
    // Back at the top nothing is being read that could move.
    function followScroll() {
      if (!isPageScrolled()) flush()
    }
    window.addEventListener('scroll', followScroll, { capture: true, passive: true })
    return () => window.removeEventListener('scroll', followScroll, { capture: true })
  }, [isHolding])

  const isRevealed = revealedId !== null && shownIds.includes(revealedId)
  useEffect(() => {
    if (!isRevealed || revealedId === null) return
    const row = document.getElementById(memoRowId(revealedId))
    row?.scrollIntoView({ block: 'nearest' })
    row?.querySelector('button')?.focus({ preventScroll: true })
    setRevealedId(null)
  }, [isRevealed, revealedId])

  const firstHere = here[0]
  if (firstHere !== undefined && editionKey !== null) {
    return (
      <NewMemoLine
        onShow={() => {
          setRevealedId(firstHere.memoId)
          showHeld(editionKey)
        }}
      />
    )
  }
  if (elsewhere === undefined) return null
  return (
    <NewMemoLine
      onShow={() => {
        void navigate({ to: '/edition/$timestamp', params: { timestamp: elsewhere.editionKey } })
      }}
    />
  )
}
