import type { Services } from '#lib/services/services.tsx'
import type { Moment } from './sentences.ts'

/** Returns the reader's moment, which the sentences depend on. */
export function momentOf({ clock, config }: Pick<Services, 'clock' | 'config'>): Moment {
  return {
    now: clock.now(),
    slots: config.slots,
    siteZone: config.timeZone,
    readerZone: clock.timeZone(),
  }
}
