import { memberKey } from '#lib/member-session/member-queries.ts'

/** Since when the member has a feed. It ends with the member's other sessions. */
export const feedKey = [memberKey, 'feed'] as const
