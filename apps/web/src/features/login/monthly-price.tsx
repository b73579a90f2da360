import { useQuery } from '@tanstack/react-query'
import { priceOfKind } from '#lib/member-session/plan-kinds.ts'
import { plansOf } from '#lib/member-session/plans.ts'
import { formatOffer } from '#lib/money.ts'
import { useServices } from '#lib/services.tsx'

/** Says what the member pays next. */
export function MonthlyPrice() {
  const { memberSession } = useServices()
  const { data: plans = [] } = useQuery(plansOf(memberSession))
  const price = priceOfKind(plans, 'monthly')
  return (
    <p className="form-purpose">
      {price === undefined ? 'You pay' : `${formatOffer(price)}. You pay`} on the next page, and can cancel at
      any time.
    </p>
  )
}
