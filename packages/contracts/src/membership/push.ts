import { z } from 'zod'
import { pushLimits } from '../delivery/push-limits.ts'
import { endpoint } from '../endpoint.ts'
import { dataOf } from '../envelope.ts'
import { describedError } from '../errors.ts'
import * as routes from './routes.ts'

/** A browser that gets a notification of each new edition. */
const pushDevice = z.object({
  id: z.uuid(),
  name: z.string().describe('Browser and system, as the list of sessions names them'),
  addedAt: z.iso.datetime(),
  lastNotifiedAt: z.iso.datetime().nullable(),
  current: z.boolean().describe('Whether the session that asks added it, and ends it'),
})
export type PushDevice = z.infer<typeof pushDevice>

/** Reply of `GET /member/push-devices`. */
export const pushDevicesReply = dataOf(
  z.object({
    publicKey: z
      .string()
      .nullable()
      .describe('The VAPID key that a browser subscribes with (RFC 8292); null while notifications are off'),
    planDelivers: z
      .boolean()
      .describe('Whether the member has a plan that delivers editions. Without one, no browser can be added'),
    devices: z.array(pushDevice).describe('Newest first'),
  }),
)
export type PushDevices = z.infer<typeof pushDevicesReply>['data']

const base64url = z.string().regex(/^[\w-]+={0,2}$/, 'must be base64url')

/** Body of `POST /member/push-devices`: a browser's `PushSubscription.toJSON()`. */
export const addPushDeviceRequest = z.object({
  endpoint: z.url({ protocol: /^https?$/ }).max(pushLimits.endpointLength),
  keys: z.object({ p256dh: base64url.max(120), auth: base64url.max(40) }),
})
export type AddPushDeviceRequest = z.infer<typeof addPushDeviceRequest>

/** Reply of `POST /member/push-devices`. A browser that is added again keeps its id. */
export const addedPushDeviceReply = dataOf(pushDevice)

/** Reply of `DELETE /member/push-devices/{id}`. */
export const removedPushDeviceReply = dataOf(z.object({ id: z.uuid() }))

/** The content of a push message, encrypted for its browser (RFC 8291). Nothing in it is about the member. */
export const pushMessage = z.object({
  title: z.string().describe("The title of the edition's first memo"),
  body: z.string().describe('Which edition it is: The 10AM edition'),
  path: z.string().describe('Where a tap leads, on the site: /edition/11-26-26-10AM'),
  tag: z.string().describe('The edition key. A second message of the same edition replaces the first'),
  lang: z.string().describe("The language of the title, as the edition's memo has it"),
})
export type PushMessage = z.infer<typeof pushMessage>

export const listPushDevices = endpoint(routes.listPushDevices, {
  access: 'member',
  tag: 'Membership: deliveries',
  summary: 'Lists the browsers that are notified of new editions, newest first',
  reply: pushDevicesReply,
})

export const addPushDevice = endpoint(routes.addPushDevice, {
  access: 'member',
  tag: 'Membership: deliveries',
  summary: 'Adds a browser that gets notifications, by its push subscription',
  description:
    'It ends with the session that adds it, and goes on if that expires. A browser that is added again keeps its id, and belongs to the session of this call. One that another member added in the same browser no longer notifies that member.',
  body: addPushDeviceRequest,
  reply: addedPushDeviceReply,
  errors: {
    400: describedError('Messages cannot be sent to the subscription'),
    409: describedError(
      'The member has ten browsers already or no plan that delivers editions, or notifications are off',
    ),
  },
})

export const removePushDevice = endpoint(routes.removePushDevice, {
  access: 'member',
  tag: 'Membership: deliveries',
  summary: 'Ends the notifications of one of the member’s own browsers',
  reply: removedPushDeviceReply,
})
