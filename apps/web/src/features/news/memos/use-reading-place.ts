import { useRouteContext } from '@tanstack/react-router'
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { findAnchor, followScroll, scrollToAnchor } from '#components/scroll/scroll-anchor.ts'
import { useServices } from '#lib/services/services.tsx'
import { findReadingPlace, type ReadingPlace, saveReadingPlace } from './reading-place.ts'

/**
 * Keeps the reader's place in an edition for this browser session: saves the open memos and the scroll position, and
 * scrolls back to it after a reload and on the way back or forward. A link leads to the top.
 * @param list the list of the edition's rows
 */
export function useReadingPlace(editionKey: string, list: RefObject<HTMLElement | null>) {
  const { sessionStore } = useServices()
  const { arrival } = useRouteContext({ from: '__root__' })
  const [found] = useState(() => findReadingPlace(sessionStore, editionKey))
  const [isRestored] = useState(() => arrival.hasTitles || (!arrival.isByLink && found.anchor !== null))
  const place = useRef<ReadingPlace>(found)

  useLayoutEffect(() => {
    // A page that was just opened is at its top already; scrolling it would delay its first paint.
    if (arrival.isFresh && place.current.anchor === null) return
    if (arrival.isByLink) place.current = { ...place.current, anchor: null }
    else scrollToAnchor(place.current.anchor, (id) => document.getElementById(id))
  }, [arrival])

  useEffect(() => {
    function record() {
      if (list.current === null) return
      const rows = [...list.current.children].map((element) => ({ id: element.id, element }))
      place.current = { ...place.current, anchor: findAnchor(rows) }
    }
    return followScroll(record, () => saveReadingPlace(sessionStore, editionKey, place.current))
  }, [editionKey, list, sessionStore])

  return {
    openIds: found.openIds,
    /** Whether the reader has the titles on the screen or is back in mid-edition, so that nothing may move. */
    isRestored,
    saveOpenIds(openIds: ReadonlySet<string>) {
      place.current = { ...place.current, openIds: [...openIds] }
      saveReadingPlace(sessionStore, editionKey, place.current)
    },
  }
}
