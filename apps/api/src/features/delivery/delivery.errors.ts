import { pushLimits } from '@tidings/contracts/delivery/push-limits'
import { createFail } from '#platform/errors.ts'

/** Says of an edition or digest with nothing published that nothing is sent, and what an editor can do. */
export const withdrawnTexts = {
  edition:
    'This edition is withdrawn, so nothing of it is sent. Publish it again to send what is left, and resume its delivery if it is then stopped or held. To publish it without sending it, add `deliver: false`.',
  digest:
    'No edition of this day is published any more, so nothing of its digest is sent. Publish one again to send what is left, and resume the delivery if it is then stopped or held.',
} as const

export const fail = createFail({
  'edition-not-found': () => [404, 'There is no such edition, or nothing is published on this day.'],
  'delivery-not-found': () => [404, 'There is no such delivery, or nothing is sent of this edition or day.'],
  'delivery-not-plannable': (state: 'done' | 'sending' | 'stopped' | 'held') => [
    409,
    {
      done: 'Members were sent this edition already, and nothing is sent twice. Leave out `deliver`.',
      sending: 'It is being sent already. Leave out `deliver`.',
      stopped:
        'Its delivery is stopped. Publish it without `deliver`, then resume it with POST …/deliveries/resume.',
      held: 'Its delivery is held. Its report says why. Publish it without `deliver`, then resume it with POST …/deliveries/resume.',
    }[state],
  ],
  'delivery-not-stoppable': (state: string) => [409, `It is ${state}, so there is nothing to stop.`],
  'delivery-not-resumable': (state: string) => [
    409,
    `It is ${state}. Only a stopped or held delivery resumes.`,
  ],
  'delivery-not-unconfirmed': (state: string) => [
    409,
    `This delivery is ${state}; only unconfirmed ones are resolved.`,
  ],
  'edition-withdrawn': (subject: 'edition' | 'digest') => [409, withdrawnTexts[subject]],
  'push-off': () => [409, 'Notifications are turned off on this site.'],
  'push-needs-plan': () => [409, 'Notifications are for members with a plan that includes editions.'],
  'push-device-not-found': () => [
    404,
    'This browser is no longer notified. Reload the page to see which ones are.',
  ],
  'push-devices-full': () => [
    409,
    `You already have notifications in ${pushLimits.devices} browsers. Turn them off in one that you no longer use, then turn them on here.`,
  ],
  'push-service-refused': () => [
    400,
    'Notifications don’t work in this browser. Update it, or turn them on in another one.',
  ],
  'invalid-request': (message: string) => [400, message],
})
