/** Pictures: stored re-encoded under names that cannot be guessed, served where something published shows them. */
export { type CopyProgress, copyPictures } from './copy-pictures.ts'
export { fail } from './media.errors.ts'
export { removePictures } from './media.jobs.ts'
export { pictureRequestOf, registerMediaRoutes, sendPicture } from './media.routes.ts'
export {
  articlePicturesCacheKey,
  createMediaService,
  type MediaService,
  type PictureRequest,
  type ServedPicture,
} from './media.service.ts'
export { pictureFields, toDeskPicture, toWirePicture } from './picture-keys.ts'
