import { createContext, type ReactNode, use, useCallback, useEffect, useMemo, useState } from 'react'

type OfferedMemo = {
  /** Whether the list on the screen has a new memo that the reader has not seen. */
  isOffered: boolean
  /** Leads to the offered memo. */
  show: () => void
  /** Leads to a memo once its edition is on the screen. */
  showLater: (memoId: string) => void
}

type Internals = OfferedMemo & {
  laterId: string | null
  setOffer: (offer: { show: () => void } | null) => void
  forgetLater: () => void
}

const OfferedMemoContext = createContext<Internals | null>(null)

/** Connects the list of memos with the line at the top that offers a new one. */
export function OfferedMemoProvider({ children }: { children: ReactNode }) {
  const [offer, setOffer] = useState<{ show: () => void } | null>(null)
  const [laterId, setLaterId] = useState<string | null>(null)
  const forgetLater = useCallback(() => setLaterId(null), [])
  const value = useMemo<Internals>(
    () => ({
      isOffered: offer !== null,
      show: () => offer?.show(),
      showLater: setLaterId,
      laterId,
      setOffer,
      forgetLater,
    }),
    [offer, laterId, forgetLater],
  )
  return <OfferedMemoContext value={value}>{children}</OfferedMemoContext>
}

/** Returns the offer of the list on the screen. */
export function useOffer(): OfferedMemo {
  return useInternals()
}

/**
 * Offers a memo of the list while the list is on the screen, and reveals the memo that the reader asked for elsewhere.
 * @param reveal must not change between renders
 */
export function useOfferedMemo(
  memoId: string | null,
  listed: readonly { id: string }[],
  reveal: (memoId: string) => void,
): void {
  const { setOffer, laterId, forgetLater } = useInternals()
  const isLaterHere = listed.some(({ id }) => id === laterId)
  useEffect(() => {
    if (memoId === null) return
    setOffer({ show: () => reveal(memoId) })
    return () => setOffer(null)
  }, [memoId, reveal, setOffer])
  useEffect(() => {
    if (laterId === null || !isLaterHere) return
    reveal(laterId)
    forgetLater()
  }, [laterId, isLaterHere, reveal, forgetLater])
}

function useInternals(): Internals {
  const offered = use(OfferedMemoContext)
  if (offered === null) throw new Error('An offered memo is used outside of an OfferedMemoProvider')
  return offered
}
