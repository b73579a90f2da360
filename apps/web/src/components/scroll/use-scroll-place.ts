import { useRouteContext } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import { parseJson } from '#lib/api/json.ts'
import { useServices } from '#lib/services/services.tsx'
import { findAnchor, followScroll, type ScrollAnchor, scrollAnchor } from './scroll-anchor.ts'

type Options = {
  /** Name of what is read, for this browser session. */
  name: string
  /** Returns the rows that are in the page, in order. */
  rows: () => readonly { id: string; element: Element }[]
  /** Scrolls to where the reader was. */
  restore: (anchor: NonNullable<ScrollAnchor>) => void
}

/**
 * Keeps the reader's scroll position for this browser session, and restores it after a reload and on the way back or
 * forward. A link leads to the top. Use it where the rows are in the page from the first render.
 */
export function useScrollPlace({ name, rows, restore }: Options): void {
  const { sessionStore } = useServices()
  const { arrival } = useRouteContext({ from: '__root__' })
  const storeKey = `tidings:place:${name}`
  const [found] = useState(() => scrollAnchor.safeParse(parseJson(sessionStore.get(storeKey) ?? '')).data)
  const place = useRef<ScrollAnchor>(arrival.isByLink ? null : (found ?? null))
  const rowsNow = useEffectEvent(rows)
  const restoreNow = useEffectEvent(restore)

  useLayoutEffect(() => {
    if (place.current !== null) restoreNow(place.current)
  }, [])

  useEffect(() => {
    function record() {
      place.current = findAnchor(rowsNow())
    }
    return followScroll(record, () => sessionStore.set(storeKey, JSON.stringify(place.current)))
  }, [sessionStore, storeKey])
}
