import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ArticleReaders } from '@tidings/contracts/desk/content/article-readers'
import type { ArticleWorkingCopy } from '@tidings/contracts/desk/writing/article-writing'
import { useState } from 'react'
import { Failure } from '#components/failure.tsx'
import { InitialsHere } from '#features/presence/initials.tsx'
import { countWords, wordsText } from '#features/writing/plain-text.ts'
import { newerOf } from '#features/writing/text-drafts.ts'
import { useKeys } from '#lib/browser/use-keys.ts'
import { ArticleDialog, type Deed } from './article-dialog.tsx'
import { articleCopyQuery, articlesKey, discardArticleChanges } from './state/article-calls.ts'
import type { OpenArticle } from './state/article-drafts.ts'
import { storedArticle } from './state/article-fields.ts'
import { type ArticleRights, readingTime } from './state/article-words.ts'

type Props = {
  open: OpenArticle
  copy: ArticleWorkingCopy
  readers: ArticleReaders | undefined
  rights: ArticleRights
  view: { isPreviewing: boolean; setPreviewing: (isPreviewing: boolean) => void }
}

/** The state of an article in words, and what can be done with it. */
export function ArticleBar({ open, copy, readers, rights: { canWrite, canPublish }, view }: Props) {
  const { draft, state } = open
  const { isPublic, changed } = copy
  const [deed, setDeed] = useState<Deed | null>(null)
  const queryClient = useQueryClient()
  const isSaved = state.phase === 'saved' && state.conflict === null && draft.isSaved()
  // Words of others are neither published nor dropped before the person has seen them.
  const canAct = isSaved && draft.isShown()
  const hasChanges = isPublic && (changed.length > 0 || !isSaved)
  const onDone = async (next: ArticleWorkingCopy) => {
    await draft.restart(storedArticle(next))
    queryClient.setQueryData(articleCopyQuery(next.id).queryKey, (known) => newerOf(known, next))
    await queryClient.invalidateQueries({ queryKey: articlesKey })
  }
  const discard = useMutation({
    mutationFn: () => discardArticleChanges(open.id, state.stored.version),
    onSuccess: onDone,
  })
  const canGoOut = canPublish && (!isPublic || hasChanges)
  useKeys({ 'mod+enter': canGoOut && canAct ? () => setDeed('publish') : undefined })
  const words = countWords(state.text.memo_content)
  return (
    <header className="articles-bar">
      <Link to="/articles" className="articles-back">
        ‹ Articles
      </Link>
      <h1>{state.text.title === '' ? 'Article without title' : state.text.title}</h1>
      <p className="articles-status">
        <span className={`mark mark-${isPublic ? 'published' : 'draft'}`} aria-hidden="true" />{' '}
        <b>{isPublic ? 'Published' : 'Draft'}</b>
        {` · ${wordsText(words)} · ${readingTime(words)}`}
      </p>
      <div className="articles-deeds">
        <InitialsHere ids={[open.id]} label="Here now" />
        <Failure text={discard.error?.message ?? null} canClose />
        <button
          type="button"
          className="plain articles-view"
          onClick={() => view.setPreviewing(!view.isPreviewing)}
        >
          {view.isPreviewing ? 'Write' : 'Preview'}
        </button>
        {canWrite && isPublic && changed.length > 0 && (
          <button
            type="button"
            className="plain"
            disabled={!canAct || discard.isPending}
            onClick={() => discard.mutate()}
          >
            Discard
          </button>
        )}
        {canPublish && isPublic && (
          <button type="button" className="plain" onClick={() => setDeed('withdraw')}>
            Withdraw…
          </button>
        )}
        {canWrite && !isPublic && (
          <button type="button" className="plain" disabled={!canAct} onClick={() => setDeed('delete')}>
            Delete…
          </button>
        )}
        {canGoOut && (
          <button type="button" className="filled" disabled={!canAct} onClick={() => setDeed('publish')}>
            {isPublic ? 'Publish correction' : 'Publish…'}
          </button>
        )}
      </div>
      {deed !== null && (
        <ArticleDialog
          deed={deed}
          open={open}
          copy={copy}
          readers={readers}
          close={() => setDeed(null)}
          onDone={onDone}
        />
      )}
    </header>
  )
}
