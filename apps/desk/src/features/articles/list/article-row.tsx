import { Link } from '@tanstack/react-router'
import type { DeskArticleSummary } from '@tidings/contracts/desk/articles'
import type { ArticleReaders } from '@tidings/contracts/desk/content/article-readers'
import { InitialsIn } from '#features/presence/initials.tsx'
import type { ArticleSearch } from '../state/article-calls.ts'
import { readersText } from '../state/article-words.ts'

type Props = {
  article: DeskArticleSummary
  search: ArticleSearch
  readers: ArticleReaders | undefined
  /** The title as it is typed, of the open article. */
  openTitle: string | null
  isOpen: boolean
}

/** An article in the list: its title and its state in words. */
export function ArticleRow({ article, search, readers, openTitle, isOpen }: Props) {
  const { id, status, title, savedBy, group, hasChanges } = article
  const shown = openTitle ?? title
  const [state, rest] =
    status === 'draft'
      ? ['Draft', savedBy.split(' ')[0]]
      : [hasChanges ? 'Published, with changes' : 'Published', readersText(group, readers)]
  return (
    <li className={isOpen ? 'articles-row articles-open' : 'articles-row'}>
      <Link
        to="/articles/$id"
        params={{ id }}
        search={search}
        className="articles-title"
        aria-current={isOpen ? 'page' : undefined}
      >
        {shown === '' ? 'Article without title' : shown}
      </Link>
      <div className="articles-row-foot">
        <p className="meta">
          <span className={`mark mark-${status}`} aria-hidden="true" /> {state}
          {rest !== '' && ` · ${rest}`}
        </p>
        <InitialsIn kind="article" id={id} />
      </div>
    </li>
  )
}
