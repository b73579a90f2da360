/** Likes: each reader can like a memo once. */
export { registerLikeRoutes } from './likes.routes.ts'
export { createLikeService } from './likes.service.ts'
