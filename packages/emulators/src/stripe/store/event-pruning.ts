import type { createCollections } from './collections.ts'

/** How many events are kept, beside those that are not delivered yet. */
const eventLimit = 20_000

/** Old events are pruned each time so many new ones were emitted. */
const pruningStep = 2_000

/** Returns a function that counts new events and removes old ones: rarely, because undelivered ones stay. */
export function createEventPruning({
  of,
}: Pick<ReturnType<typeof createCollections>, 'of'>): (added: number) => void {
  let emitted = 0
  let examined = 0
  return (added) => {
    emitted += added
    if (emitted - examined < pruningStep) return
    examined = emitted
    const events = of('event')
    const surplus = events.size() - eventLimit
    if (surplus <= 0) return
    const taken = Array.from(events.all()).filter(({ delivery }) => delivery?.state !== 'pending')
    for (const { id } of taken.slice(0, surplus)) events.remove(id)
  }
}
