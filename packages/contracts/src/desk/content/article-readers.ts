import { z } from 'zod'
import { dataOf } from '../../envelope.ts'
import { deskEndpoint } from '../desk-endpoint.ts'
import { plans } from '../fields.ts'
import * as routes from '../routes.ts'
import { deskContentGroup } from './content-groups.ts'

/** The members who may read articles, by the rule of an article. */
export const articleReaders = z.object({
  members: z.int().describe('How many members there are'),
  plans: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      members: z.int().describe('How many members have it'),
      price: z
        .object({
          amount: z.number().describe('In major units'),
          currency: z.string(),
          interval: z.enum(['MONTHLY', 'YEARLY']).nullable(),
        })
        .nullable()
        .describe('What it is sold for; null for a free plan, and for one that isn’t sold'),
    }),
  ),
  groups: z.array(
    deskContentGroup.pick({ key: true, name: true, plans: true }).extend({
      members: z.int().describe('How many members it opens for'),
      opening: z.array(z.string()).describe('The ids of the plans of which each alone opens it'),
      isForPlans: z.boolean().describe('Whether an editor chose its plans at an article'),
    }),
  ),
})
export type ArticleReaders = z.infer<typeof articleReaders>

export const getArticleReaders = deskEndpoint(routes.getArticleReaders, {
  tag: 'Desk: gated articles',
  summary: 'Counts the members who may read articles, by plan and content group',
  scope: 'read',
  reply: dataOf(articleReaders),
})

export const openToPlans = deskEndpoint(routes.openToPlans, {
  tag: 'Desk: content groups',
  summary: 'Returns the content group of exactly these plans, and creates it if it is missing',
  description: 'It opens nothing by itself: an article belongs to it after a save.',
  scope: 'write',
  body: z.strictObject({ plans: plans.min(1) }),
  reply: dataOf(deskContentGroup),
})
