/** Pictures: kept re-encoded under names that cannot be guessed, shown where something published uses them. */
export { registerMediaRoutes } from './media.routes.ts'
export { createMediaService, type MediaService } from './media.service.ts'
