import { createFail } from '#platform/errors.ts'

export const fail = createFail({
  'access-denied': (plans: readonly string[]) => [
    403,
    'Your plan does not include this.',
    { details: { plans } },
  ],
  'content-not-found': () => [404, 'This content does not exist or was removed.'],
  'content-group-not-found': () => [404, 'This content group does not exist or was removed.'],
  'content-exists': (key: string) => [409, `Another content group has the key '${key}'.`],
  'content-group-in-use': ({ articles, contents }: { articles: number; contents: number }) => [
    409,
    `It is in use: gated articles ${articles}, secure contents ${contents}. Give them another group first, or none.`,
  ],
})
