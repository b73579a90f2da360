import { type Endpoint, endpoint } from '../../http/endpoint.ts'
import { listOf } from '../../protocol/list.ts'
import { object } from '../../protocol/params.ts'
import { toWirePortalConfiguration, toWirePortalSession } from '../../wire/portal.ts'
import { createConfiguration, updateConfiguration } from './configurations.ts'
import { createPortalSession } from './create-session.ts'
import {
  createConfigurationParams,
  createSessionParams,
  listConfigurationsParams,
  updateConfigurationParams,
} from './portal-params.ts'

const path = '/billing_portal/configurations'

export const portalEndpoints: Endpoint[] = [
  endpoint('POST', path, createConfigurationParams, ({ world, params }) =>
    toWirePortalConfiguration(createConfiguration(world, params)),
  ),
  endpoint('GET', path, listConfigurationsParams, ({ world, params }) => {
    const { active, is_default: isDefault } = params
    const found = world
      .of('portalConfiguration')
      .list(
        (one) =>
          (active === undefined || one.active === active) &&
          (isDefault === undefined || one.isDefault === isDefault),
      )
    return listOf(found, params, `/v1${path}`, toWirePortalConfiguration)
  }),
  endpoint('GET', `${path}/:id`, object({}), ({ world, id }) =>
    toWirePortalConfiguration(world.of('portalConfiguration').get(id)),
  ),
  endpoint('POST', `${path}/:id`, updateConfigurationParams, ({ world, params, id }) =>
    toWirePortalConfiguration(updateConfiguration(world, id, params)),
  ),
  endpoint('POST', '/billing_portal/sessions', createSessionParams, ({ world, params }) =>
    toWirePortalSession(createPortalSession(world, params)),
  ),
]
