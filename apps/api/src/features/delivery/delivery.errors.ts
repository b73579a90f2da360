import { createFail } from '#platform/errors.ts'

export const fail = createFail({
  'edition-not-found': () => [404, 'There is no such edition, or nothing is published on this day.'],
  'delivery-not-found': () => [404, 'There is no such delivery, or nothing is sent of this edition or day.'],
  'delivery-not-stoppable': (state: string) => [409, `It is ${state}, so there is nothing to stop.`],
  'delivery-not-resumable': (state: string) => [
    409,
    `It is ${state}. Only a stopped or held delivery resumes.`,
  ],
  'delivery-not-unconfirmed': (state: string) => [
    409,
    `This delivery is ${state}; only unconfirmed ones are resolved.`,
  ],
  'invalid-request': (message: string) => [400, message],
})
