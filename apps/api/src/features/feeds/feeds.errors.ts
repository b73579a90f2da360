import { createFail } from '#platform/errors.ts'

export const fail = createFail({
  'access-denied': () => [403, 'Feeds are for members of this site.'],
  'feed-not-found': () => [
    404,
    'This feed address has ended. A newer one replaced it, the password changed, or all other devices were logged out. Log in to the site and create a new one under Subscription options.',
  ],
})
