import type { LegalNames } from './legal-names.ts'
import { LegalSection } from './legal-section.tsx'
import { MailLink } from './mail-link.tsx'

export function TermsOfUse({ names }: { names: LegalNames }) {
  return (
    <LegalSection id="terms-of-use" title="Terms of Use">
      <p>
        These terms apply between you and {names.company} whenever you read or use {names.site}. If you do not
        agree with them, please do not use it.
      </p>
      <h3>Your account</h3>
      <p>
        To register you need an email address and a password. Use your own address, keep the password to
        yourself, and tell us if you think someone else knows it. Until then, you are responsible for what is
        done through your account.
      </p>
      <h3>Children</h3>
      <p>Children under 14 should use the site only together with a parent or guardian.</p>
      <h3>Using the memos</h3>
      <p>
        Texts, pictures and design belong to us or our licensors. You may read them, keep copies for yourself
        and quote short passages with attribution. To publish, sell or systematically collect them you need
        our written consent. If you think that something here infringes your rights, email us and we look into
        it.
      </p>
      <h3>Fair use of the service</h3>
      <ul>
        <li>Do not disrupt the service, probe it for vulnerabilities or circumvent its limits.</li>
        <li>Do not give people who are not members access to content for members.</li>
        <li>Do not impersonate anyone or post unlawful content.</li>
      </ul>
      <p>We may suspend an account that breaks these rules. Where possible, we warn you first.</p>
      <h3>Accuracy and availability</h3>
      <p>
        We distill the memos with care from the sources that we name, and we correct errors. They are for your
        information only and are not legal, medical or financial advice. Except as the law requires otherwise,
        the service is provided as is and as available. We are not responsible for the sites we link to.
      </p>
      <h3>Liability</h3>
      <p>
        To the extent the law allows, our total liability for your use of the service is limited to the
        greater of the fees you paid for six months of it and US$100.
      </p>
      <h3>Claims</h3>
      <p>
        A claim about the use of the service must be brought within one year after it arose. Before that,
        email <MailLink address={names.contactEmail} />. We both have 30 days to resolve the matter before it
        goes to mediation.
      </p>
      <h3>Law and courts</h3>
      <p>
        The law of the State of California applies. The courts in San Diego, California, have jurisdiction
        over disputes about the use of the service, unless mandatory law of the place where you live says
        otherwise.
      </p>
      <h3>Changes</h3>
      <p>
        We may change these terms for good reason. The current version is on this page. We email members about
        significant changes before they take effect.
      </p>
    </LegalSection>
  )
}
