import type { DeskEdition } from '@tidings/contracts/desk/editions'
import { Suspense, useEffect } from 'react'
import { OccupiedStrip } from '#features/presence/occupied-strip.tsx'
import { useOccupied } from '#features/presence/use-occupied.ts'
import type { PreviewedEdition } from '#features/preview/rendering/previewed-edition.ts'
import { LoadingText } from '#features/text-form/loading-text.tsx'
import { LeftWords } from '#features/writing/left-words.tsx'
import { TextConflict } from '#features/writing/text-conflict.tsx'
import { CorrectionForm } from '../correction/correction-form.tsx'
import { PublicStrip } from '../correction/public-strip.tsx'
import { useCorrection } from '../correction/use-correction.ts'
import { WithdrawMemo } from '../correction/withdraw-memo.tsx'
import { orderOf } from '../state/edition-calls.ts'
import type { Rights } from '../state/edition-words.ts'
import type { MemoRow } from '../state/memo-rows.ts'
import type { OpenMemo } from '../state/use-draft.ts'
import { useGone } from '../state/use-gone.ts'
import type { Undo } from '../state/use-undo.ts'
import { MemoFoot } from './memo-foot.tsx'
import { MemoForm } from './memo-form.tsx'

type Props = {
  open: OpenMemo
  row: MemoRow
  edition: DeskEdition
  previewed: PreviewedEdition
  rights: Rights
  undo: Undo
  /** Reports the note of a correction, for the preview. */
  onNote: (note: string) => void
}

/** The memo that is being written, with what stands between it and its readers. */
export function MemoPanel({ open, row, edition, previewed, rights, undo, onNote }: Props) {
  const { canWrite, canPublish, reason } = rights
  const isPublished = edition.status === 'published'
  const memo = isPublished ? edition.memos.find(({ id }) => id === open.id) : undefined
  const occupied = useOccupied('memo', open.id)
  const gone = useGone(edition.key, orderOf(edition), undo)
  const isWriting = canWrite && occupied.names === null
  const correction = useCorrection(open, edition.key)
  const isChanged = memo !== undefined && (row.state === 'Changed' || !open.draft.isSaved())
  const { note, isNoteShown } = correction.choice
  const shownNote = isChanged && isNoteShown ? note.trim() : ''
  useEffect(() => onNote(shownNote), [onNote, shownNote])
  return (
    <>
      <div className="edition-scroller">
        <div className="edition-scroll">
          {reason !== null && <p className="strip">{reason}</p>}
          {canWrite && <OccupiedStrip occupied={occupied} />}
          {canWrite && <LeftWords open={open} kind="memo" />}
          {isPublished && canWrite && (
            <PublicStrip open={open} row={row} correction={correction} canPublish={canPublish} />
          )}
          <div className="edition-sheet">
            <TextConflict open={open} />
            <Suspense fallback={<LoadingText />}>
              <MemoForm
                open={open}
                canWrite={isWriting}
                publicText={isChanged ? memo.memo_content : null}
                onWrite={occupied.join}
              >
                {isChanged && canPublish && <CorrectionForm id={open.id} correction={correction} />}
              </MemoForm>
            </Suspense>
          </div>
        </div>
      </div>
      <MemoFoot
        open={open}
        edition={previewed}
        canWrite={canWrite}
        isPublished={isPublished}
        isAhead={isPublished && (memo === undefined || isChanged)}
        undo={undo}
      >
        {memo !== undefined && canPublish && <WithdrawMemo memo={memo} onWithdrawn={gone.withdrawn} />}
      </MemoFoot>
    </>
  )
}
