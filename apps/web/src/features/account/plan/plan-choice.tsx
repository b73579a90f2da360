import type { Plan } from '@tidings/contracts/membership/plans'
import { formatOffer } from '#lib/format/money.ts'
import { type PlanKind, priceOfKind } from '#lib/plans/plan-kinds.ts'
import { kindNames } from './plan-state.ts'

type PlanChoiceProps = {
  plans: readonly Plan[]
  chosen: PlanKind
  /** The kind of the member's plan; null without one. */
  current: PlanKind | null
  onChange: (kind: PlanKind) => void
}

const kinds = ['monthly', 'yearly'] as const

/** Switches between the plans, each with what it costs. */
export function PlanChoice({ plans, chosen, current, onChange }: PlanChoiceProps) {
  return (
    <fieldset className="plan-choice">
      <legend>Plan</legend>
      {kinds.map((kind) => {
        const price = priceOfKind(plans, kind)
        return (
          <label key={kind} className="plan-option">
            <input
              type="radio"
              name="plan"
              value={kind}
              checked={chosen === kind}
              disabled={price === undefined && current !== kind}
              onChange={() => onChange(kind)}
            />
            <span>
              {kindNames[kind]}
              {current === kind ? <small>Your plan</small> : null}
            </span>
            <span>{price === undefined ? 'Not available now' : formatOffer(price)}</span>
          </label>
        )
      })}
    </fieldset>
  )
}
