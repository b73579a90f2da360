import { Notice } from '#components/notice.tsx'
import { useServices } from '#lib/services.tsx'
import { momentOf } from '../editions/moment.ts'
import { NewestEditionLink } from '../editions/newest-edition-link.tsx'
import { type Edition, emptySiteSentence, missingEditionSentence } from '../editions/sentences.ts'

/** Replaces the memos of an edition that is not published: says when it arrives. */
export function MissingEdition({ edition }: { edition: Edition }) {
  return <EditionNotice text={missingEditionSentence(edition, momentOf(useServices()))} />
}

/** Replaces the memos before the site's first edition. */
export function EmptySite() {
  return <Notice text={emptySiteSentence(momentOf(useServices()))} />
}

/** A sentence in place of memos, with a link to the newest edition. */
export function EditionNotice({ text }: { text: string }) {
  return (
    <Notice text={text}>
      <NewestEditionLink />
    </Notice>
  )
}
