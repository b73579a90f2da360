/**
 * Full-text search over published memos and, for members, the gated articles that they may read.
 *
 * - configuration: the grammar of a language in Postgres; the migration maps BCP 47 tags to them
 * - rank: how well a memo matches, by where and how often
 */
export { reindexTexts } from './search.jobs.ts'
export { registerSearchRoutes } from './search.routes.ts'
export { createSearchService } from './search.service.ts'
