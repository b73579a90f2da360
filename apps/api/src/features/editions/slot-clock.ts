import type { Slot } from '@tidings/contracts/edition-key'
import type { EditionId } from './edition-keys.ts'
import { fail } from './editions.errors.ts'
import { addDays, publishInstant } from './slot-times.ts'

/** Tells when the slots of editions are, in the site's zone. */
export function createSlotTimes({ slots, timeZone }: { slots: readonly Slot[]; timeZone: string }) {
  function publishTimeOf({ date, slot: label }: EditionId): Date {
    const slot = slots.find((each) => each.label === label)
    if (slot !== undefined) return publishInstant(date, slot, timeZone)
    throw fail(
      'slot-not-found',
      label,
      slots.map((each) => each.label),
    )
  }

  /** Returns the time of the slot after an edition's: on the same day, or the first one of the next day. */
  function nextSlotTime({ date, slot: label }: EditionId): Date {
    const times = slots
      .map((slot) => ({ label: slot.label, time: publishInstant(date, slot, timeZone) }))
      .toSorted((a, b) => a.time.getTime() - b.time.getTime())
    const next = times[times.findIndex((each) => each.label === label) + 1]?.time
    const [first] = slots
      .map((slot) => publishInstant(addDays(date, 1), slot, timeZone).getTime())
      .toSorted((a, b) => a - b)
    return next ?? new Date(first ?? Number.MAX_SAFE_INTEGER)
  }

  return { publishTimeOf, nextSlotTime }
}
