import type { LegalNames } from './legal-names.ts'
import { LegalSection } from './legal-section.tsx'
import { MailLink } from './mail-link.tsx'

/** What Californian law wants consumers to be told. */
export function CaliforniaNotice({ names }: { names: LegalNames }) {
  return (
    <LegalSection id="california" title="For consumers in California">
      <p>
        Under the California Consumer Privacy Act you have the right to know which personal information we
        collect and why, to receive a copy of it, to have it corrected and to have it deleted. In the past
        twelve months we have collected identifiers such as e-mail addresses, records of purchases, and
        activity on this site, from you and from your use of the service, for the purposes in our Privacy
        Policy.
      </p>
      <p>
        We do not sell personal information and do not share it for advertising across sites, and so there is
        nothing to opt out of. We do not use sensitive information beyond what the service needs. Nobody is
        treated worse for using these rights.
      </p>
      <p>
        Send requests to <MailLink address={names.contactEmail} />, yourself or through somebody you
        authorise. We check that they come from you, usually by a message to the address we know, and answer
        within one month.
      </p>
      <p>
        Californian consumers may also turn to the Complaint Assistance Unit of the Division of Consumer
        Services of the California Department of Consumer Affairs. The provider of this service is{' '}
        {names.company}, {names.address}.
      </p>
    </LegalSection>
  )
}

/** What the data protection law of the European Union wants readers to be told. */
export function EuropeanUnionNotice({ names }: { names: LegalNames }) {
  return (
    <LegalSection id="european-union" title="Data protection in the European Union">
      <p>
        If you are in the European Union, the European Economic Area or the United Kingdom, the General Data
        Protection Regulation protects you. The controller is {names.company}, {names.address}, which you
        reach at <MailLink address={names.contactEmail} />.
      </p>
      <p>
        We process your data to fulfil our contract with you (account, membership, delivery), because the law
        obliges us (accounts, taxes), in our legitimate interest in a service that is secure and works, and,
        where we ask for it, with your consent. You may withdraw consent at any time for the time to come.
      </p>
      <p>You have the right</p>
      <ul>
        <li>to learn whether and which data we process about you, and to receive a copy;</li>
        <li>to have it corrected, deleted or its use restricted;</li>
        <li>to take it with you in a common format;</li>
        <li>to object to uses that rest on our legitimate interest;</li>
        <li>to complain to the data protection authority of the place where you live or work.</li>
      </ul>
      <p>
        We answer a request within one month of receiving it. Your data is processed in the United States;
        where it is transferred there, it is on the basis of the standard contractual clauses of the European
        Commission or of an adequacy decision. No decision about you is made by automated means alone.
      </p>
    </LegalSection>
  )
}
