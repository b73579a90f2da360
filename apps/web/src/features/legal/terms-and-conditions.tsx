import type { LegalNames } from './legal-names.ts'
import { LegalSection } from './legal-section.tsx'
import { MailLink } from './mail-link.tsx'

export function TermsAndConditions({ names }: { names: LegalNames }) {
  return (
    <LegalSection id="terms-and-conditions" title="Terms and Conditions">
      <p>
        These terms apply to everything you buy from {names.company} (“we”, “us”) through {names.site}:
        monthly and yearly memberships, and any goods we may offer. By placing an order you agree to them.
      </p>
      <h3>Orders and prices</h3>
      <p>
        An order is an offer to buy. It binds both of us once we confirm it. Prices are in US dollars, and
        taxes are added where the law requires. If something is listed at a wrong price, we may refuse or
        cancel orders placed at that price, even if they are confirmed and paid. We then refund what we
        charged in full.
      </p>
      <h3>Memberships</h3>
      <p>
        A membership lasts for the month or year you paid for and renews for the same period until you cancel.
        You can cancel at any time, effective at the end of the paid period. If we raise a price, we tell you
        in time to cancel before it applies.
      </p>
      <h3>Delivery of goods</h3>
      <p>
        Goods are shipped carriage paid to the destination you name: we arrange and pay for the transport. The
        risk passes to you as the law of your place of residence provides, at the latest when you receive the
        goods. Delivery dates are estimates.
      </p>
      <h3>Warranty</h3>
      <p>
        We warrant for at least one year from the date of purchase that what you bought is free of defects in
        material and workmanship. Tell us about a defect during that time, and we repair, replace or refund
        the product, at our choice. Wear, accidents and modifications are not covered. You keep any further
        rights that the law gives you.
      </p>
      <h3>Liability</h3>
      <p>
        To the extent the law allows, our liability for any claim is limited to the price you paid for the
        product in question or, for a membership, to the amounts you paid us in the twelve months before the
        claim arose. We are not liable for indirect loss or lost profit. Nothing here limits liability that
        can’t be limited by law.
      </p>
      <h3>Resolving a dispute</h3>
      <p>
        Please email <MailLink address={names.contactEmail} /> first. We both try in good faith to resolve the
        dispute within 30 days of that email. After that, it goes to mediation before it goes to court. Any
        claim must be brought within one year after it arose.
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
