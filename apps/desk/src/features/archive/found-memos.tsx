import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { FoundMemo } from '@tidings/contracts/desk/memos'
import { ListEnd } from '#components/list-end.tsx'
import { useZones } from '#lib/desk-context.ts'
import { editionPath } from '#lib/desk-paths.ts'
import { useNow } from '#lib/time/use-now.ts'
import { dayIn, dayText } from '#lib/time/zoned-time.ts'
import { type ArchiveSearch, memoPages } from './archive-calls.ts'
import { markWords, placeOf, stateOf } from './archive-words.ts'

/** The memos with the words of the search, which are marked. */
export function FoundMemos({ search, words }: { search: ArchiveSearch; words: string }) {
  const list = useInfiniteQuery({ ...memoPages(search), placeholderData: keepPreviousData })
  const memos = list.data?.pages.flatMap(({ data }) => data) ?? []
  return (
    <section aria-label="Found memos">
      <p role="status" className="meta archive-count">
        {list.isSuccess && countText(memos.length, list.hasNextPage)}
      </p>
      <ul className="archive-rows">
        {memos.map((memo) => (
          <MemoRow key={memo.id} memo={memo} words={words} />
        ))}
      </ul>
      <ListEnd list={list} loading="Searching…" />
      <p className="meta archive-note">
        Search reads titles, texts, captions, notes and sources of every status. <kbd>/</kbd> comes here.
      </p>
    </section>
  )
}

function MemoRow({ memo, words }: { memo: FoundMemo; words: string }) {
  const { site } = useZones()
  const thisYear = dayIn(useNow(), site).year
  const { day, slot } = placeOf(memo.edition, thisYear)
  const { mark, text } = stateOf(memo)
  const saved = dayIn(new Date(memo.updatedAt), site)
  const savedText = dayText(saved, {
    weekday: undefined,
    year: saved.year === thisYear ? undefined : 'numeric',
  })
  return (
    <li className="archive-memo">
      <span className="archive-day">{day}</span>
      <span>{slot}</span>
      <div className="archive-words">
        <Link to={editionPath(memo.edition, memo.id)} className="archive-title">
          {memo.title === '' ? <i>No title yet</i> : <Marked text={memo.title} words={words} />}
        </Link>
        <p>
          <Marked text={memo.excerpt} words={words} />
        </p>
      </div>
      <span className={mark === 'held' ? 'archive-state urgent' : 'archive-state'}>
        <span className={`mark mark-${mark}`} aria-hidden="true" /> {text}
      </span>
      <span className="meta archive-saved">
        {memo.savedBy === '' ? savedText : `${memo.savedBy}, ${savedText}`}
      </span>
    </li>
  )
}

function Marked({ text, words }: { text: string; words: string }) {
  return markWords(text, words).map((piece) =>
    piece.isFound ? <mark key={piece.at}>{piece.text}</mark> : piece.text,
  )
}

function countText(count: number, hasMore: boolean): string {
  if (count === 0) return 'No memo has these words.'
  if (hasMore) return `The newest ${count} memos`
  return count === 1 ? '1 memo' : `${count} memos`
}
