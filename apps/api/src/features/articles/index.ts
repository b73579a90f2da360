/** Gated articles: long pieces that only members read. */
export {
  noArticleText,
  parseArticleText,
  toArticleText,
  toDeskArticle,
  toDeskSummary,
  toUnsavedArticle,
} from './articles.mapper.ts'
export {
  type ArticleContent,
  type ArticleRow,
  createArticle,
  getArticle,
  listTitles,
  lockArticle,
  removeArticle,
  updateArticle,
} from './articles.repository.ts'
export { registerArticleRoutes } from './articles.routes.ts'
export { type ArticleService, createArticleService } from './articles.service.ts'
export { listArticles } from './found-articles.repository.ts'
