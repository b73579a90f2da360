import { memberKey } from '#lib/member/member-queries.ts'

/** Query key of the member's feed. Invalidate it when the member's other sessions end. */
export const feedKey = [memberKey, 'feed'] as const
