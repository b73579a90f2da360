import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useOffer } from '../live-feed/offered-memo.tsx'
import { KeepPlace } from '../memos/keep-place.tsx'
import { useLiveMemos } from './live-memos.tsx'

type Offer = { text: string; onShow: () => void }

type NewMemoPromptProps = {
  editionKey: string | null
  /** A newer edition than the one that is shown, which came out while the page was open. */
  newer: { editionKey: string; text: string } | null
}

/** The line at the top that leads to a new memo of the edition on the screen, or to another edition. */
export function NewMemoPrompt({ editionKey, newer }: NewMemoPromptProps) {
  const { elsewhere, setShown } = useLiveMemos()
  const { isOffered, show, showLater } = useOffer()
  const navigate = useNavigate()

  useEffect(() => {
    setShown(editionKey)
    return () => setShown(null)
  }, [editionKey, setShown])

  const offer = findOffer()
  return (
    <>
      <KeepPlace of={offer === null} />
      {offer === null ? null : (
        <button type="button" className="new-memo-button" onClick={offer.onShow}>
          {offer.text}
        </button>
      )}
    </>
  )

  function findOffer(): Offer | null {
    if (isOffered) return { text: 'New memo', onShow: show }
    if (newer !== null) return { text: newer.text, onShow: () => open(newer.editionKey) }
    if (elsewhere === null || elsewhere.editionKey.slice(0, 8) !== editionKey?.slice(0, 8)) return null
    const { slot, memoId, isNewEdition } = elsewhere
    return {
      text: isNewEdition ? `The ${slot} edition is here` : 'New memo',
      onShow() {
        if (!isNewEdition) showLater(memoId)
        open(elsewhere.editionKey)
      },
    }
  }

  function open(timestamp: string) {
    void navigate({ to: '/edition/$timestamp', params: { timestamp } })
  }
}
