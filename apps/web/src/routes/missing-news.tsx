import type { CalendarDate } from '@tidings/contracts/edition-key'
import { PlainWord } from '../components/plain-word.tsx'
import { NewestEditionLink } from '../features/editions/newest-edition-link.tsx'
import { emptyDaySentence, missingEditionSentence } from '../features/editions/sentences.ts'
import { useSurroundings } from '../lib/surroundings.tsx'

/** What stands in place of an edition that is not there: when it comes, and the newest one there is. */
export function MissingEdition({ edition }: { edition: { date: CalendarDate; slot: string } }) {
  const { config, clock } = useSurroundings()
  const moment = { slots: config.slots, now: clock.now(), timeZone: config.timeZone }
  return <MissingWord sentence={missingEditionSentence(edition, moment)} />
}

/** What stands in place of a day's memos before its first edition. */
export function EmptyDay({ date }: { date: CalendarDate }) {
  const { config, clock } = useSurroundings()
  const moment = { slots: config.slots, now: clock.now(), timeZone: config.timeZone }
  return <MissingWord sentence={emptyDaySentence(date, moment)} />
}

/** A sentence in the place of memos, leading to the newest edition there is. */
export function MissingWord({ sentence }: { sentence: string }) {
  return (
    <PlainWord sentence={sentence}>
      <NewestEditionLink />
    </PlainWord>
  )
}
