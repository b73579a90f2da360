import { urlOf } from '@tidings/contracts/endpoint'
import { limits } from '@tidings/contracts/limits'
import { memoPicture } from '@tidings/contracts/routes'
import { correctedAt, formatCorrectionTime } from '@tidings/contracts/site/correction-line'
import { MemoRow as Row } from '@tidings/ui/memo-row'
import type { ShownMemo } from '@tidings/ui/shown-memo'
import { memo as memoize } from 'react'
import { pictureSource } from '#components/picture-source.ts'
import { pageView } from '#components/scroll/page-scroll.ts'
import { directionOf } from '#lib/prose/text-direction.ts'
import { type Memo, sourceHost } from '../memo.ts'
import { LikeButton } from './like-button.tsx'

type MemoRowProps = {
  memo: Memo
  edition: { date: string; slot: string }
  isOpen: boolean
  isRead: boolean
  /** Position in the staggered entrance, from 0. */
  position: number
  onToggle: (id: string) => void
}

/** One row of the list: the title, and the rest of the memo once a tap has opened it. */
export const MemoRow = memoize(function MemoRow({ memo, edition, position, ...row }: MemoRowProps) {
  return (
    <Row
      {...row}
      memo={shownMemo(memo, edition)}
      entranceMs={position * limits.staggerMs}
      viewHeight={viewHeight}
      like={<LikeButton memo={memo} />}
    />
  )
})

function viewHeight(): number {
  return pageView().height
}

function shownMemo(memo: Memo, edition: { date: string; slot: string }): ShownMemo {
  const { correction, source } = memo
  const params = { date: edition.date, timestamp: edition.slot, file: memo.picture }
  const host = sourceHost(memo)
  return {
    ...memo,
    picture:
      memo.picture === ''
        ? null
        : pictureSource((width) => urlOf(memoPicture, { params, query: { w: width } })),
    correction: correction && {
      label: correctedAt,
      time: formatCorrectionTime(correction.at),
      dateTime: correction.at.toISOString(),
      note: correction.note,
    },
    source: host === null ? null : { url: source, host },
    dir: directionOf(memo.language),
  }
}
