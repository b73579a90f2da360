/** Previews: unsaved text as readers and members would get it, by the renderers of the site and of deliveries. */
export { registerPreviewPages } from './preview-pages.routes.ts'
export { createPreviewPages } from './preview-pages.service.ts'
export { registerPreviews } from './previews.routes.ts'
export { createPreviewService } from './previews.service.ts'
