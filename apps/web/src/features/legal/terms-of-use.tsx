import type { LegalNames } from './legal-names.ts'
import { LegalSection } from './legal-section.tsx'
import { MailLink } from './mail-link.tsx'

/** What holds for reading and using the site. */
export function TermsOfUse({ names }: { names: LegalNames }) {
  return (
    <LegalSection id="terms-of-use" title="Terms of Use">
      <p>
        These terms hold between you and {names.company} whenever you read or use {names.site}. If you do not
        agree with them, please do not use it.
      </p>
      <h3>Your account</h3>
      <p>
        To register you need an e-mail address and a password. Give an address that is yours, keep the
        password to yourself, and tell us when you think that somebody else knows it. What is done through
        your account counts as done by you until then.
      </p>
      <h3>Children</h3>
      <p>Children under 14 should use the site only together with a parent or guardian.</p>
      <h3>What you may do with the memos</h3>
      <p>
        Texts, pictures and design belong to us or to those who license them to us. You may read them, keep
        copies for yourself, and quote short passages with a mention of where they come from. To publish, sell
        or systematically collect them you need our written consent. If you think that something here
        infringes your rights, write to us and we look into it.
      </p>
      <h3>Fair use of the service</h3>
      <ul>
        <li>Do not disturb the service, probe it for weaknesses or get round its limits.</li>
        <li>Do not share the access to content for members with people who are not.</li>
        <li>Do not pass yourself off as somebody else, and do not break the law with what you write.</li>
      </ul>
      <p>We may suspend an account that does so; where we can, we say so first.</p>
      <h3>What we promise, and what we do not</h3>
      <p>
        The memos are distilled from sources that we name, with care, and we correct what turns out to be
        wrong. They are for your information and are no legal, medical or financial advice. Beyond what the
        law prescribes, the service is provided as it is and as it is available. Sites that we link to answer
        for themselves.
      </p>
      <h3>Liability</h3>
      <p>
        As far as the law allows, all that we owe you in connection with the use of the service is limited to
        the greater of the fees you paid for six months of it and US$100.
      </p>
      <h3>Claims</h3>
      <p>
        A claim from the use of the service must be brought within one year after it arose. Before that, write
        to <MailLink address={names.contactEmail} />: we give each other 30 days to settle the matter, and
        then turn to mediation.
      </p>
      <h3>Law and courts</h3>
      <p>
        The law of the State of California applies. The courts in San Diego, California, have jurisdiction
        over disputes about the use of the service, unless mandatory law of the place where you live says
        otherwise.
      </p>
      <h3>Changes</h3>
      <p>
        We may change these terms for good reason. The present version stands on this page; changes that
        matter to members are announced to them by e-mail before they take effect.
      </p>
    </LegalSection>
  )
}
