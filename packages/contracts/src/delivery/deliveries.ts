import { z } from 'zod'
import { listQuery } from '../envelope.ts'
import { deliveryMethods, factsOf, pushMethod, smsMethods } from './methods.ts'

export const deliveryMethod = z.enum(deliveryMethods)
export type DeliveryMethod = z.infer<typeof deliveryMethod>

/** A method of deliveries, or notifications. */
export const anyMethod = z
  .enum([...deliveryMethods, pushMethod])
  .describe('web-push: one notification in each browser in which the member turned them on')

export const deliveryState = z
  .enum(['planned', 'sending', 'sent', 'delivered', 'bounced', 'failed', 'suppressed', 'held', 'unconfirmed'])
  .describe(
    'held: planned, but its edition waits for an editor. unconfirmed: handed over, but the reply of the mail server was lost',
  )

/** The reasons why deliveries that are due still wait. */
const waitingReason = z
  .enum([
    'quiet-hours',
    'rate-limit',
    'server-unavailable',
    'domain-refuses',
    'pdf-failed',
    'no-worker',
    'stopped',
    'held',
    'withdrawn',
  ])
  .describe(
    'quiet-hours: it is night for the member. rate-limit: the server asks us to slow down, or SMS_PER_SECOND is reached. server-unavailable: it is not reachable, refuses our login, or gave no clear reply. domain-refuses: the receiving domain refuses our emails. pdf-failed: the PDF could not be made. no-worker: no worker sends. stopped: by an editor. held: its edition missed its time, or all sending is held. withdrawn: nothing of it is published',
  )

/** The deliveries that wait, and why. */
const waiting = z.object({
  reason: waitingReason,
  until: z.iso
    .datetime()
    .nullable()
    .describe('When the first is tried again; null if that depends on a person or server'),
  message: z.string().describe('What happened and what comes next, for editors'),
})
export type Waiting = z.infer<typeof waiting>

/** An attempt to hand over a delivery, with the server's reply. */
export const deliveryAttempt = z.object({
  at: z.iso.datetime().describe('When it was handed to the server'),
  outcome: z
    .enum(['accepted', 'temporary', 'permanent', 'blocked', 'unavailable', 'unknown'])
    .describe(
      'accepted: by the server. temporary: refused for now. permanent: refused for good. blocked: the domain refuses the site. unavailable: the server took nothing. unknown: the reply was lost',
    ),
  reply: z.string().describe('What the server replied, or the error; empty if it was accepted'),
  messageId: z.string().describe('The same for every attempt'),
})
export type DeliveryAttempt = z.infer<typeof deliveryAttempt>

/** One edition or digest to one member by one method. */
export const deskDelivery = z.object({
  id: z.uuid(),
  edition: z.string().nullable().describe('Edition key; null for a digest'),
  digest: z.string().nullable().describe('MM-DD-YY; null for an edition'),
  method: anyMethod,
  state: deliveryState,
  member: z.string().nullable().describe('mem_…; null once the account is deleted'),
  recipient: z.string().describe('Masked; empty for notifications'),
  attempts: z.int(),
  reason: z.string().nullable().describe('Why it is in its state: a code, or what the mail server replied'),
  messageId: z
    .string()
    .describe(
      "The Message-ID up to its @, to find it in the mail server's log. Deliveries of one message share it: a PDF goes with its member's memos, and what becomes of one becomes of both",
    ),
  handedOverAt: z.iso.datetime().nullable().describe('When it was last handed to the mail server'),
  nextAttemptAt: z.iso.datetime().nullable(),
  sentAt: z.iso.datetime().nullable(),
  editionVersion: z.int().nullable().describe('The version of the edition that was sent'),
  waiting: waiting.nullable().describe('Why it waits; null if it does not'),
})
export type DeskDelivery = z.infer<typeof deskDelivery>

/** Query of the deliveries of an edition or digest. */
export const deliveriesQuery = listQuery.extend({
  after: z.uuid("must be the 'next' of the page before").optional(),
  state: deliveryState.optional(),
  method: anyMethod.optional(),
})
export type DeliveriesQuery = z.infer<typeof deliveriesQuery>

/** Body of `POST /desk/v1/deliveries/search`: whose deliveries to find. */
export const deliverySearch = z
  .union(
    [
      z.strictObject({
        member: z
          .string()
          .regex(/^mem_[0-9A-Za-z]{1,28}$/, "must be a member's id")
          .describe('mem_…'),
      }),
      z.strictObject({ address: z.string().min(1).max(1_000).describe('An email address, in any spelling') }),
      z.strictObject({
        number: z
          .string()
          .min(1)
          .max(100)
          .describe('A phone number; without a country code, one of PHONE_REGION'),
      }),
    ],
    'must be one of {"member":"mem_…"}, {"address":"…"} and {"number":"…"}',
  )
  .describe('In the body, so that no address stands in a log')
export type DeliverySearch = z.infer<typeof deliverySearch>

/** Query of a member's deliveries. */
export const deliverySearchQuery = listQuery.extend({
  after: z.uuid("must be the 'next' of the page before").optional(),
})

/** A member's delivery with its attempts. */
export const foundDelivery = deskDelivery.extend({
  attemptLog: z.array(deliveryAttempt).describe('Oldest first'),
})
export type FoundDelivery = z.infer<typeof foundDelivery>

/** Query of the deliveries that an editor must resolve, across editions and digests. */
export const unconfirmedQuery = listQuery.extend({
  after: z.uuid("must be the 'next' of the page before").optional(),
  state: z.literal('unconfirmed'),
})

/** Whether an edition or digest is being sent. */
const deliveryRunState = z
  .enum(['none', 'planning', 'planned', 'sending', 'stopped', 'held', 'withdrawn', 'done'])
  .describe(
    'none: nothing is sent of it. planning: its publication is not complete yet, because many members get it. stopped and held: the rest waits until an editor resumes it. withdrawn: the rest waits until it is published again',
  )

const textCost = z
  .object({
    texts: z.int(),
    segments: z.int().describe('Of all texts together'),
    amount: z.number().describe('With SMS_PRICE, in major units'),
    currency: z.string(),
  })
  .nullable()

const refusingDomain = z.object({
  domain: z.string(),
  refusals: z.int().describe('Since then, of all editions'),
  since: z.iso.datetime(),
  firstReply: z.string().describe('Without addresses'),
  retryAt: z.iso
    .datetime()
    .nullable()
    .describe(
      'When one message is tried again; the others wait. Null if nothing waits, because its server refused after it had accepted',
    ),
  text: z
    .string()
    .describe(
      "One line for people, in the site's time zone: gmail.com refuses us: 214 since 10:02, first reply …",
    ),
})

/** The report on the deliveries of an edition or digest. */
export const deliveryReport = z.object({
  state: deliveryRunState,
  heldReason: z.string().nullable().describe('Why it is held, or why nothing is sent at all'),
  withdrawn: z.boolean().default(false).describe('Whether nothing of it is published any more'),
  waiting: z
    .array(waiting.extend({ transport: z.enum(['email', 'sms', 'push']) }))
    .default([])
    .describe('Why emails, texts and notifications that are due still wait'),
  plannedAt: z.iso
    .datetime()
    .nullable()
    .describe('When its members were listed; null before that, as while a digest waits for its slot'),
  sendAfter: z.iso.datetime().nullable(),
  startedAt: z.iso.datetime().nullable(),
  finishedAt: z.iso.datetime().nullable(),
  archivedAt: z.iso.datetime().nullable().describe('Since when only this report is kept'),
  counts: z
    .array(
      z.object({
        method: anyMethod,
        state: deliveryState,
        reason: z.string().nullable(),
        count: z.int(),
      }),
    )
    .describe('By method, state and reason'),
  firstSentAt: z.iso.datetime().nullable(),
  lastSentAt: z.iso.datetime().nullable(),
  slowest: z
    .array(
      z.object({ id: z.uuid(), seconds: z.number().describe('From the planned time on'), attempts: z.int() }),
    )
    .describe('The deliveries that were sent last'),
  texts: textCost.default(null).describe('What the texts that were sent cost; null without any'),
  refusingDomains: z
    .array(refusingDomain)
    .default([])
    .describe(
      'The domains whose servers refused us, whatever the address, while this was sent; most refusals first. Their messages wait at most six hours',
    ),
})
export type DeliveryReport = z.infer<typeof deliveryReport>

/** How far the deliveries of an edition or digest are, by method. */
export const deliveryProgress = z.object({
  edition: z.string().nullable().describe('Edition key; null for a digest'),
  digest: z.string().nullable().describe('MM-DD-YY; null for an edition'),
  state: deliveryRunState,
  sendAfter: z.iso.datetime().describe('Until then it can be stopped before anything is sent'),
  startedAt: z.iso.datetime().nullable(),
  finishedAt: z.iso.datetime().nullable(),
  members: z.int().nullable().describe('Who get it, by any method, until sending begins; then null'),
  methods: z.array(
    z.object({
      method: anyMethod,
      all: z.int(),
      sent: z.int().describe('Accepted by the server'),
      waiting: z.int(),
      unconfirmed: z.int(),
      notDelivered: z.int(),
    }),
  ),
})
export type DeliveryProgress = z.infer<typeof deliveryProgress>

export const reportQuery = z.strictObject({
  format: z.enum(['json', 'csv']).default('json').describe('csv for a spreadsheet'),
})

/** Body of `POST /desk/v1/deliveries/{id}/resolve`. */
export const resolveRequest = z.strictObject({
  as: z
    .enum(['sent', 'send-again'])
    .describe('sent: the member has it. send-again: it is sent again with the same Message-ID'),
})

/** The shape of a PDF's pages: a phone's, or A4 for printing. */
export const pdfFormat = z.enum(['phone', 'a4'])
export type PdfFormat = z.infer<typeof pdfFormat>

export const pdfQuery = z.strictObject({
  format: pdfFormat.default('phone').describe('Pages that fit the screen of a phone, or A4'),
})

export const deliveryPreview = z.object({
  subject: z.string().describe('Empty for a text'),
  html: z.string().describe('Empty for a text'),
  text: z.string(),
  texts: textCost.describe('What it costs to text it to the members who would get it now; null for an email'),
})

export type DeliveryPreview = z.infer<typeof deliveryPreview>

/** Body of the test calls. */
export const testSendRequest = z
  .strictObject({
    method: deliveryMethod,
    to: z
      .union([z.email().max(320), z.e164()], 'must be an email address, or a number such as +12025550123')
      .describe('An email address, or a number for methods by text'),
  })
  .refine(({ method, to }) => (factsOf(method).address === 'number') === to.startsWith('+'), {
    path: ['to'],
    message: `must be a number for ${smsMethods.join(' and ')}, and an email address for the other methods`,
  })
export type TestSendRequest = z.infer<typeof testSendRequest>

export const testSendReply = z.object({
  outcome: z
    .enum(['accepted', 'temporary', 'permanent', 'unavailable', 'unknown'])
    .describe('What the mail server said: accepted it, refused it for now or for good, or gave no reply'),
  response: z.string(),
})
