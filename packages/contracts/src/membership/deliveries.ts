import { z } from 'zod'
import { deliveryMethod, deliveryState, pdfFormat } from '../delivery/deliveries.ts'
import { endpoint } from '../endpoint.ts'
import { dataOf } from '../envelope.ts'
import * as routes from './routes.ts'

const memberDelivery = z.object({
  edition: z.string().nullable().describe('Edition key; null for a digest'),
  digest: z.string().nullable().describe('MM-DD-YY; null for an edition'),
  method: deliveryMethod,
  state: deliveryState,
  reason: z.string().nullable(),
  sentAt: z.iso.datetime().nullable(),
  dueAt: z.iso
    .datetime()
    .nullable()
    .default(null)
    .describe('When it is sent, for one that waits for its time, as a text does in quiet hours'),
})

/** The reasons why a member receives nothing now. */
export const deliveryObstacle = z.enum([
  'no-method',
  'no-plan',
  'unverified',
  'bounce',
  'complaint',
  'paused',
])

/** Reply of `GET` and `POST /member/deliveries`. */
export const memberDeliveriesReply = dataOf(
  z.object({
    next: z
      .object({ method: deliveryMethod, at: z.iso.datetime() })
      .nullable()
      .describe('The next delivery and its time; null for none, and with notifications only'),
    nextNotification: z
      .object({ at: z.iso.datetime() })
      .nullish()
      .describe('The next edition of which the member’s browsers are notified; null for none'),
    obstacle: deliveryObstacle
      .nullable()
      .describe('Why nothing is sent by the chosen methods; without one, why no browser is notified'),
    pausedUntil: z.iso.date().nullable().describe('The first day on which deliveries are sent again'),
    pdfFormat: pdfFormat.describe('The pages of the PDFs that are delivered'),
    recent: z.array(memberDelivery).describe('The last thirty, newest first'),
  }),
)
export type MemberDeliveries = z.infer<typeof memberDeliveriesReply>['data']

/** Body of `POST /member/deliveries`. What is left out stays as it is. */
export const memberDeliveriesRequest = z
  .object({ pausedUntil: z.iso.date().nullish(), pdfFormat: pdfFormat.optional() })
  .refine(({ pausedUntil, pdfFormat: format }) => pausedUntil !== undefined || format !== undefined, {
    message: 'must have pausedUntil or pdfFormat',
  })
export type MemberDeliveriesRequest = z.infer<typeof memberDeliveriesRequest>

export const getMemberDeliveries = endpoint(routes.getMemberDeliveries, {
  access: 'member',
  tag: 'Membership: deliveries',
  summary: 'Returns the next delivery and the last thirty',
  reply: memberDeliveriesReply,
})

export const updateMemberDeliveries = endpoint(routes.updateMemberDeliveries, {
  access: 'member',
  tag: 'Membership: deliveries',
  summary: 'Pauses all deliveries until a day, ends the pause, or chooses the pages of PDFs',
  body: memberDeliveriesRequest,
  reply: memberDeliveriesReply,
})
