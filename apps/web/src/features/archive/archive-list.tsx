import {
  defaultRangeExtractor,
  type Range,
  type ReactVirtualizer,
  useVirtualizer,
  useWindowVirtualizer,
} from '@tanstack/react-virtual'
import { type FocusEvent, useLayoutEffect, useRef, useState } from 'react'
import { frameOf, pageView, scrollPageBy } from '#components/scroll/page-scroll.ts'
import { useScrollPlace } from '#components/scroll/use-scroll-place.ts'
import { useIsFramed } from '#components/use-is-framed.ts'
import { localDate } from '#lib/format/calendar.ts'
import { useServices } from '#lib/services/services.tsx'
import { type ArchiveDay, indexOfMonth } from './archive-days.ts'
import { ArchiveJump } from './archive-jump.tsx'
import { ArchiveRow, rowId } from './archive-row.tsx'

type ListProps = { days: readonly ArchiveDay[] }

const rowRem = 3.5
const yearRem = 4.5
const overscan = 6

/** The dates, of which only those near the view are in the page. The window scrolls, or the page in the phone frame. */
export function ArchiveList({ days }: ListProps) {
  return useIsFramed() ? <FrameList days={days} /> : <WindowList days={days} />
}

function WindowList({ days }: ListProps) {
  const { options, ...list } = useListOptions(days)
  const virtualizer = useWindowVirtualizer<HTMLLIElement>(options)
  return <Rows days={days} list={list} virtualizer={virtualizer} />
}

function FrameList({ days }: ListProps) {
  const { options, ...list } = useListOptions(days)
  const virtualizer = useVirtualizer<HTMLElement, HTMLLIElement>({ ...options, getScrollElement: frameOf })
  return <Rows days={days} list={list} virtualizer={virtualizer} />
}

/** Returns the list's element, and the options that both kinds of scrolling share. */
function useListOptions(days: readonly ArchiveDay[]) {
  const { clock } = useServices()
  const thisYear = localDate(clock.now()).year
  const element = useRef<HTMLUListElement>(null)
  const [marginPx, setMarginPx] = useState(0)
  const focusedIndex = useRef(-1)

  // The elements above the list scroll with it.
  useLayoutEffect(() => {
    function measure() {
      const top = element.current?.getBoundingClientRect().top ?? 0
      setMarginPx(Math.round(top - pageView().top + (frameOf()?.scrollTop ?? window.scrollY)))
    }
    measure()
    window.addEventListener('resize', measure)
    return () => window.removeEventListener('resize', measure)
  }, [])

  const startsYear = (index: number) => {
    const year = days[index]?.date.year
    return year !== thisYear && year !== days[index - 1]?.date.year
  }
  const estimateSize = (index: number) => (rowRem + (startsYear(index) ? yearRem : 0)) * rootFontPx()

  return {
    element,
    startsYear,
    focusedIndex,
    options: {
      count: days.length,
      estimateSize,
      overscan,
      scrollMargin: marginPx,
      // A row without a layout has no height.
      measureElement: (row: HTMLLIElement) => row.offsetHeight || estimateSize(Number(row.dataset.index)),
      // The focused row stays in the page, so that the focus isn't lost.
      rangeExtractor(range: Range) {
        const indexes = defaultRangeExtractor(range)
        const focused = focusedIndex.current
        if (focused < 0 || focused >= range.count || indexes.includes(focused)) return indexes
        return [...indexes, focused].sort((a, b) => a - b)
      },
    },
  }
}

function rootFontPx(): number {
  return Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16
}

type RowsProps = ListProps & {
  list: Omit<ReturnType<typeof useListOptions>, 'options'>
  virtualizer: ReactVirtualizer<Window, HTMLLIElement> | ReactVirtualizer<HTMLElement, HTMLLIElement>
}

function Rows({ days, list: { element, startsYear, focusedIndex }, virtualizer }: RowsProps) {
  const bar = useRef<HTMLDivElement>(null)
  const { scrollMargin } = virtualizer.options
  const barPx = bar.current?.offsetHeight ?? 0
  const topIndex = virtualizer.getVirtualItemForOffset((virtualizer.scrollOffset ?? 0) + barPx)?.index ?? 0

  useScrollPlace({
    name: 'archive',
    rows: () => [...(element.current?.children ?? [])].map((row) => ({ id: row.id, element: row })),
    // Once it is mounted, the virtualizer scrolls to the top: this comes after that.
    restore: (anchor) => queueMicrotask(() => restorePlace(anchor)),
  })

  function restorePlace({ rowId: id, offsetPx }: { rowId: string; offsetPx: number }) {
    const index = days.findIndex(({ date }) => rowId(date) === id)
    const start = virtualizer.measurementsCache[index]?.start
    const listTop = element.current?.getBoundingClientRect().top
    if (start === undefined || listTop === undefined) return
    scrollPageBy(listTop - pageView().top + start - virtualizer.options.scrollMargin - offsetPx)
  }

  function jump(year: number, month: number) {
    const index = indexOfMonth(days, year, month)
    const start = virtualizer.getOffsetForIndex(index, 'start')?.[0]
    if (start !== undefined) virtualizer.scrollToOffset(start - (bar.current?.offsetHeight ?? 0))
  }

  function rememberFocus({ target }: FocusEvent) {
    focusedIndex.current = Number(target.closest<HTMLElement>('[data-index]')?.dataset.index ?? -1)
  }

  return (
    <>
      <div className="archive-bar" ref={bar}>
        <ArchiveJump
          days={days}
          shown={days[topIndex]?.date ?? null}
          isScrolling={virtualizer.isScrolling}
          onJump={jump}
        />
      </div>
      <ul
        ref={element}
        className="archive-days"
        style={{ height: virtualizer.getTotalSize() }}
        onFocus={rememberFocus}
      >
        {virtualizer.getVirtualItems().map(({ index, key, start }) => {
          const day = days[index]
          if (day === undefined) return null
          return (
            <li
              key={key}
              id={rowId(day.date)}
              ref={virtualizer.measureElement}
              data-index={index}
              aria-setsize={days.length}
              aria-posinset={index + 1}
              style={{ transform: `translateY(${start - scrollMargin}px)` }}
            >
              <ArchiveRow day={day} startsYear={startsYear(index)} />
            </li>
          )
        })}
      </ul>
    </>
  )
}
