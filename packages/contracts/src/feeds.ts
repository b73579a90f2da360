import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import * as routes from './routes.ts'

export const feedRss = endpoint(routes.feedRss, {
  access: 'gate',
  tag: 'Feeds',
  summary: 'Summaries of the newest editions, as RSS',
  reply: z.string().describe('A document of RSS'),
})

export const memberFeedRss = endpoint(routes.memberFeedRss, {
  access: 'public',
  tag: 'Feeds',
  summary: "The newest editions for a member's feed reader, as RSS",
  description: 'The address comes from `POST /member/feed`.',
  reply: z.string().describe('A document of RSS'),
})

export const feedJson = endpoint(routes.feedJson, {
  access: 'gate',
  tag: 'Feeds',
  summary: 'Summaries of the newest editions, as JSON Feed',
  reply: z.string().describe('A document of JSON Feed'),
})

export const memberFeedJson = endpoint(routes.memberFeedJson, {
  access: 'public',
  tag: 'Feeds',
  summary: "The newest editions for a member's feed reader, as JSON Feed",
  description: 'The address comes from `POST /member/feed`.',
  reply: z.string().describe('A document of JSON Feed'),
})
