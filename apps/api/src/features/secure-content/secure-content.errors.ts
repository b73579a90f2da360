import { createFail } from '#platform/errors.ts'

export const fail = createFail({
  'access-denied': (plans: readonly string[]) => [
    403,
    'Your plan doesn’t include this.',
    { details: { plans } },
  ],
  'content-not-found': () => [404, 'This doesn’t exist, or it was removed.'],
  'content-group-not-found': () => [404, 'This content group doesn’t exist, or it was removed.'],
  'content-exists': (key: string) => [409, `Another content group has the key '${key}'.`],
  'content-group-in-use': ({ articles, contents }: { articles: number; contents: number }) => [
    409,
    `This content group is in use: gated articles ${articles}, secure contents ${contents}. Give them another group first, or none.`,
  ],
})
