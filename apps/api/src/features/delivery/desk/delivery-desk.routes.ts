import type * as contract from '@tidings/contracts/delivery/deliveries'
import {
  digestDeliveryEndpoints,
  editionDeliveryEndpoints,
  listProgress,
  listUnconfirmed,
  resolveDelivery,
  searchDeliveries,
} from '@tidings/contracts/desk/deliveries'
import { registerDesk } from '#features/desk/index.ts'
import { getDate, getEditionId } from '#features/editions/index.ts'
import type { App } from '#http/app-type.ts'
import { fail } from '../delivery.errors.ts'
import type { SearchDeliveries } from '../report/delivery-search.ts'
import type { ProgressReport } from '../report/progress.service.ts'
import type { DeliveryDesk } from './delivery-desk.service.ts'
import type { DeliverySubject } from './delivery-subject.ts'
import { unsavedBodyLimit } from './unsaved-content.ts'

type Params = { key?: string | undefined; date?: string | undefined }

export function registerDeliveryDesk(
  app: App,
  { desk, search, progress }: { desk: DeliveryDesk; search: SearchDeliveries; progress: ProgressReport },
): void {
  registerSubject(app, desk, editionDeliveryEndpoints)
  registerSubject(app, desk, digestDeliveryEndpoints)

  registerDesk(app, searchDeliveries, ({ requester, query, body }) => search(body, query, requester))

  registerDesk(app, listUnconfirmed, ({ query }) => desk.listUnconfirmed(query))

  registerDesk(app, listProgress, () => progress.list())

  registerDesk(app, resolveDelivery, ({ requester, params, body }) =>
    desk.resolve(requester, params.id, body.as),
  )
}

/** Registers the calls about the deliveries of an edition, or of a digest. */
function registerSubject(
  app: App,
  desk: DeliveryDesk,
  endpoints: typeof editionDeliveryEndpoints | typeof digestDeliveryEndpoints,
): void {
  registerDesk(app, endpoints.list, ({ params, query }) => desk.list(subjectOf(params), query))
  registerDesk(app, endpoints.report, ({ params, query }) => desk.report(subjectOf(params), query.format))
  registerDesk(app, endpoints.stop, ({ requester, params }) => desk.stop(requester, subjectOf(params)))
  registerDesk(app, endpoints.resume, ({ requester, params }) => desk.resume(requester, subjectOf(params)))
  registerDesk(app, endpoints.pdf, ({ params, query }) => desk.pdf(subjectOf(params), query.format))
  registerDesk(app, endpoints.preview, ({ params }) =>
    desk.preview(withMethod(params, params.method), params.method),
  )
  registerDesk(
    app,
    endpoints.testSend,
    ({ requester, params, body }) => desk.testSend(requester, withMethod(params, body.method), body),
    { bodyLimit: unsavedBodyLimit },
  )
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
