import { pushLimits } from '@tidings/contracts/delivery/push-limits'
import { createFail } from '#platform/errors.ts'

/** Tells editors that a withdrawn edition or digest isn't sent, and how to send it. */
export const withdrawnTexts = {
  edition:
    'This edition is withdrawn, so it isn’t sent. Publish it again to send the rest. If its delivery is then stopped or held, resume it. To publish it without sending it, add `deliver: false`.',
  digest:
    'Every edition of this day is withdrawn or stopped, so its digest isn’t sent. Publish or resume one to send the rest. If the delivery of the digest is then stopped or held, resume it.',
} as const

export const fail = createFail({
  'own-address-only': () => [403, 'Writers send tests to their own address. Ask an editor to send this one.'],
  'edition-not-found': (key?: string) => [
    404,
    key === undefined
      ? 'This edition doesn’t exist, or nothing is published on this day.'
      : `The edition ${key} doesn’t exist. Create it with PUT /desk/v1/editions/${key}.`,
  ],
  'digest-empty': () => [404, 'No edition of this day has a memo yet, so its digest is empty.'],
  'delivery-not-found': () => [
    404,
    'This delivery doesn’t exist, or nothing of this edition or day is sent.',
  ],
  'delivery-not-plannable': (state: 'done' | 'sending' | 'stopped' | 'held') => [
    409,
    {
      done: 'This edition has already been sent, and nothing is sent twice. Leave out `deliver`.',
      sending: 'This edition is already being sent. Leave out `deliver`.',
      stopped:
        'The delivery of this edition is stopped. Publish it without `deliver`, then resume it with POST …/deliveries/resume.',
      held: 'The delivery of this edition is held; its report says why. Publish it without `deliver`, then resume it with POST …/deliveries/resume.',
    }[state],
  ],
  'delivery-not-stoppable': (state: 'done' | 'stopped' | 'held') => [
    409,
    {
      done: 'Everything has been sent already, so there is nothing to stop.',
      stopped: 'This delivery is stopped already. Resume it with POST …/deliveries/resume.',
      held: 'This delivery is held already, so nothing is sent; its report says why.',
    }[state],
  ],
  'delivery-not-resumable': (state: 'planned' | 'sending' | 'done') => [
    409,
    {
      planned: 'This delivery isn’t stopped: it is sent at the time in its report.',
      sending: 'This delivery isn’t stopped: it is being sent.',
      done: 'Everything has been sent already, so there is nothing to resume.',
    }[state],
  ],
  'delivery-not-unconfirmed': (state: string) => [
    409,
    `This delivery is ${state}. Only an unconfirmed delivery can be resolved.`,
  ],
  'nothing-to-correct': () => [
    409,
    'Nothing is sent: readers have the text that this memo had from the beginning, or no member got the old one by email.',
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
