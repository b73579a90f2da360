/** Gated articles: long pieces that only members read. */
export {
  type ArticleContent,
  type ArticleRow,
  createArticle,
  findArticle,
  listArticles,
  lockArticle,
  removeArticle,
  updateArticle,
} from './articles.repository.ts'
export { registerArticleRoutes } from './articles.routes.ts'
export { ArticleNotFoundError, createArticleService } from './articles.service.ts'
