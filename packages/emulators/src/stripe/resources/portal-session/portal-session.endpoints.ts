import { listOf } from '../../protocol/list.ts'
import { type Endpoint, endpoint } from '../endpoint.ts'
import { retrieve } from '../retrieve.ts'
import { toWirePortalConfiguration, toWirePortalSession } from './portal.wire.ts'
import { createConfiguration, updateConfiguration } from './portal-configuration.ts'
import { configurationParams, createSessionParams, listConfigurationsParams } from './portal-params.ts'
import { createPortalSession } from './portal-session.ts'

const path = '/billing_portal/configurations'

export const portalConfigurationEndpoints: Endpoint[] = [
  endpoint('POST', path, configurationParams, ({ store, params }) =>
    toWirePortalConfiguration(createConfiguration(store, params)),
  ),
  endpoint('GET', path, listConfigurationsParams, ({ store, params }) => {
    const { active } = params
    const found = store.of('portalConfiguration').list((one) => active === undefined || one.active === active)
    return listOf(found, params, `/v1${path}`, toWirePortalConfiguration)
  }),
  retrieve(path, 'portalConfiguration', (_world, one) => toWirePortalConfiguration(one)),
  endpoint('POST', `${path}/:id`, configurationParams, ({ store, params, id }) =>
    toWirePortalConfiguration(updateConfiguration(store, id, params)),
  ),
]

export const portalSessionEndpoints: Endpoint[] = [
  endpoint('POST', '/billing_portal/sessions', createSessionParams, ({ store, params }) =>
    toWirePortalSession(createPortalSession(store, params)),
  ),
]
