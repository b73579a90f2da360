import { useRouteContext } from '@tanstack/react-router'
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { isPageScrolled, pageView, scrollPageBy, scrollPageToTop } from '#components/page-scroll.ts'
import { useServices } from '#lib/services.tsx'
import { anchorOf, findReadingPlace, type ReadingPlace, saveReadingPlace } from './reading-place.ts'

/**
 * Keeps the reader's place in an edition for this browser session: saves the open memos and the scroll position, and
 * scrolls back to it after a reload and on the way back or forward. A link leads to the top.
 * @param list the list of the edition's rows
 */
export function useReadingPlace(editionKey: string, list: RefObject<HTMLElement | null>) {
  const { sessionStore } = useServices()
  const { arrival } = useRouteContext({ from: '__root__' })
  const [found] = useState(() => findReadingPlace(sessionStore, editionKey))
  const [isRestored] = useState(() => !arrival.isByLink && found.anchor !== null)
  const place = useRef<ReadingPlace>(found)

  useLayoutEffect(() => {
    if (arrival.isByLink) place.current = { ...place.current, anchor: null }
    else scrollTo(place.current.anchor)
  }, [arrival])

  useEffect(() => {
    function record() {
      if (list.current !== null) place.current = { ...place.current, anchor: findAnchor(list.current) }
    }
    const save = () => saveReadingPlace(sessionStore, editionKey, place.current)
    // A hidden tab may be discarded without another event.
    function recordAndSave() {
      record()
      save()
    }
    window.addEventListener('scroll', record, { capture: true, passive: true })
    window.addEventListener('pagehide', recordAndSave)
    document.addEventListener('visibilitychange', recordAndSave)
    return () => {
      window.removeEventListener('scroll', record, { capture: true })
      window.removeEventListener('pagehide', recordAndSave)
      document.removeEventListener('visibilitychange', recordAndSave)
      // The next screen is in the page already: the last recorded place counts.
      save()
    }
  }, [editionKey, list, sessionStore])

  return {
    openIds: found.openIds,
    /** Whether the reader is back in mid-edition, where nothing may move. */
    isRestored,
    saveOpenIds(openIds: ReadonlySet<string>) {
      place.current = { ...place.current, openIds: [...openIds] }
      saveReadingPlace(sessionStore, editionKey, place.current)
    },
  }
}

function findAnchor(list: HTMLElement): ReadingPlace['anchor'] {
  if (!isPageScrolled()) return null
  const { top: viewTop } = pageView()
  return anchorOf(
    [...list.children].map((row) => {
      const { top, bottom } = row.getBoundingClientRect()
      return { id: row.id, top: top - viewTop, bottom: bottom - viewTop }
    }),
  )
}

function scrollTo(anchor: ReadingPlace['anchor']): void {
  const row = anchor === null ? null : document.getElementById(anchor.rowId)
  if (anchor === null || row === null) scrollPageToTop()
  else scrollPageBy(row.getBoundingClientRect().top - pageView().top - anchor.offsetPx)
}
