import { createFail } from '#platform/errors.ts'

export const fail = createFail({
  'origin-not-permitted': () => [403, 'Pages of this origin may not open the live feed.'],
  'too-many-requests': () => [
    429,
    'Too many live feeds are open in your network. Close some, or try again in a minute.',
    { headers: { 'Retry-After': '60' } },
  ],
  'upgrade-required': () => [426, 'This URL accepts WebSocket connections only.'],
})
