import { limits } from '@tidings/contracts/limits'
import { createFail } from '#platform/errors.ts'

const maxCharacters = limits.commentCharacters.toLocaleString('en-US')

export const fail = createFail({
  'comment-not-found': () => [404, 'This comment doesn’t exist, or it was deleted.'],
  'access-denied': () => [403, 'You can only edit and delete your own comments.'],
  'required-field-missing': () => [400, 'Write something first.'],
  'invalid-request': () => [400, `Comments can have up to ${maxCharacters} characters.`],
})
