import { Link } from '@tanstack/react-router'
import { parseWireDate } from '@tidings/contracts/edition-key'
import type { SearchResult } from '@tidings/contracts/search'
import { formatDay, localDate } from '#lib/format/calendar.ts'
import { directionOf } from '#lib/prose/text-direction.ts'
import { useServices } from '#lib/services/services.tsx'
import { FoundText } from './found-text.tsx'

type ResultRowProps = {
  result: SearchResult
  /** Prepares the news screen to open this memo. */
  onOpenMemo: (editionKey: string, memoId: string) => void
}

/** One result: the title as a link, the part that matches, and where it appeared. */
export function ResultRow({ result, onOpenMemo }: ResultRowProps) {
  const { clock } = useServices()
  const date = parseWireDate(result.date)
  const day = date === null ? '' : formatDay(date, localDate(clock.now()))
  const title = <FoundText parts={result.title} />
  return (
    <li className="result">
      <h2 lang={result.language} dir={directionOf(result.language)}>
        {result.kind === 'memo' ? (
          <Link
            to="/edition/$timestamp"
            params={{ timestamp: `${result.date}-${result.time_stamp}` }}
            onClick={() => onOpenMemo(`${result.date}-${result.time_stamp}`, result._id)}
          >
            {title}
          </Link>
        ) : (
          <Link to="/viewgated/$gatedID" params={{ gatedID: result._id }}>
            {title}
          </Link>
        )}
      </h2>
      <p className="result-text" lang={result.language} dir={directionOf(result.language)}>
        <FoundText parts={result.text} />
      </p>
      <p className="result-place">
        {result.kind === 'memo' ? `${day}, ${result.time_stamp}` : `Article, ${day}`}
      </p>
    </li>
  )
}
