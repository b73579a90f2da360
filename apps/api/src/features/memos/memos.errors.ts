import { limits } from '@tidings/contracts/limits'
import { createFail } from '#platform/errors.ts'

export const fail = createFail({
  'memo-not-found': () => [404, 'This memo doesn’t exist, or it was withdrawn.'],
  'edition-full': () => [409, `This edition is full: it can have ${limits.memosPerEdition} memos.`],
})
