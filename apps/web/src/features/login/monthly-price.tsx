import { useQuery } from '@tanstack/react-query'
import { formatOffer } from '#lib/format/money.ts'
import { priceOfKind } from '#lib/plans/plan-kinds.ts'
import { plansOf } from '#lib/plans/plans.ts'
import { useServices } from '#lib/services/services.tsx'

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
