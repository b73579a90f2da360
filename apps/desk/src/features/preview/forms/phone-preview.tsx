import '@tidings/ui/styles/memo.css'
import '@tidings/ui/styles/picture.css'
import '@tidings/ui/styles/prose.css'
import './phone.css'
import { Heart } from '@tidings/ui/heart'
import { MemoRow, memoRowId } from '@tidings/ui/memo-row'
import { type MouseEvent, memo, useCallback, useLayoutEffect, useRef, useState } from 'react'
import { useDeskConfig } from '#lib/desk-context.ts'
import { differing } from '#lib/saving/text-fields.ts'
import { useNow } from '#lib/time/use-now.ts'
import { dayText } from '#lib/time/zoned-time.ts'
import type { PreviewedEdition, PreviewedMemo } from '../rendering/previewed-edition.ts'
import { shownMemo } from './shown-memo.ts'

/** The edition on a phone, as the site shows it, with the memo that is being written unfolded. */
export function PhonePreview({ edition: { day, slot, memos, openId } }: { edition: PreviewedEdition }) {
  const { siteName, slots } = useDeskConfig()
  const now = useNow()
  const page = useRef<HTMLDivElement>(null)
  const [openIds, setOpenIds] = useState(() => idsOf(openId))
  const [lastId, setLastId] = useState(openId)
  // In the same frame as the text, so that nothing jumps.
  if (lastId !== openId) {
    setLastId(openId)
    setOpenIds(idsOf(openId))
  }
  const toggle = useCallback((id: string) => {
    setOpenIds((open) =>
      open.has(id) ? new Set([...open].filter((each) => each !== id)) : new Set([...open, id]),
    )
  }, [])
  // Only at first: a picture that is chosen later doesn't hide what is read beside it.
  const [wasRead, setRead] = useState(false)
  const isRead = wasRead || memos.every(({ pictureUrl }) => pictureUrl !== undefined)
  if (isRead && !wasRead) setRead(true)
  const viewHeight = useCallback(() => page.current?.clientHeight ?? 0, [])
  const place = memos.findIndex(({ id }) => id === openId)
  useLayoutEffect(() => {
    if (openId !== null && openIds.has(openId)) showRow(page.current, openId, place === 0)
    // Only another memo moves the page: it stays where it is while one is written.
  }, [openId, openIds.has(openId ?? '')])
  return (
    <div className="preview-phone">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: its links are the targets, not the page */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: keys click the links too */}
      <div className="preview-page" ref={page} onClick={openLinkApart}>
        <div className="preview-masthead">
          <p>{siteName}</p>
          <p className="preview-date">{dayText(day, { weekday: undefined })}</p>
          <p className="preview-slots">
            {slots.map(({ label }) => (
              <span key={label} data-shown={label === slot}>
                {label}
              </span>
            ))}
          </p>
        </div>
        <ul className="memos" aria-busy={!isRead}>
          {memos.map((each) => (
            <PreviewedRow
              key={each.id}
              previewed={each}
              now={each.note === '' ? null : now}
              isOpen={openIds.has(each.id)}
              onToggle={toggle}
              viewHeight={viewHeight}
            />
          ))}
        </ul>
        <p className="preview-end">That is the {slot} edition.</p>
      </div>
    </div>
  )
}

type RowProps = {
  previewed: PreviewedMemo
  /** The time of a note that readers don't have yet; null without one. */
  now: Date | null
  isOpen: boolean
  onToggle: (id: string) => void
  viewHeight: () => number
}

/** A memo on the phone. A key in one memo doesn't render the others again. */
const PreviewedRow = memo(
  ({ previewed, now, ...rest }: RowProps) => (
    <MemoRow
      memo={shownMemo(previewed, now ?? new Date(0))}
      isRead={false}
      entranceMs={0}
      like={
        <span className="like" aria-hidden="true">
          <Heart isFilled={false} />
          <span>{previewed.counter}</span>
        </span>
      }
      {...rest}
    />
  ),
  ({ previewed, now, ...one }, { previewed: next, now: nextNow, ...other }) =>
    now?.getTime() === nextNow?.getTime() &&
    differing(previewed, next).length === 0 &&
    differing(next, previewed).length === 0 &&
    one.isOpen === other.isOpen &&
    one.onToggle === other.onToggle &&
    one.viewHeight === other.viewHeight,
)

function idsOf(id: string | null): ReadonlySet<string> {
  return new Set(id === null ? [] : [id])
}

/** Scrolls to the title of a memo; for the first, to the top. */
function showRow(page: HTMLElement | null, id: string, isFirst: boolean): void {
  const row = page?.querySelector(`[id="${memoRowId(id)}"]`)
  if (page === null || !(row instanceof HTMLElement)) return
  page.scrollTop = isFirst ? 0 : row.offsetTop
}

/** A link must not lead away from the desk, where words may not be saved yet. */
function openLinkApart(event: MouseEvent<HTMLElement>): void {
  const link = event.target instanceof Element ? event.target.closest('a') : null
  if (link === null) return
  event.preventDefault()
  window.open(link.href, '_blank', 'noopener')
}
