import { useQuery } from '@tanstack/react-query'
import type { ArticleReaders } from '@tidings/contracts/desk/content/article-readers'
import type { ArticleText } from '@tidings/contracts/desk/writing/article-writing'
import { useEffect, useState } from 'react'
import { Failure } from '#components/failure.tsx'
import { useKeys } from '#lib/browser/use-keys.ts'
import { readerKinds } from '../state/article-words.ts'
import { articlePreviewQuery } from './preview-calls.ts'
import { PreviewedArticle } from './previewed-article.tsx'
import { MemberWall, PlanWall } from './walls.tsx'

type Props = { text: ArticleText; readers: ArticleReaders }

const pauseMs = 250

/** Shows the article as each kind of reader gets it, with the words that aren't saved yet. */
export function ArticlePreview({ text, readers }: Props) {
  const kinds = readerKinds(readers)
  const [place, setPlace] = useState(0)
  const kind = kinds[place] ?? kinds[0]
  const settled = useSettled(text)
  const { data, error, isPending } = useQuery(articlePreviewQuery(settled, kind?.reader ?? 'visitor'))
  useKeys({ p: () => setPlace((place + 1) % kinds.length) })
  return (
    <aside className="articles-preview" aria-label="Preview">
      <nav className="articles-kinds" aria-label="As which reader">
        <span className="meta">As</span>
        {kinds.map(({ name }, index) => (
          <button key={name} type="button" aria-pressed={index === place} onClick={() => setPlace(index)}>
            {name}
          </button>
        ))}
      </nav>
      <div className="articles-phone">
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long article is scrolled by keyboard */}
        <section className="articles-page" tabIndex={0} aria-label={`As ${kind?.name ?? ''} sees it`}>
          {isPending && (
            <p role="status" className="loading">
              Loading the preview…
            </p>
          )}
          <Failure text={error?.message ?? null} />
          {data !== undefined && data.article !== null && (
            <PreviewedArticle article={data.article} pictures={data.pictures} />
          )}
          {data?.wall === 'log-in' && <MemberWall readers={readers} />}
          {data?.wall === 'plan' && (
            <PlanWall
              title={settled.title}
              offers={readers.plans.filter(({ id }) => data.plans.includes(id))}
              current={readers.plans.find(({ id, price }) => isPlan(kind, id) && price !== null)?.name}
            />
          )}
        </section>
      </div>
      <p className="meta">
        {data === undefined || data.wall === null ? '' : 'Not a word of the text is sent to this reader.'}
      </p>
    </aside>
  )
}

function isPlan(kind: { reader: unknown } | undefined, id: string): boolean {
  const reader = kind?.reader
  return typeof reader === 'object' && reader !== null && 'plan' in reader && reader.plan === id
}

/** Returns a text as it was before the last keys, until they stop for a moment. */
function useSettled(text: ArticleText): ArticleText {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), pauseMs)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}
