import type { LegalNames } from './legal-names.ts'
import { LegalSection } from './legal-section.tsx'
import { MailLink } from './mail-link.tsx'

/** Says what the site is, who makes it and how to contact them. */
export function About({ names }: { names: LegalNames }) {
  return (
    <LegalSection id="about" title={`About ${names.site}`}>
      <p>
        {names.site} distills domestic and international news into short memos, published three times a day.
        It is for readers who want to know what happened without newspapers, television or social media. The
        memos arrive calmly and in context, and every edition has an end.
      </p>
      <h3>Editor-in-chief</h3>
      <p>{names.editorInChief}</p>
      <h3>Artwork</h3>
      <p>The artwork on these pages is by {names.artworkCredit}.</p>
      <h3>Contact</h3>
      <p>
        For inquiries, corrections and rights issues, email <MailLink address={names.contactEmail} />. By
        mail: {names.company}, {names.address}.
      </p>
      <h3>Type</h3>
      <p>
        The memos are set in Newsreader by Production Type, everything else in Figtree by Erik Kennedy. Both
        are used under the SIL Open Font License 1.1.
      </p>
    </LegalSection>
  )
}
