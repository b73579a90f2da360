import type { LegalNames } from './legal-names.ts'
import { LegalSection } from './legal-section.tsx'
import { MailLink } from './mail-link.tsx'

/** What holds when somebody buys from the company. */
export function TermsAndConditions({ names }: { names: LegalNames }) {
  return (
    <LegalSection id="terms-and-conditions" title="Terms and Conditions">
      <p>
        These terms hold for everything you buy from {names.company} (“we”, “us”) through {names.site}:
        memberships by the month or by the year, and any goods we may offer beside them. By placing an order
        you agree to them.
      </p>
      <h3>Orders and prices</h3>
      <p>
        An order is an offer to buy; it binds both of us once we have confirmed it. Prices are in US dollars,
        and taxes are added where the law asks for them. We check our prices with care. Should something be
        listed at a wrong price all the same, we may refuse or cancel orders placed at that price, whether or
        not they have been confirmed and paid; what was charged is then paid back in full.
      </p>
      <h3>Memberships</h3>
      <p>
        A membership runs for the month or year you paid for and renews for the same length until you cancel.
        You may cancel at any time with effect from the end of the period that is paid. If we raise a price,
        we tell you in time for you to cancel before it applies.
      </p>
      <h3>Delivery of goods</h3>
      <p>
        Goods are shipped carriage paid to the destination you name: we arrange and pay the transport there.
        The risk passes to you as the law of your place of residence provides, at the latest when you receive
        the goods. Delivery dates are estimates.
      </p>
      <h3>Warranty</h3>
      <p>
        We warrant for at least one year from the date of purchase that what you bought is free of defects in
        material and make. During that time we repair it, replace it or pay you back, as we choose, once you
        have told us of the defect. Wear, accidents and changes made by others are not covered. Rights that
        the law gives you beyond this remain yours.
      </p>
      <h3>Liability</h3>
      <p>
        As far as the law allows, what we owe you for any one claim is limited to the price you paid for what
        the claim is about or, for a membership, to the amounts you paid us in the twelve months before it
        arose. We are not liable for indirect loss or for lost profit. Nothing here limits liability that
        can’t be limited by law.
      </p>
      <h3>Settling a disagreement</h3>
      <p>
        Please write to <MailLink address={names.contactEmail} /> first. We both try in good faith to settle
        the matter within 30 days of that letter; if we have not succeeded by then, it goes to mediation
        before anyone goes to court. Any claim must be brought within one year after it arose; later it is
        barred.
      </p>
      <h3>Law and courts</h3>
      <p>
        The law of the State of California applies, without its rules on conflicts of laws. The state and
        federal courts in Los Angeles, California, have jurisdiction. Consumers keep the protection of the
        mandatory law of the place where they live.
      </p>
    </LegalSection>
  )
}
