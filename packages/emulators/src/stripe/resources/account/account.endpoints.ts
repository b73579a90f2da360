import { type Endpoint, endpoint } from '../../endpoints/endpoint.ts'
import { listOf, pagination } from '../../protocol/list.ts'
import { choice, object } from '../../protocol/params.ts'
import { taxRegistrations, toWireAccount, toWireTaxSettings, webhookEndpoints } from './account.ts'

export const accountEndpoints: Endpoint[] = [
  endpoint('GET', '/account', object({}), ({ store }) => toWireAccount(store)),
  endpoint('GET', '/tax/settings', object({}), ({ store }) => toWireTaxSettings(store)),
  endpoint(
    'GET',
    '/tax/registrations',
    object({ ...pagination, status: choice('active', 'all', 'expired', 'scheduled').optional() }),
    ({ store, params: { status, ...page } }) =>
      listOf(
        status === 'expired' || status === 'scheduled' ? [] : taxRegistrations(store),
        page,
        '/v1/tax/registrations',
        (one) => one,
      ),
  ),
  endpoint('GET', '/webhook_endpoints', object(pagination), ({ store, params }) =>
    listOf(webhookEndpoints(store), params, '/v1/webhook_endpoints', (one) => one),
  ),
]
