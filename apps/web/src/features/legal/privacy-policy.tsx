import type { LegalNames } from './legal-names.ts'
import { LegalSection } from './legal-section.tsx'
import { MailLink } from './mail-link.tsx'
import { PageViewChoice } from './page-view-choice.tsx'

export function PrivacyPolicy({ names }: { names: LegalNames }) {
  return (
    <LegalSection id="privacy-policy" title="Privacy Policy">
      <p className="legal-note">Last updated 1 January 2025</p>
      <p>
        {names.company}, {names.address}, is responsible for personal data on {names.site}. We collect little
        and never sell it.
      </p>
      <h3>What we collect</h3>
      <ul>
        <li>
          What you give us: your email address and a hash of your password, your name and phone number if you
          add them, your delivery preferences, and the messages you send us.
        </li>
        <li>
          When you read: request logs with the time, your IP address and your browser, kept briefly to run and
          protect the service.
        </li>
        <li>
          When you pay: your plan and the amounts paid. Card numbers go directly to our payment service. We
          never see them.
        </li>
        <li>
          On your device: whether you entered the site password, which memos you opened and liked, your answer
          about page views, and the edition you read last, so that you can read it offline. Logging in adds a
          session of up to 14 days.
        </li>
      </ul>
      <h3>How we use it</h3>
      <p>
        To provide the service, to send you the editions you chose, to reply to you, to keep records as the
        law requires, and to protect the service against abuse. We count page views with a tag manager only if
        you agree. Otherwise it is never loaded. You can change your answer here at any time.
      </p>
      <PageViewChoice />
      <h3>Who we share it with</h3>
      <p>
        Companies that work for us under our instructions, for hosting, payment, email and texts, and the
        login provider you choose, if any. Authorities receive data only where the law requires it. If the
        business is sold, this policy continues to apply to your data.
      </p>
      <h3>How long we keep it</h3>
      <p>
        For as long as you have an account, and afterwards only as long as the law requires. Request logs are
        deleted within weeks.
      </p>
      <p>
        When you delete your account, we delete its data at once. If you paid, we keep your email address
        until your payments are settled, so that we can tell you about a refund.{' '}
        {names.customerOnDeletion === 'delete'
          ? 'Then your details and cards at our payment service are deleted.'
          : 'Then we remove your name, email, phone, addresses and cards at our payment service.'}{' '}
        Records of your payments stay there, as the law requires.
      </p>
      <h3>Children</h3>
      <p>
        The site is not directed at children. Children under 14 should use it only with a parent or guardian,
        who may ask us to delete a child’s data.
      </p>
      <h3>Your requests</h3>
      <p>
        You can ask at any time to see, correct, export or delete your data. Email{' '}
        <MailLink address={names.contactEmail} /> and we answer within one month. Every email and text that we
        send says how to unsubscribe.
      </p>
    </LegalSection>
  )
}
