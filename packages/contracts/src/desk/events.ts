import { z } from 'zod'
import { deliveryReport } from '../delivery/deliveries.ts'
import { editionStatus } from '../editions.ts'

/** An editor in an event: a person, or a script by its key. */
export const deskActor = z.object({ kind: z.enum(['key', 'person']), id: z.string(), name: z.string() })
export type DeskActor = z.infer<typeof deskActor>

const report = deliveryReport.shape

const by = deskActor.nullable().describe('Null for a change by the site itself')

/** Everyone at the desk, with the memos and articles that they have open. Sent when a socket opens and when it changes. */
const presenceEvent = z.object({
  type: z.literal('presence'),
  people: z.array(deskActor.extend({ memos: z.array(z.uuid()), articles: z.array(z.uuid()) })),
})

/** A memo that was added, changed or moved. */
const memoSavedEvent = z.object({
  type: z.literal('saved'),
  memo: z.uuid(),
  edition: z.string().describe('Edition key'),
  version: z.int(),
  by,
})

/** A memo that was deleted. */
const memoRemovedEvent = memoSavedEvent.omit({ version: true }).extend({ type: z.literal('removed') })

/** A gated article that was created, saved, changed, published or deleted. */
const articleEvent = z.object({
  type: z.literal('article'),
  article: z.uuid(),
  version: z
    .int()
    .nullable()
    .describe('As it is written now, with changes that readers don’t have. Null once it is deleted'),
  by,
})

/** An edition that was created, scheduled, published, withdrawn or held. */
const editionEvent = z.object({
  type: z.literal('edition'),
  edition: z.string().describe('Edition key'),
  status: editionStatus,
  version: z.int(),
  by,
})

/** A comment that a member wrote, a reader reported, or an editor hid, showed again or kept. */
const commentEvent = z.object({
  type: z.literal('comment'),
  comment: z.string().describe('cmt_…'),
  change: z.enum(['new', 'reported', 'hidden', 'shown', 'kept']),
})

/** All comments of a member, which an editor hid or showed again. */
const commentAuthorEvent = z.object({
  type: z.literal('comment-author'),
  member: z.string(),
  change: z.enum(['hidden', 'shown']),
})

/** How far a delivery is: at most once a second while it is sent, and when its state changes. */
export const deliveryEvent = z.object({
  type: z.literal('delivery'),
  edition: z.string().nullable().describe('Edition key; null for a digest'),
  digest: z.string().nullable().describe('MM-DD-YY of a digest; null for an edition'),
  state: report.state,
  sendAfter: z.iso.datetime().describe('When it is sent, or was to be sent'),
  counts: z
    .array(report.counts.element.omit({ reason: true }))
    .describe('How many deliveries of each method are in each state'),
})
export type DeliveryEvent = z.infer<typeof deliveryEvent>

/** The events that a change announces in its transaction. They have ids and names only: a desk reads the rest. */
export const announcedEvent = z.discriminatedUnion('type', [
  memoSavedEvent,
  memoRemovedEvent,
  articleEvent,
  editionEvent,
  commentEvent,
  commentAuthorEvent,
])
export type AnnouncedEvent = z.infer<typeof announcedEvent>

/** Every frame of `/desk/socket`. */
export const deskEvent = z.discriminatedUnion('type', [
  presenceEvent,
  deliveryEvent,
  ...announcedEvent.options,
])
export type DeskEvent = z.infer<typeof deskEvent>

/** The message of a client: its open memo or article, every 10 seconds and when it changes. */
export const presenceMessage = z.strictObject({
  type: z.literal('presence'),
  memo: z.uuid().nullable().describe('The memo that is open; null without one'),
  article: z.uuid().nullable().default(null).describe('The article that is open; null without one'),
})

/** The times of presence. */
export const presenceSeconds = { heartbeat: 10, goneAfter: 30 } as const
