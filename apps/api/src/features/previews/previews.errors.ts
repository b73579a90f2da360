import { createFail } from '#platform/errors.ts'

export const fail = createFail({
  'media-not-found': () => [404, 'No picture has this name. Upload it with POST /desk/v1/media.'],
  'preview-ended': () => [410, 'This preview has ended. Open it again in the desk.'],
  'preview-framed': () => [403, 'Previews open in the desk only, not in a page of another site.'],
})
