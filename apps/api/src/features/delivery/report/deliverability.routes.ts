import { deliverabilityQuery, deliverabilityRow } from '@tidings/contracts/delivery/deliverability'
import { pageOf } from '@tidings/contracts/envelope'
import { paths } from '@tidings/contracts/paths'
import { deskRoute } from '#features/desk/index.ts'
import type { App } from '#http/app-type.ts'
import type { DeliverabilityService } from './deliverability.service.ts'

export function registerDeliverability(
  app: App,
  { deliverability }: { deliverability: DeliverabilityService },
): void {
  deskRoute(app, {
    method: 'GET',
    url: paths.desk.deliverability,
    tag: 'Desk: deliveries',
    summary: 'Returns what became of emails, by receiving domain and day',
    description:
      'The newest day first, and in a day the domain with the most emails. Kept for 400 days, also once the deliveries are archived.',
    scope: 'read',
    query: deliverabilityQuery,
    response: { 200: pageOf(deliverabilityRow) },
    run: ({ query }) => deliverability.list(query),
  })
}
