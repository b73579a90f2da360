/** Likes: one reader's mark on one memo, counted once. */
export { registerLikeRoutes } from './likes.routes.ts'
export { createLikeService } from './likes.service.ts'
