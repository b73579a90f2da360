import { createFail } from '#platform/errors.ts'

export const fail = createFail({
  'edition-not-found': () => [404, 'No edition is published for this date and slot.'],
  'slot-not-found': (slot: string, labels: readonly string[]) => [
    404,
    `There is no slot ${slot}. The slots are ${labels.join(', ')}.`,
  ],
  'edition-not-scheduled-in-future': (publishAt: Date) => [
    409,
    `Its time, ${publishAt.toISOString()}, has passed. Publish it now instead of scheduling it.`,
  ],
  'edition-after-next-slot': (limit: Date) => [
    409,
    `Choose a time before ${limit.toISOString()}, when the next edition appears.`,
  ],
  'edition-not-withdrawn': (key: string) => [
    409,
    `The edition ${key} is public, or it never was, so there is no withdrawal to undo. Publish a draft with POST …/publish.`,
  ],
  'edition-was-public': (key: string) => [
    409,
    `Readers had the edition ${key}, so it can’t be deleted. Withdraw it instead.`,
  ],
  'invalid-date': (reason: string) => [400, `${reason} Use MM-DD-YY, such as 11-20-26.`],
  'invalid-edition-key': () => [400, 'Write an edition key as MM-DD-YY-slot, such as 11-20-26-10AM.'],
})
