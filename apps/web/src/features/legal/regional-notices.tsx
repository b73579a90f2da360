import type { LegalNames } from './legal-names.ts'
import { LegalSection } from './legal-section.tsx'
import { MailLink } from './mail-link.tsx'

/** The notice that California law requires for consumers. */
export function CaliforniaNotice({ names }: { names: LegalNames }) {
  return (
    <LegalSection id="california" title="For consumers in California">
      <p>
        Under the California Consumer Privacy Act you have the right to know which personal information we
        collect and why, to receive a copy of it, to have it corrected and to have it deleted. In the past
        twelve months we have collected identifiers such as email addresses, records of purchases, and
        activity on this site, from you and from your use of the service, for the purposes in our Privacy
        Policy.
      </p>
      <p>
        We do not sell personal information or share it for cross-site advertising, so there is nothing to opt
        out of. We use sensitive information only as the service requires. We never treat you differently for
        exercising these rights.
      </p>
      <p>
        Send requests to <MailLink address={names.contactEmail} />, yourself or through an authorized agent.
        We verify that they come from you, usually by email, and answer within one month.
      </p>
      <p>
        California consumers may also contact the Complaint Assistance Unit of the Division of Consumer
        Services of the California Department of Consumer Affairs. The provider of this service is{' '}
        {names.company}, {names.address}.
      </p>
    </LegalSection>
  )
}

/** The notice that the GDPR requires. */
export function EuropeanUnionNotice({ names }: { names: LegalNames }) {
  return (
    <LegalSection id="european-union" title="Data protection in the European Union">
      <p>
        If you are in the European Union, the European Economic Area or the United Kingdom, the General Data
        Protection Regulation protects you. The controller is {names.company}, {names.address}, at{' '}
        <MailLink address={names.contactEmail} />.
      </p>
      <p>
        We process your data to perform our contract with you (account, membership, delivery), to meet legal
        obligations (accounting, taxes), in our legitimate interest in a secure and working service, and with
        your consent where we ask for it. You can withdraw your consent at any time.
      </p>
      <p>You have the right</p>
      <ul>
        <li>to know which data we process about you and to receive a copy;</li>
        <li>to have it corrected or deleted, or its use restricted;</li>
        <li>to export it in a common format;</li>
        <li>to object to uses based on our legitimate interest;</li>
        <li>to complain to the data protection authority of the place where you live or work.</li>
      </ul>
      <p>
        We answer requests within one month. Your data is processed in the United States. Transfers there are
        based on the European Commission’s standard contractual clauses or on an adequacy decision. We make no
        decisions about you by automated means alone.
      </p>
    </LegalSection>
  )
}
