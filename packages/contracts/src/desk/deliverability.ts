import { z } from 'zod'
import { listQuery, pageOf } from '../envelope.ts'
import { deskEndpoint } from './desk-endpoint.ts'

/** Query of `GET /desk/v1/deliverability`: the last fourteen days, unless it says otherwise. */
export const deliverabilityQuery = listQuery.extend({
  from: z.iso.date().optional().describe('The first day, in the time zone of the site'),
  to: z.iso.date().optional().describe('The last day'),
  domain: z.string().trim().toLowerCase().max(255).optional().describe('Only this receiving domain'),
  after: z
    .string()
    .regex(/^\d{4}-\d{2}-\d{2} \d{1,9} \S{1,255}$/, "must be the 'next' of the page before")
    .refine(
      (after) => z.iso.date().safeParse(after.slice(0, 10)).success,
      "must be the 'next' of the page before",
    )
    .optional(),
})
export type DeliverabilityQuery = z.infer<typeof deliverabilityQuery>

/** The results of a day's emails to one receiving domain. */
export const deliverabilityRow = z.object({
  day: z.iso.date().describe('On which they were sent, in the time zone of the site'),
  domain: z.string().describe('What follows the @ of the addresses'),
  sent: z.int().describe('Accepted by a mail server'),
  delivered: z.int().describe('Of these, as far as a mail service reports it'),
  bounced: z.int().describe('Of these'),
  complained: z.int().describe('Of these: reported as spam'),
  refused: z.int().describe('Refusals that are about us, such as a block list; by the day of the refusal'),
})
export type DeliverabilityRow = z.infer<typeof deliverabilityRow>

export const getDeliverability = deskEndpoint(
  { method: 'GET', path: '/desk/v1/deliverability' },
  {
    tag: 'Desk: deliveries',
    summary: 'Returns what became of emails, by receiving domain and day',
    description:
      'The newest day first, and in a day the domain with the most emails. Kept for 400 days, also once the deliveries are archived.',
    scope: 'read',
    query: deliverabilityQuery,
    reply: pageOf(deliverabilityRow),
  },
)
