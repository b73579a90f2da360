import { type CalendarDate, formatEditionKey } from '@tidings/contracts/edition-key'

/** A memo that waits at the top because showing it would move what is being read. */
export type HeldArrival = { editionKey: string; memoId: string; memo: unknown }

export type HeldArrivalsEvent =
  | { type: 'held'; arrival: { date: CalendarDate; slot: string; memo: unknown }; memoId: string }
  | { type: 'shown'; editionKey: string }

/** The memos that wait, in the order they came; the same one waits once, in its newest form. */
export function heldArrivalsReducer(
  held: readonly HeldArrival[],
  event: HeldArrivalsEvent,
): readonly HeldArrival[] {
  switch (event.type) {
    case 'held': {
      const { date, slot, memo } = event.arrival
      const others = held.filter(({ memoId }) => memoId !== event.memoId)
      return [...others, { editionKey: formatEditionKey(date, slot), memoId: event.memoId, memo }]
    }
    case 'shown':
      return held.some(({ editionKey }) => editionKey === event.editionKey)
        ? held.filter(({ editionKey }) => editionKey !== event.editionKey)
        : held
  }
}
