import { Notice } from '#components/notice.tsx'
import { useServices } from '#lib/services/services.tsx'
import { momentOf } from '../editions/moment.ts'
import { NewestEditionLink } from '../editions/newest-edition-link.tsx'
import { type Edition, emptySiteSentence, missingEditionSentence } from '../editions/sentences.ts'

/** Says when an edition arrives, in place of its memos. */
export function MissingEdition({ edition }: { edition: Edition }) {
  return <EditionNotice text={missingEditionSentence(edition, momentOf(useServices()))} />
}

/** Says when the site's first edition arrives, in place of memos. */
export function EmptySite() {
  return <Notice text={emptySiteSentence(momentOf(useServices()))} />
}

/** Shows a sentence in place of memos, with a link to the newest edition. */
export function EditionNotice({ text }: { text: string }) {
  return (
    <Notice text={text}>
      <NewestEditionLink />
    </Notice>
  )
}
