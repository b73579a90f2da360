import { formatWireDate } from '@tidings/contracts/edition-key'
import type { NewMemoEvent } from '@tidings/contracts/live-feed'
import type { Memo } from '@tidings/contracts/memos'
import { idOf } from '../editions/index.ts'
import type { MemoRow, MemoWithEdition } from './memos.repository.ts'

/** A memo in the words of the wire. */
export function toWireMemo(row: MemoRow): Memo {
  return {
    _id: row.id,
    title: row.title,
    media: row.mediaFile ?? '',
    media_text: row.mediaText,
    media_title: row.mediaTitle,
    memo_content: row.content,
    source: row.source,
    counter: row.likeCount,
  }
}

/** The live event that tells readers of a memo. */
export function toNewMemoEvent(row: MemoWithEdition): NewMemoEvent {
  const { date, slot } = idOf(row.edition)
  return {
    event: 'NEW_MEMO',
    data: { ...toWireMemo(row), date: formatWireDate(date), time_stamp: slot },
  }
}
