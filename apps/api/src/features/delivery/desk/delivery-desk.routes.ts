import * as contract from '@tidings/contracts/delivery/deliveries'
import { dataOf, pageOf } from '@tidings/contracts/envelope'
import { describedError } from '@tidings/contracts/errors'
import { paths } from '@tidings/contracts/paths'
import { z } from 'zod'
import { deskRoute } from '#features/desk/index.ts'
import { getDate, getEditionId } from '#features/editions/index.ts'
import type { App } from '#http/app-type.ts'
import { fail } from '../delivery.errors.ts'
import type { SearchDeliveries } from '../report/delivery-search.ts'
import type { DeliveryDesk } from './delivery-desk.service.ts'
import type { DeliverySubject } from './delivery-subject.ts'

const tag = 'Desk: deliveries'
const deliveryParams = z.object({ id: z.uuid("must be a delivery's id") })

/** Editions and digests have the same calls. */
const kinds = [
  {
    name: 'an edition',
    params: { key: z.string().describe('MM-DD-YY-slot') },
    method: contract.deliveryMethod.exclude(['digest']),
    urls: {
      list: paths.desk.editionDeliveries,
      stop: paths.desk.stopEditionDeliveries,
      resume: paths.desk.resumeEditionDeliveries,
      report: paths.desk.editionDeliveryReport,
      pdf: paths.desk.editionPdf,
      preview: paths.desk.editionPreview,
      testSend: paths.desk.editionTestSend,
    },
  },
  {
    name: 'the digest of a day',
    params: { date: z.string().describe('MM-DD-YY') },
    method: contract.deliveryMethod.extract(['digest']),
    urls: {
      list: paths.desk.digestDeliveries,
      stop: paths.desk.stopDigestDeliveries,
      resume: paths.desk.resumeDigestDeliveries,
      report: paths.desk.digestDeliveryReport,
      pdf: paths.desk.digestPdf,
      preview: paths.desk.digestPreview,
      testSend: paths.desk.digestTestSend,
    },
  },
] as const

type Params = { key?: string | undefined; date?: string | undefined }

export function registerDeliveryDesk(
  app: App,
  { desk, search }: { desk: DeliveryDesk; search: SearchDeliveries },
): void {
  for (const { name, urls, params: fields, method } of kinds) {
    const params: z.ZodType<Params> = z.object(fields)
    const report = dataOf(contract.deliveryReport)

    deskRoute(app, {
      method: 'GET',
      url: urls.list,
      tag,
      summary: `Lists the deliveries of ${name}, in the order in which they are sent`,
      scope: 'read',
      params,
      query: contract.deliveriesQuery,
      response: { 200: pageOf(contract.deskDelivery) },
      run: ({ params, query }) => desk.list(subjectOf(params), query),
    })

    deskRoute(app, {
      method: 'GET',
      url: urls.report,
      tag,
      summary: `Returns what happened to the deliveries of ${name}`,
      description: '`?format=csv` returns the counts as CSV.',
      scope: 'read',
      params,
      query: contract.reportQuery,
      response: { 200: report },
      run: ({ params, query }) => desk.report(subjectOf(params), query.format),
    })

    deskRoute(app, {
      method: 'POST',
      url: urls.stop,
      tag,
      summary: `Stops sending ${name}`,
      description: 'Only the messages in flight are still sent.',
      scope: 'publish',
      params,
      response: { 200: report, 409: describedError('It is not being sent, or its edition is withdrawn') },
      run: ({ requester, params }) => desk.stop(requester, subjectOf(params)),
    })

    deskRoute(app, {
      method: 'POST',
      url: urls.resume,
      tag,
      summary: `Resumes sending ${name}, also one that was held`,
      scope: 'publish',
      params,
      response: {
        200: report,
        409: describedError('It is not stopped or held, or its edition is withdrawn'),
      },
      run: ({ requester, params }) => desk.resume(requester, subjectOf(params)),
    })

    deskRoute(app, {
      method: 'GET',
      url: urls.pdf,
      tag,
      summary: `Returns ${name} as PDF`,
      description: 'Drafts too.',
      scope: 'read',
      params,
      query: contract.pdfQuery,
      response: {},
      run: ({ params, query }) => desk.pdf(subjectOf(params), query.format),
    })

    deskRoute(app, {
      method: 'GET',
      url: urls.preview,
      tag,
      summary: `Returns ${name} as members get it`,
      description: 'Drafts too. Its links say that it is a test. Of a text, also what it would cost now.',
      scope: 'read',
      params: z.object({ ...fields, method }),
      response: { 200: dataOf(contract.deliveryPreview) },
      run: ({ params }) => desk.preview(withMethod(params, params.method), params.method),
    })

    deskRoute(app, {
      method: 'POST',
      url: urls.testSend,
      tag,
      summary: `Sends ${name} as a test`,
      description: 'To one address, or to one number as a text. Its links say that it is a test.',
      scope: 'publish',
      params,
      body: contract.testSendRequest,
      response: { 200: dataOf(contract.testSendReply) },
      run: ({ requester, params, body }) => desk.testSend(requester, withMethod(params, body.method), body),
    })
  }

  deskRoute(app, {
    method: 'POST',
    url: paths.desk.searchDeliveries,
    tag,
    summary: "Finds a member's deliveries by id, address or number, newest first",
    description:
      'With each attempt. A `POST`, so that no address stands in a log. An address or number that the member had before finds what was sent to it.',
    scope: 'read',
    query: contract.deliverySearchQuery,
    body: contract.deliverySearch,
    response: { 200: pageOf(contract.foundDelivery) },
    run: ({ query, body }) => search(body, query),
  })

  deskRoute(app, {
    method: 'GET',
    url: paths.desk.deliveries,
    tag,
    summary: 'Lists the unconfirmed deliveries of all editions and digests',
    scope: 'read',
    query: contract.unconfirmedQuery,
    response: { 200: pageOf(contract.deskDelivery) },
    run: ({ query }) => desk.listUnconfirmed(query),
  })

  deskRoute(app, {
    method: 'POST',
    url: paths.desk.resolveDelivery,
    tag,
    summary: 'Decides what became of an unconfirmed delivery',
    scope: 'publish',
    params: deliveryParams,
    body: contract.resolveRequest,
    response: {
      200: dataOf(contract.deskDelivery),
      409: describedError('It is not unconfirmed, or it is to be sent again and its edition is withdrawn'),
    },
    run: ({ requester, params, body }) => desk.resolve(requester, params.id, body.as),
  })
}

function subjectOf({ key, date }: Params): DeliverySubject {
  return key === undefined ? { digest: getDate(date ?? '') } : { edition: getEditionId(key) }
}

/** Returns the subject. Throws `invalid-request` for a method that doesn't send it. */
function withMethod(params: Params, method: contract.DeliveryMethod): DeliverySubject {
  const subject = subjectOf(params)
  if ('digest' in subject === (method === 'digest')) return subject
  throw fail('invalid-request', 'method: digests are sent by digest, and editions by the other methods')
}
