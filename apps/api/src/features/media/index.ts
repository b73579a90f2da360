/** Pictures: kept re-encoded under names that cannot be guessed, shown where something published uses them. */
export { registerMediaRoutes, sendPicture, widthQuery, wishOf } from './media.routes.ts'
export { createMediaService, type MediaService, type PictureWish } from './media.service.ts'
