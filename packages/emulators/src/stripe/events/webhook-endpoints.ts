import { isLocal } from '../../local-address.ts'
import { type Endpoint, endpoint } from '../http/endpoint.ts'
import { invalid, resourceMissing } from '../protocol/errors.ts'
import { isWithin, listing, listOf, pagination } from '../protocol/list.ts'
import { changeMetadata, metadata, newMetadata } from '../protocol/metadata.ts'
import { boolean, choice, emptyable, given, list, object, text, url } from '../protocol/params.ts'
import { apiVersion, toWireEvent, toWireWebhookEndpoint } from '../wire/event.ts'
import type { World } from '../world/world.ts'

/** Only this machine is sent to, besides the endpoint that the stand-in is started with. */
function requireLocal(address: string) {
  if (isLocal(new URL(address))) return
  throw invalid('Invalid URL: the stand-in only delivers to this machine.', {
    code: 'url_invalid',
    param: 'url',
  })
}

const path = '/webhook_endpoints'

const webhookEndpoints = [
  endpoint(
    'POST',
    path,
    object({
      url,
      enabled_events: list(text),
      api_version: choice(apiVersion).optional(),
      connect: boolean.optional(),
      description: emptyable(text).optional(),
      metadata: metadata.optional(),
    }),
    ({ world, params }) => {
      requireLocal(params.url)
      const record = world.of('webhookEndpoint').put({
        id: world.newId('we'),
        created: world.now(),
        url: params.url,
        secret: world.newId('whsec'),
        enabledEvents: params.enabled_events,
        status: 'enabled',
        description: params.description ?? null,
        metadata: newMetadata(params.metadata),
      })
      return { ...toWireWebhookEndpoint(record), secret: record.secret }
    },
  ),
  endpoint('GET', path, object(pagination), ({ world, params }) =>
    listOf(world.of('webhookEndpoint').list(), params, `/v1${path}`, toWireWebhookEndpoint),
  ),
  endpoint('GET', `${path}/:id`, object({}), ({ world, id }) =>
    toWireWebhookEndpoint(world.of('webhookEndpoint').get(id)),
  ),
  endpoint(
    'POST',
    `${path}/:id`,
    object({
      url: url.optional(),
      enabled_events: list(text).optional(),
      disabled: boolean.optional(),
      description: emptyable(text).optional(),
      metadata: metadata.optional(),
    }),
    ({ world, params, id }) => {
      const record = world.of('webhookEndpoint').get(id)
      if (params.url !== undefined) requireLocal(params.url)
      const status = params.disabled === undefined ? record.status : params.disabled ? 'disabled' : 'enabled'
      const changed = world.of('webhookEndpoint').put({
        ...record,
        url: params.url ?? record.url,
        enabledEvents: params.enabled_events ?? record.enabledEvents,
        status,
        description: given(params.description, record.description),
        metadata: changeMetadata(record.metadata, params.metadata),
      })
      return toWireWebhookEndpoint(changed)
    },
  ),
  endpoint('DELETE', `${path}/:id`, object({}), ({ world, id }) => {
    const record = world.of('webhookEndpoint').get(id)
    world.of('webhookEndpoint').remove(record.id)
    return { id: record.id, object: 'webhook_endpoint', deleted: true }
  }),
]

const events = [
  endpoint(
    'GET',
    '/events',
    object({
      ...listing,
      delivery_success: boolean.optional(),
      type: text.optional(),
      types: list(text).optional(),
    }),
    ({ world, params }) => {
      const { types, type, delivery_success: isDelivered } = params
      const found = world
        .of('event')
        .list(
          (event) =>
            isWithin(params.created, event.created) &&
            (isDelivered === undefined || (event.pending.length === 0) === isDelivered) &&
            (type === undefined || isOfType(event.type, type)) &&
            (types === undefined || types.includes(event.type)),
        )
      return listOf(found, params, '/v1/events', toWireEvent)
    },
  ),
  endpoint('GET', '/events/:id', object({}), ({ world, id }) => toWireEvent(eventOf(world, id))),
]

/** A type may end in `*`, which stands for whatever follows. */
function isOfType(type: string, wanted: string) {
  return wanted.endsWith('*') ? type.startsWith(wanted.slice(0, -1)) : type === wanted
}

function eventOf(world: World, id: string) {
  const event = world.of('event').find(id)
  if (!event) throw resourceMissing('event', id)
  return event
}

export const webhookEndpointsAndEvents: Endpoint[] = [...webhookEndpoints, ...events]
