import type { DeskEdition } from '@tidings/contracts/desk/editions'
import { LeftWords } from '#features/writing/left-words.tsx'
import { TextConflict } from '#features/writing/text-conflict.tsx'
import type { Rights } from '../state/edition-words.ts'
import type { MemoRow } from '../state/memo-rows.ts'
import type { OpenMemo } from '../state/use-draft.ts'
import { MemoFoot } from './memo-foot.tsx'
import { MemoForm } from './memo-form.tsx'
import { PublicStrip } from './public-strip.tsx'

type Props = { open: OpenMemo; row: MemoRow; edition: DeskEdition; rights: Rights }

/** The memo that is being written, with what stands between it and its readers. */
export function MemoPanel({ open, row, edition, rights }: Props) {
  const { canWrite, canPublish, reason } = rights
  const isPublished = edition.status === 'published'
  return (
    <>
      <div className="edition-scroll">
        {reason !== null && <p className="edition-strip">{reason}</p>}
        {canWrite && <LeftWords open={open} kind="memo" />}
        {isPublished && canWrite && (
          <PublicStrip open={open} row={row} editionKey={edition.key} canPublish={canPublish} />
        )}
        <div className="edition-sheet">
          <TextConflict open={open} />
          <MemoForm open={open} canWrite={canWrite} />
        </div>
      </div>
      <MemoFoot open={open} canWrite={canWrite} isPublished={isPublished} />
    </>
  )
}
