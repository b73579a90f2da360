import { useRouteContext, useRouter } from '@tanstack/react-router'
import { memoRowId } from '@tidings/ui/memo-row'
import { saveReadingPlace } from '../features/news/memos/reading-place.ts'
import { SearchScreen } from '../features/search/search-screen.tsx'
import { useServices } from '../lib/services/services.tsx'

const rowOffsetPx = 24

/** The search, whose results open their memo in its edition. */
export function FoundMemos() {
  const { sessionStore } = useServices()
  const { history } = useRouter()
  const { arrival } = useRouteContext({ from: '__root__' })
  return (
    <SearchScreen
      onOpenMemo={(editionKey, memoId) => {
        const anchor = { rowId: memoRowId(memoId), offsetPx: rowOffsetPx }
        saveReadingPlace(sessionStore, editionKey, { openIds: [memoId], anchor })
        // The edition then opens at the saved place, as on the way back.
        const stop = history.subscribe(({ location }) => {
          stop()
          if (location.pathname.endsWith(editionKey)) arrival.isByLink = false
        })
      }}
    />
  )
}
