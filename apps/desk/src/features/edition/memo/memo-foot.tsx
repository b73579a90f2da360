import { Link, useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { renderText } from '#features/preview/rendering/preview-calls.ts'
import { type PreviewedEdition, unsavedOf } from '#features/preview/rendering/previewed-edition.ts'
import { useRendering } from '#features/preview/rendering/use-rendering.ts'
import { countWords, wordsText } from '#features/writing/plain-text.ts'
import { SavedState } from '#features/writing/saved-state.tsx'
import { useIsPhone } from '#lib/browser/use-is-phone.ts'
import { useKeys } from '#lib/browser/use-keys.ts'
import { toggleReady } from '../state/toggle-ready.ts'
import type { OpenMemo } from '../state/use-draft.ts'
import type { Undo } from '../state/use-undo.ts'

type Props = {
  open: OpenMemo
  edition: PreviewedEdition
  canWrite: boolean
  isPublished: boolean
  /** Whether readers have another text, or none. */
  isAhead: boolean
  undo: Undo
  children: ReactNode
}

const usual = { from: 90, to: 130, most: 200 }

/** The saved state, the words, and whether the memo is ready. */
export function MemoFoot({ open, edition, canWrite, isPublished, isAhead, undo, children }: Props) {
  const { id, state } = open
  const words = countWords(state.text.memo_content)
  const { ready } = state.text
  const navigate = useNavigate()
  const isPhone = useIsPhone()
  const versions = { to: '/editions/$key/memos/$id/versions', params: { key: edition.key, id } } as const
  useKeys({ v: () => void navigate(versions) })
  return (
    <footer className="edition-foot">
      {!isPhone && <SavedState draft={open.draft} isPublic={isAhead} />}
      <p className="edition-gauge">
        {wordsText(words)}
        <svg width={usual.most / 2} height="12" aria-hidden="true">
          <path d={`M0 6h${usual.most / 2}`} />
          <path className="edition-usual" d={`M${usual.from / 2} 6H${usual.to / 2}`} />
          <path className="edition-here" d={`M${Math.min(words, usual.most - 4) / 2 + 1} 0v12`} />
        </svg>
        <span className="meta">{`${usual.from} to ${usual.to} is usual`}</span>
      </p>
      <TextParts edition={edition} />
      <div className="edition-foot-end">
        {!isPhone && (
          <Link {...versions} aria-keyshortcuts="V">
            Versions
          </Link>
        )}
        {canWrite && !isPublished && (
          <button
            type="button"
            className="edition-word"
            aria-keyshortcuts="R"
            onClick={() => toggleReady(open, undo)}
          >
            {ready ? 'Not ready' : 'Mark as ready'}
          </button>
        )}
        {children}
      </div>
    </footer>
  )
}

/** The parts of the edition’s text message, of which each costs. */
function TextParts({ edition }: { edition: PreviewedEdition }) {
  const { shown } = useRendering(`text ${edition.key}`, unsavedOf(edition), renderText)
  return (
    <p className="meta edition-parts">
      {shown !== null && `Text: ${shown.segments === 1 ? '1 part' : `${shown.segments} parts`}`}
    </p>
  )
}
