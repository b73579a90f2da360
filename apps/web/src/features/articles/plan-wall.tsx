import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import type { Plan } from '@tidings/contracts/membership/plans'
import { Form } from '#components/forms/form.tsx'
import { type Outcome, useSubmission } from '#components/forms/use-submission.ts'
import { LoadingSkeleton } from '#components/loading-skeleton.tsx'
import { formatOffer } from '#lib/format/money.ts'
import { useMember } from '#lib/member/use-member.ts'
import { buyAtShownPrice } from '#lib/plans/changed-prices.ts'
import { checkoutOf } from '#lib/plans/checkout.ts'
import { paidConnection, planKindOf } from '#lib/plans/plan-kinds.ts'
import { plansOf } from '#lib/plans/plans.ts'
import { directionOf } from '#lib/prose/text-direction.ts'
import { useServices } from '#lib/services/services.tsx'
import { gatedArticle, gatedTitles } from './gated-articles.ts'

type PlanWallProps = {
  articleId: string
  /** The plans that open the article. */
  planIds: readonly string[]
}

/** Replaces an article for members without the plan: shows its title, and the plans that open it. */
export function PlanWall({ articleId, planIds }: PlanWallProps) {
  const { memberSession } = useServices()
  const { data: titles = [] } = useQuery(gatedTitles(memberSession))
  const { data: plans, error } = useQuery(plansOf(memberSession))
  const { data: member } = useMember({ refetchOnMount: 'always' })
  const search: { checkout?: unknown } = useSearch({ strict: false })
  const article = titles.find(({ id }) => id === articleId)
  if (plans === undefined && error === null) return <LoadingSkeleton />

  const current = paidConnection(member?.planConnections ?? [])
  const offers = (plans ?? []).filter(({ id, status }) => planIds.includes(id) && status === 'ACTIVE')
  return (
    <section className="article-wall">
      <h1 lang={article?.language} dir={directionOf(article?.language)}>
        {article?.title ?? 'Not in your plan'}
      </h1>
      {search.checkout === 'canceled' ? (
        <p className="wall-text" role="status">
          You canceled the payment. Nothing was charged.
        </p>
      ) : null}
      {search.checkout === 'done' && current === undefined ? (
        <p className="wall-text" role="status">
          Your payment is taking longer than usual. Reload this page in a few minutes.
        </p>
      ) : null}
      <p className="wall-text">{wallText(offers, current?.planName)}</p>
      {offers.map((plan) => (
        <PlanOffer key={plan.id} plan={plan} articleId={articleId} isChange={current !== undefined} />
      ))}
    </section>
  )
}

function wallText(offers: readonly Plan[], currentName: string | undefined): string {
  if (offers.length === 0) return 'Your plan doesn’t include this article.'
  const names = new Intl.ListFormat('en-US', { type: 'disjunction' }).format(offers.map(({ name }) => name))
  const yours = currentName === undefined ? '' : ` You have the ${currentName} plan.`
  return `This article comes with the ${names} plan.${yours}`
}

type PlanOfferProps = { plan: Plan; articleId: string; isChange: boolean }

/** A plan with its price, and the button to get it. A member who pays already changes their plan instead. */
function PlanOffer({ plan, articleId, isChange }: PlanOfferProps) {
  const { memberSession } = useServices()
  const queryClient = useQueryClient()
  const form = useSubmission(`plan-${plan.id}`)
  const price = plan.prices.find(({ active }) => active)
  if (plan.isPaid && price === undefined) return null
  const kind = planKindOf(plan.id)

  async function getPlan(): Promise<Outcome> {
    const client = await memberSession.getClient()
    if (price === undefined) {
      await client.addPlan({ planId: plan.id })
      await queryClient.invalidateQueries(gatedArticle(memberSession, articleId))
      return 'done'
    }
    const path = `/viewgated/${articleId}?checkout=`
    const returnPaths = { paid: `${path}done`, canceled: `${path}canceled` }
    const page = await buyAtShownPrice(queryClient, memberSession, () =>
      checkoutOf(client, price.id, returnPaths, price),
    )
    return { page }
  }

  return (
    <div className="plan-offer">
      <p>
        <strong>{plan.name}</strong>
        {price === undefined ? ', free' : `, ${formatOffer(price)}`}
      </p>
      {isChange && price !== undefined ? (
        <Link
          to="/account/change-plan"
          state={{ from: `/viewgated/${articleId}`, ...(kind !== null && { planKind: kind }) }}
          className="button"
        >
          Change to the {plan.name} plan
        </Link>
      ) : (
        <Form submission={form} action={`Get the ${plan.name} plan`} onSubmit={() => void form.run(getPlan)}>
          {null}
        </Form>
      )}
    </div>
  )
}
