import {
  keepPreviousData,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { Failure } from '#components/failure.tsx'
import { ListEnd } from '#components/list-end.tsx'
import { noteNewText } from '#features/writing/new-texts.ts'
import { useKeys } from '#lib/browser/use-keys.ts'
import {
  type ArticleSearch,
  articlePages,
  articleReadersQuery,
  articlesKey,
  startArticle,
} from '../state/article-calls.ts'
import type { OpenArticle } from '../state/article-drafts.ts'
import { ArticleFilters } from './article-filters.tsx'
import { ArticleRow } from './article-row.tsx'

type Props = {
  search: ArticleSearch
  onSearch: (search: ArticleSearch) => void
  open: OpenArticle | null
  openId: string | null
  canWrite: boolean
}

const wideScreen = '(min-width: 768px)'

/** The list of articles with its search, and the way to a new one. */
export function ArticleSide({ search, onSearch, open, openId, canWrite }: Props) {
  const navigate = useNavigate()
  const list = useInfiniteQuery({ ...articlePages(search), placeholderData: keepPreviousData })
  const { data: readers } = useQuery(articleReadersQuery)
  const rows = list.data?.pages.flatMap(({ data }) => data) ?? []
  const goTo = (id: string, replace = false) =>
    void navigate({ to: '/articles/$id', params: { id }, search, replace })
  const start = useStart(goTo)
  const place = rows.findIndex(({ id }) => id === openId)
  const step = (by: -1 | 1) => {
    const next = rows[Math.max(0, place + by)]
    if (next !== undefined) goTo(next.id)
  }
  useKeys({
    j: () => step(1),
    k: () => step(-1),
    n: canWrite && !start.isPending ? () => start.mutate() : undefined,
  })
  const first = rows[0]?.id
  useEffect(() => {
    if (openId === null && first !== undefined && matchMedia(wideScreen).matches) goTo(first, true)
  }, [openId, first === undefined])
  const isFiltered = search.q !== undefined || search.status !== undefined
  return (
    <aside className="articles-side" aria-label="Articles">
      <ArticleFilters search={search} onSearch={onSearch} />
      <div className="articles-scroll">
        <ul className="articles-rows">
          {rows.map((article) => (
            <ArticleRow
              key={article.id}
              article={article}
              search={search}
              readers={readers}
              openTitle={open !== null && open.id === article.id ? open.state.text.title : null}
              isOpen={article.id === openId}
            />
          ))}
        </ul>
        <ListEnd list={list} loading="Loading the articles…">
          {rows.length === 0 && (
            <p className="articles-hint">{isFiltered ? 'No article is like that.' : 'No articles yet.'}</p>
          )}
        </ListEnd>
        <Failure text={start.error?.message ?? null} />
      </div>
      <div className="articles-side-foot">
        {canWrite && (
          <button
            type="button"
            className="plain"
            aria-keyshortcuts="N"
            disabled={start.isPending}
            onClick={() => start.mutate()}
          >
            New article
          </button>
        )}
        {list.isSuccess && !list.hasNextPage && (
          <span className="meta">{rows.length === 1 ? '1 article' : `${rows.length} articles`}</span>
        )}
      </div>
    </aside>
  )
}

function useStart(goTo: (id: string) => void) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: startArticle,
    async onSuccess({ id }) {
      noteNewText(id)
      await queryClient.invalidateQueries({ queryKey: [...articlesKey, 'list'] })
      goTo(id)
    },
  })
}
