import { createFail } from '#platform/errors.ts'

export const fail = createFail({
  'access-denied': () => [403, 'Feeds are for members of this site.'],
  'feed-not-found': () => [
    404,
    'This feed address does not exist or has ended: it was renewed, the password changed, or all devices were logged out. Log in to the site and create a new one under Subscription options.',
  ],
})
