import type { LegalNames } from './legal-names.ts'
import { LegalSection } from './legal-section.tsx'
import { MailLink } from './mail-link.tsx'

/** What is kept about readers, what for, and for how long. */
export function PrivacyPolicy({ names }: { names: LegalNames }) {
  return (
    <LegalSection id="privacy-policy" title="Privacy Policy">
      <p className="legal-note">Last updated 1 January 2025</p>
      <p>
        {names.company}, {names.address}, is responsible for what happens with personal data on {names.site}.
        We collect little, and we do not sell it.
      </p>
      <h3>What we keep</h3>
      <ul>
        <li>
          What you give us: your e-mail address and a scrambled form of your password, your name and phone
          number if you add them, what you would like to be sent and how, and what you write to us.
        </li>
        <li>
          What reading leaves behind: technical records of requests, such as time, address on the network and
          kind of browser, kept briefly to run the service and to defend it.
        </li>
        <li>
          What payment leaves behind: which plan you hold and what was paid. Card numbers go to the payment
          service alone; we never see them.
        </li>
        <li>
          On your own device: that you passed the entrance, which memos you opened and liked, and the edition
          you read last, so that it is there without a network. Signing in adds a session of up to 14 days.
        </li>
      </ul>
      <h3>What we use it for</h3>
      <p>
        To provide the service you asked for, to send you the editions you chose, to answer you, to keep
        accounts as the law requires, and to protect the service against abuse. Page views are counted through
        a tag manager only where you have agreed; without your yes nothing of it is loaded.
      </p>
      <h3>Who else sees it</h3>
      <p>
        Companies that work for us and are bound to our instructions: for hosting, payment, e-mail, text
        messages and, if you sign in that way, the provider of your choice. Authorities receive data only
        where the law obliges us. Should the business change hands, the data stays under this policy.
      </p>
      <h3>For how long</h3>
      <p>
        As long as your account exists, and afterwards only for as long as the law asks us to keep records.
        Technical records are deleted within weeks.
      </p>
      <h3>Children</h3>
      <p>
        The site is not directed at children. Those under 14 should use it only with a parent or guardian, who
        may ask us to delete what a child has given us.
      </p>
      <h3>Your requests</h3>
      <p>
        You may ask at any time what we keep about you, and have it corrected, handed over or deleted. Write
        to <MailLink address={names.contactEmail} />; we answer within one month. Every e-mail and text
        message that we send names a way to end them.
      </p>
    </LegalSection>
  )
}
