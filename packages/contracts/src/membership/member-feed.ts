import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { dataOf } from '../envelope.ts'
import * as routes from './routes.ts'

/** `GET /member/feed`: since when the member has feed addresses; null for none. */
export const memberFeedReply = dataOf(z.object({ createdAt: z.string() }).nullable())

/** `POST /member/feed`: the new addresses, which no other call returns. */
export const newMemberFeedReply = dataOf(
  z.object({
    createdAt: z.string(),
    rss: z.string().describe('An absolute address'),
    json: z.string().describe('An absolute address'),
  }),
)

/** `DELETE /member/feed`. */
export const removedMemberFeedReply = dataOf(z.object({ success: z.literal(true) }))

export const getMemberFeed = endpoint(routes.getMemberFeed, {
  access: 'member',
  tag: 'Membership: members',
  summary: 'Says since when the member has private feed addresses; null for none',
  reply: memberFeedReply,
})

export const renewMemberFeed = endpoint(routes.renewMemberFeed, {
  access: ['member', 'gate'],
  tag: 'Membership: members',
  summary: 'Creates or renews the private feed addresses',
  description: 'Returns them once; earlier ones end.',
  reply: newMemberFeedReply,
})

export const endMemberFeed = endpoint(routes.endMemberFeed, {
  access: 'member',
  tag: 'Membership: members',
  summary: 'Ends the private feed addresses; succeeds without any',
  reply: removedMemberFeedReply,
})
