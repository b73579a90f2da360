import { Link, useNavigate } from '@tanstack/react-router'
import type { ArticleReaders } from '@tidings/contracts/desk/content/article-readers'
import type { ArticleWorkingCopy } from '@tidings/contracts/desk/writing/article-writing'
import { Suspense } from 'react'
import { OccupiedStrip } from '#features/presence/occupied-strip.tsx'
import { useOccupied } from '#features/presence/use-occupied.ts'
import { LoadingText } from '#features/text-form/loading-text.tsx'
import { TextForm } from '#features/text-form/text-form.tsx'
import { LeftWords } from '#features/writing/left-words.tsx'
import { countWords, wordsText } from '#features/writing/plain-text.ts'
import { SavedState } from '#features/writing/saved-state.tsx'
import { TextConflict } from '#features/writing/text-conflict.tsx'
import { useKeys } from '#lib/browser/use-keys.ts'
import { ReadersField } from './readers-field.tsx'
import type { OpenArticle } from './state/article-drafts.ts'
import type { ArticleRights } from './state/article-words.ts'

type Props = {
  open: OpenArticle
  copy: ArticleWorkingCopy
  readers: ArticleReaders | undefined
  rights: ArticleRights
}

/** The article that is being written, and who may read it. */
export function ArticlePanel({ open, copy, readers, rights: { canWrite, canPublish } }: Props) {
  const { state } = open
  const navigate = useNavigate()
  const versions = { to: '/articles/$id/versions', params: { id: open.id } } as const
  useKeys({ v: () => void navigate(versions), 'mod+s': () => void open.draft.flush() })
  const occupied = useOccupied('article', open.id)
  const isWriting = canWrite && occupied.names === null
  const hasChanges = copy.isPublic && copy.changed.length > 0
  return (
    <>
      <div className="articles-scroll">
        {canWrite && <OccupiedStrip occupied={occupied} />}
        {canWrite && <LeftWords open={open} kind="article" />}
        {hasChanges && (
          <p className="strip">
            This article is public. Your changes are not.
            {canWrite && !canPublish && ' Writers don’t publish. Ask an editor.'}
          </p>
        )}
        <div className="articles-sheet">
          <TextConflict open={open} />
          <Suspense fallback={<LoadingText />}>
            <TextForm open={open} canWrite={isWriting} onWrite={occupied.join} />
            {readers !== undefined && <ReadersField open={open} readers={readers} canWrite={isWriting} />}
          </Suspense>
        </div>
      </div>
      <footer className="articles-foot">
        <SavedState draft={open.draft} isPublic={hasChanges} />
        <p>{wordsText(countWords(state.text.memo_content))}</p>
        <Link {...versions} aria-keyshortcuts="V">
          Versions
        </Link>
      </footer>
    </>
  )
}
