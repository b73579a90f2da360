import { z } from 'zod'
import {
  deliveriesQuery,
  deliveryMethod,
  deliveryPreview,
  deliveryProgress,
  deliveryReport,
  deliverySearch,
  deliverySearchQuery,
  deskDelivery,
  foundDelivery,
  pdfQuery,
  reportQuery,
  resolveRequest,
  testSendReply,
  testSendRequest,
  unconfirmedQuery,
} from '../delivery/deliveries.ts'
import { dataOf, pageOf } from '../envelope.ts'
import { describedError } from '../errors.ts'
import { deskEndpoint } from './desk-endpoint.ts'
import * as routes from './routes.ts'
import { unsavedMemos, unsavedOfDay, unsavedSubject } from './unsaved.ts'

const deliveryParams = z.object({ id: z.uuid("must be a delivery's id") })

export const searchDeliveries = deskEndpoint(routes.searchDeliveries, {
  tag: 'Desk: deliveries',
  summary: "Finds a member's deliveries by id, address or number, newest first",
  description:
    'With each attempt. A `POST`, so that no address stands in a log. An address or number that the member had before finds what was sent to it.',
  scope: 'read',
  roles: ['editor', 'owner'],
  query: deliverySearchQuery,
  body: deliverySearch,
  reply: pageOf(foundDelivery),
})

export const listUnconfirmed = deskEndpoint(routes.listUnconfirmed, {
  tag: 'Desk: deliveries',
  summary: 'Lists the unconfirmed deliveries of all editions and digests',
  scope: 'read',
  query: unconfirmedQuery,
  reply: pageOf(deskDelivery),
})

export const listProgress = deskEndpoint(routes.listProgress, {
  tag: 'Desk: deliveries',
  summary: 'Returns how far the deliveries of editions and digests are',
  description:
    'Of those that wait or are being sent, and for ten minutes of those that are done. Cheap: it may be read every second.',
  scope: 'read',
  reply: dataOf(z.array(deliveryProgress)),
})

export const resolveDelivery = deskEndpoint(routes.resolveDelivery, {
  tag: 'Desk: deliveries',
  summary: 'Decides what became of an unconfirmed delivery',
  scope: 'publish',
  params: deliveryParams,
  body: resolveRequest,
  reply: dataOf(deskDelivery),
  errors: {
    409: describedError('It is not unconfirmed, or it is to be sent again and its edition is withdrawn'),
  },
})

const report = dataOf(deliveryReport)

/** Body of a test of an edition, as it is stored or as it stands in the editor. */
const editionTest = testSendRequest.safeExtend({
  memos: unsavedMemos
    .optional()
    .describe('The memos as they stand in the editor, in their order; without them, those that are stored'),
  subject: unsavedSubject,
})
export type EditionTest = z.infer<typeof editionTest>

/** Body of a test of a digest, which has all editions of its day, drafts too. */
const digestTest = testSendRequest.safeExtend({
  unsaved: unsavedOfDay,
})
export type DigestTest = z.infer<typeof digestTest>

/** Returns the calls that editions and digests both have. */
function subjectEndpoints<
  const Base extends string,
  Shape extends z.core.$ZodShape,
  Method extends z.ZodType,
  Test extends z.ZodType,
>(
  base: Base,
  name: string,
  terms: { key: Shape; method: Method; test: Test; pages: string; stopping: string },
) {
  const { key, method, test, pages, stopping } = terms
  const shared = { tag: 'Desk: deliveries', params: z.object(key) } as const
  return {
    list: deskEndpoint({ method: 'GET', path: `${base}/deliveries` } as const, {
      ...shared,
      summary: `Lists the deliveries of ${name}, in the order in which they are sent`,
      scope: 'read',
      query: deliveriesQuery,
      reply: pageOf(deskDelivery),
    }),
    report: deskEndpoint({ method: 'GET', path: `${base}/delivery-report` } as const, {
      ...shared,
      summary: `Returns what happened to the deliveries of ${name}`,
      description: '`?format=csv` returns the counts as CSV.',
      scope: 'read',
      query: reportQuery,
      reply: report,
    }),
    stop: deskEndpoint({ method: 'POST', path: `${base}/deliveries/stop` } as const, {
      ...shared,
      summary: `Stops sending ${name}`,
      description: `Only the messages in flight are still sent. ${stopping}`,
      scope: 'publish',
      reply: report,
      errors: { 409: describedError('It is not being sent, or its edition is withdrawn') },
    }),
    resume: deskEndpoint({ method: 'POST', path: `${base}/deliveries/resume` } as const, {
      ...shared,
      summary: `Resumes sending ${name}, also one that was held`,
      scope: 'publish',
      reply: report,
      errors: { 409: describedError('It is not stopped or held, or its edition is withdrawn') },
    }),
    pdf: deskEndpoint({ method: 'GET', path: `${base}/pdf` } as const, {
      ...shared,
      summary: `Returns ${name} as PDF`,
      description: pages,
      scope: 'read',
      query: pdfQuery,
    }),
    preview: deskEndpoint({ method: 'GET', path: `${base}/preview/:method` } as const, {
      ...shared,
      summary: `Returns ${name} as members get it`,
      description: `${pages} Its links say that it is a test. Of a text, also what it would cost now.`,
      scope: 'read',
      params: z.object({ ...key, method }),
      reply: dataOf(deliveryPreview),
    }),
    testSend: deskEndpoint({ method: 'POST', path: `${base}/test-send` } as const, {
      ...shared,
      summary: `Sends ${name} as a test`,
      description:
        'To one address, or to one number as a text. Drafts too, as in a preview. Its links say that it is a test. Text that is not saved yet is rendered as in a preview, and nothing of it is stored. Writers send it to their own address only.',
      scope: 'publish',
      // Writers send tests to themselves only.
      roles: ['writer', 'editor', 'owner'],
      body: test,
      reply: dataOf(testSendReply),
    }),
  }
}

export const editionDeliveryEndpoints = subjectEndpoints('/desk/v1/editions/:key', 'an edition', {
  key: { key: z.string().describe('MM-DD-YY-slot') },
  method: deliveryMethod.exclude(['digest']),
  pages: 'Drafts too.',
  stopping:
    'The digest of its day leaves it out until it is resumed, and waits for the last edition until DIGEST_LATEST.',
  test: editionTest,
})

export const digestDeliveryEndpoints = subjectEndpoints('/desk/v1/digests/:date', 'the digest of a day', {
  key: { date: z.string().describe('MM-DD-YY') },
  method: deliveryMethod.extract(['digest']),
  pages: 'Of published editions that are not stopped. POST /desk/v1/preview/digest has the drafts too.',
  stopping: 'Its editions are sent as they are.',
  test: digestTest,
})
