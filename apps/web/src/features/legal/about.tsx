import type { LegalNames } from './legal-names.ts'
import { LegalSection } from './legal-section.tsx'
import { MailLink } from './mail-link.tsx'

/** Who makes the site, what it is, and whom to write to. */
export function About({ names }: { names: LegalNames }) {
  return (
    <LegalSection id="about" title={`About ${names.site}`}>
      <p>
        {names.site} distils the news of this country and of the world into short memos, and publishes them
        three times a day. It is made for readers who would rather do without newspapers, television and
        social media, and still know what happened. The memos arrive calmly, each in its context, and every
        edition has an end.
      </p>
      <h3>Editor-in-chief</h3>
      <p>{names.editorInChief}</p>
      <h3>Artwork</h3>
      <p>The artwork on these pages is by {names.artworkCredit}.</p>
      <h3>Contact</h3>
      <p>
        For enquiries, corrections and questions of rights, write to <MailLink address={names.contactEmail} />
        . By post: {names.company}, {names.address}.
      </p>
      <h3>Type</h3>
      <p>
        The memos are set in Newsreader, designed by Production Type; everything around them in Figtree,
        designed by Erik Kennedy. Both are used under the SIL Open Font License 1.1.
      </p>
    </LegalSection>
  )
}
