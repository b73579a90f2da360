import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { DialogLink } from '#components/dialogs/dialog-link.tsx'
import { Screen } from '#components/screen.tsx'
import { formatOffer } from '#lib/format/money.ts'
import { priceOfKind } from '#lib/plans/plan-kinds.ts'
import { plansOf } from '#lib/plans/plans.ts'
import { useServices } from '#lib/services/services.tsx'

/** Replaces an article for visitors, without a word of it. */
export function MemberWall() {
  return (
    <Screen title="For members" className="gated-article article-wall">
      <h1>For members</h1>
      <p className="wall-text">
        This article is for members. Sign up to read it, or log in if you have an account.
      </p>
      <nav className="wall-actions" aria-label="Account">
        <DialogLink type="SIGNUP" text="Sign up" className="button" />
        <MonthlyOffer />
        <DialogLink type="LOGIN" text="Log in" />
      </nav>
      <nav className="foot-links" aria-label="Elsewhere">
        <Link to="/home">View memos</Link>
      </nav>
    </Screen>
  )
}

/** Says what a membership costs. Its line is there before the price is, so that nothing moves. */
function MonthlyOffer() {
  const { memberSession } = useServices()
  const { data: plans = [] } = useQuery(plansOf(memberSession))
  const price = priceOfKind(plans, 'monthly')
  return (
    <p className="wall-offer">
      {price === undefined ? '\u00A0' : `${formatOffer(price)}. You can cancel at any time.`}
    </p>
  )
}
