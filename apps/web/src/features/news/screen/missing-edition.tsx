import type { CalendarDate } from '@tidings/contracts/edition-key'
import { Notice } from '#components/notice.tsx'
import { useServices } from '#lib/services.tsx'
import { NewestEditionLink } from '../editions/newest-edition-link.tsx'
import { emptyDaySentence, missingEditionSentence } from '../editions/sentences.ts'

/** Replaces the memos of an edition that is not published: says when it arrives. */
export function MissingEdition({ edition }: { edition: { date: CalendarDate; slot: string } }) {
  const { config, clock } = useServices()
  const moment = { slots: config.slots, now: clock.now(), timeZone: config.timeZone }
  return <EditionNotice text={missingEditionSentence(edition, moment)} />
}

/** Replaces a day's memos before its first edition. */
export function EmptyDay({ date }: { date: CalendarDate }) {
  const { config, clock } = useServices()
  const moment = { slots: config.slots, now: clock.now(), timeZone: config.timeZone }
  return <EditionNotice text={emptyDaySentence(date, moment)} />
}

/** A sentence in place of memos, with a link to the newest edition. */
export function EditionNotice({ text }: { text: string }) {
  return (
    <Notice text={text}>
      <NewestEditionLink />
    </Notice>
  )
}
