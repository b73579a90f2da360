import { type Endpoint, endpoint } from '../../http/endpoint.ts'
import { retrieve } from '../../http/retrieve.ts'
import { listOf } from '../../protocol/list.ts'
import { toWirePortalConfiguration, toWirePortalSession } from '../../wire/portal.ts'
import { createConfiguration, updateConfiguration } from './configurations.ts'
import { createPortalSession } from './create-session.ts'
import { configurationParams, createSessionParams, listConfigurationsParams } from './portal-params.ts'

const path = '/billing_portal/configurations'

export const portalEndpoints: Endpoint[] = [
  endpoint('POST', path, configurationParams, ({ world, params }) =>
    toWirePortalConfiguration(createConfiguration(world, params)),
  ),
  endpoint('GET', path, listConfigurationsParams, ({ world, params }) => {
    const { active } = params
    const found = world.of('portalConfiguration').list((one) => active === undefined || one.active === active)
    return listOf(found, params, `/v1${path}`, toWirePortalConfiguration)
  }),
  retrieve(path, 'portalConfiguration', (_world, one) => toWirePortalConfiguration(one)),
  endpoint('POST', `${path}/:id`, configurationParams, ({ world, params, id }) =>
    toWirePortalConfiguration(updateConfiguration(world, id, params)),
  ),
  endpoint('POST', '/billing_portal/sessions', createSessionParams, ({ world, params }) =>
    toWirePortalSession(createPortalSession(world, params)),
  ),
]
