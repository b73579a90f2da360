import { createFail } from '#platform/errors.ts'

export const fail = createFail({
  'edition-not-found': (key: string) => [
    404,
    `The edition ${key} doesn’t exist. Create it with PUT /desk/v1/editions/${key}.`,
  ],
  'digest-empty': () => [404, 'No edition of this day has a memo yet, so its digest is empty.'],
  'media-not-found': () => [404, 'No picture has this name. Upload it with POST /desk/v1/media.'],
  'preview-ended': () => [410, 'This preview has ended. Open it again in the desk.'],
  'preview-framed': () => [403, 'Previews open in the desk only, not in a page of another site.'],
})
