import { useNavigate } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useState } from 'react'
import { isPageScrolled } from '#components/page-scroll.ts'
import { NewMemoButton } from '../live-feed/new-memo-button.tsx'
import { memoRowId } from '../memos/memo-row.tsx'
import { useLiveMemos } from './live-memos.tsx'

type NewMemoPromptProps = {
  editionKey: string | null
  shownIds: readonly string[]
  /** A newer edition than the one that is shown, which came out while the page was open. */
  newer: { editionKey: string; text: string } | null
}

/** Offers pending memos: a button that shows them here or opens their edition. */
export function NewMemoPrompt({ editionKey, shownIds, newer }: NewMemoPromptProps) {
  const { pending, setShown, showPending } = useLiveMemos()
  const navigate = useNavigate()
  const [revealedId, setRevealedId] = useState<string | null>(null)
  const hidden = pending.filter(({ memo }) => !shownIds.includes(memo.id))
  const here = hidden.filter((arrival) => arrival.editionKey === editionKey)
  const elsewhere = hidden.find(
    (arrival) =>
      arrival.editionKey !== editionKey && arrival.editionKey.slice(0, 8) === editionKey?.slice(0, 8),
  )
  const showHere = useEffectEvent(() => {
    if (editionKey !== null) showPending(editionKey)
  })

  useEffect(() => {
    setShown(editionKey)
    showHere()
    return () => setShown(null)
  }, [editionKey, setShown])

  const hasPending = here.length > 0
  useEffect(() => {
    if (!hasPending) return
    // At the top of the page, a new memo moves nothing that is being read.
    function followScroll() {
      if (!isPageScrolled()) showHere()
    }
    window.addEventListener('scroll', followScroll, { capture: true, passive: true })
    return () => window.removeEventListener('scroll', followScroll, { capture: true })
  }, [hasPending])

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
      <NewMemoButton
        onShow={() => {
          setRevealedId(firstHere.memo.id)
          showPending(editionKey)
        }}
      />
    )
  }
  const offered = newer ?? elsewhere
  if (offered === undefined) return null
  return (
    <NewMemoButton
      {...(newer === null ? {} : { text: newer.text })}
      onShow={() => {
        void navigate({ to: '/edition/$timestamp', params: { timestamp: offered.editionKey } })
      }}
    />
  )
}
