import { z } from 'zod'
import { anyMethod } from '../delivery/deliveries.ts'
import { dataOf } from '../envelope.ts'
import { deskEndpoint } from './desk-endpoint.ts'
import { findDays } from './find.ts'
import * as routes from './routes.ts'

/** The longest time of statistics, in days. */
export const statisticsDays = 400

const count = z.int()
const linkPurposes = z.enum(['view', 'pdf', 'preferences', 'unsubscribe'])

const dayNumbers = z.object({
  day: z.iso.date().describe('In the time zone of the site'),
  delivered: z
    .array(
      z.object({
        method: anyMethod,
        sent: count.describe('Accepted by a server, and not returned'),
        failed: count.describe('Returned or refused'),
      }),
    )
    .describe('Of editions of the day and of its digest'),
  likes: count.describe('Given on the day, and not taken back'),
  linksOpened: z
    .array(z.object({ purpose: linkPurposes, count }))
    .describe('Signed links of emails and texts. Mail programs open some by themselves'),
  members: z
    .object({
      all: count.describe('Those who proved their address'),
      byPlan: z.array(z.object({ planId: z.string(), count })),
    })
    .nullable()
    .describe('At the end of the day, or now; null for a day before they were counted'),
  new: count.describe('Members who joined on the day'),
  gone: count.describe('Members who deleted their account on the day'),
})
export type DayNumbers = z.infer<typeof dayNumbers>

const editionNumbers = z.object({
  edition: z.string().describe('Edition key'),
  state: z
    .enum(['published', 'sending', 'stopped', 'held'])
    .describe('held: the edition or its delivery waits for an editor'),
  sent: count.describe('Accepted by a server, and not returned'),
  failed: count.describe('Returned or refused'),
  likes: count.describe('Of its memos, on any day'),
})
export type EditionNumbers = z.infer<typeof editionNumbers>

export const statistics = z.object({
  days: z.array(dayNumbers).describe('The oldest first'),
  editions: z
    .array(editionNumbers)
    .describe('Published and held editions of these days, in the order of their times'),
  plans: z.array(z.object({ planId: z.string(), name: z.string() })).describe('The names of the plans'),
  mostLiked: z.array(
    z.object({
      memo: z.uuid(),
      title: z.string(),
      edition: z.string().describe('Edition key'),
      likes: count,
    }),
  ),
  missedSearches: z
    .array(z.object({ words: z.string(), readers: count }))
    .describe('Searches without results that five readers or more made in a day, most readers first'),
})
export type Statistics = z.infer<typeof statistics>

export const statisticsQuery = z
  .strictObject({
    days: z.coerce
      .number()
      .int()
      .min(1)
      .max(statisticsDays)
      .default(30)
      .describe('Until today, or until `to`'),
    ...findDays,
  })
  .refine(({ from, to }) => from === undefined || to === undefined || from <= to, {
    path: ['from'],
    message: "must not be after 'to'",
  })
export type StatisticsQuery = z.infer<typeof statisticsQuery>

export const getStatistics = deskEndpoint(routes.getStatistics, {
  tag: 'Desk: statistics',
  summary: 'Returns deliveries, likes, opened links and members by day',
  description: 'Only counts. No email is watched for being opened, and no reader is followed.',
  scope: 'read',
  query: statisticsQuery,
  reply: dataOf(statistics),
})
