import type { CalendarDate } from '@tidings/contracts/edition-key'

/** One edition by its date and slot. */
export type EditionRef = { date: CalendarDate; slot: string }
