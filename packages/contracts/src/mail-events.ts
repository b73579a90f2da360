import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { dataOf } from './envelope.ts'

/** A mail service's report on a message that we sent: `POST /webhooks/mail/events`. */
export const mailEventSchema = z
  .object({
    type: z.enum(['delivered', 'bounced', 'complained']),
    messageId: z
      .string()
      .max(998)
      .optional()
      .describe('The Message-ID of our email, with or without < and >'),
    recipient: z.string().max(320).optional(),
    reason: z.string().max(2_000).default(''),
  })
  .refine(({ messageId, recipient }) => messageId !== undefined || recipient !== undefined)
export type MailEvent = z.infer<typeof mailEventSchema>

export const mailEventReply = dataOf(z.object({ received: z.literal(true) }))

export const receiveMailEvent = endpoint(
  { method: 'POST', path: '/webhooks/mail/events' },
  {
    access: 'signed',
    tag: 'Deliveries',
    summary: 'Receives an event from a mail service',
    description:
      'Signed as Standard Webhooks with MAIL_WEBHOOK_SECRET. The body is `{ messageId or recipient, type, reason }`; `type` is `delivered`, `bounced` (for good) or `complained`.',
    reply: mailEventReply,
  },
)
