import './styles/articles.css'
import './styles/article.css'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { Failure } from '#components/failure.tsx'
import { useYou } from '#lib/desk-context.ts'
import { ArticleBar } from './article-bar.tsx'
import { ArticlePanel } from './article-panel.tsx'
import { ArticleSide } from './list/article-side.tsx'
import { ArticlePreview } from './preview/article-preview.tsx'
import { type ArticleSearch, articleReadersQuery } from './state/article-calls.ts'
import { useArticle } from './state/article-drafts.ts'
import { articleRights } from './state/article-words.ts'

type Props = {
  /** The open article; null for the list alone. */
  id: string | null
  search: ArticleSearch
  onSearch: (search: ArticleSearch) => void
}

/** The articles: their list, the one that is being written, and how each kind of reader gets it. */
export function ArticlesScreen({ id, search, onSearch }: Props) {
  const rights = articleRights(useYou().roles)
  const { open, copy, error } = useArticle(id)
  const { data: readers } = useQuery(articleReadersQuery)
  const [isPreviewing, setPreviewing] = useState(false)
  const isOpen = open !== null && copy !== undefined
  const shown = id === null ? 'articles' : `articles articles-${isPreviewing ? 'previewing' : 'writing'}`
  return (
    <div className={shown}>
      {!isOpen && <h1 className={id === null ? 'articles-head' : 'visually-hidden'}>Articles</h1>}
      {isOpen && (
        <ArticleBar
          key={`bar ${id}`}
          open={open}
          copy={copy}
          readers={readers}
          rights={rights}
          view={{ isPreviewing, setPreviewing }}
        />
      )}
      <div className="articles-columns">
        <ArticleSide search={search} onSearch={onSearch} open={open} openId={id} canWrite={rights.canWrite} />
        <section className="articles-middle" aria-label="Article">
          {error !== null && (
            <div className="articles-hint">
              <Failure text={error.message} />
              <Link to="/articles" search={search}>
                All articles
              </Link>
            </div>
          )}
          {id === null && <p className="articles-hint">No article is open.</p>}
          {id !== null && !isOpen && error === null && (
            <p role="status" className="loading">
              Loading the article…
            </p>
          )}
          {isOpen && <ArticlePanel key={id} open={open} copy={copy} readers={readers} rights={rights} />}
        </section>
        {isOpen && readers !== undefined && (
          <ArticlePreview key={`preview ${id}`} text={open.state.text} readers={readers} />
        )}
      </div>
    </div>
  )
}
