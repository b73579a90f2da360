import { createFail } from '#platform/errors.ts'

export const fail = createFail({
  'article-not-found': () => [404, 'This article doesn’t exist, or it was withdrawn.'],
})
