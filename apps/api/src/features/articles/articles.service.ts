import type { GatedArticle } from '@tidings/contracts/articles'
import type { Database } from '../../platform/database.ts'
import { AppError } from '../../platform/errors.ts'
import { type ArticleRow, findPublishedArticle, listPublishedTitles } from './articles.repository.ts'

type Deps = { database: Database }

export type ArticleService = {
  titles(): Promise<{ _id: string; title: string }[]>
  /** Throws `article-not-found`. */
  article(id: string): Promise<GatedArticle>
}

/** Gated articles as members read them. */
export function createArticleService({ database }: Deps): ArticleService {
  return {
    async titles() {
      const rows = await listPublishedTitles(database.db)
      return rows.map((row) => ({ _id: row.id, title: row.title }))
    },
    async article(id) {
      const row = await findPublishedArticle(database.db, id)
      if (row === null) throw new ArticleNotFoundError()
      return toWireArticle(row)
    },
  }
}

/** There is no such article, or none that the caller may see. */
export class ArticleNotFoundError extends AppError {
  constructor() {
    super('article-not-found', 404, 'There is no such article, or it was withdrawn.')
  }
}

function toWireArticle(row: ArticleRow): GatedArticle {
  return {
    _id: row.id,
    title: row.title,
    media: row.mediaFile ?? '',
    media_title: row.mediaTitle,
    memo_content: row.content,
  }
}
