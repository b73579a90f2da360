import type { ArticleReaders } from '@tidings/contracts/desk/content/article-readers'

type Plan = ArticleReaders['plans'][number]

/** Stands for the article before visitors. */
export function MemberWall({ readers: { plans } }: { readers: ArticleReaders }) {
  const monthly = plans.find(({ price }) => price?.interval === 'MONTHLY')
  return (
    <>
      <h2>For members</h2>
      <p>This article is for members. Sign up to read it, or log in if you have an account.</p>
      <p className="articles-shown-button">Sign up</p>
      {monthly !== undefined && (
        <p className="meta">{`${priceText(monthly)}. You can cancel at any time.`}</p>
      )}
      <p className="articles-shown-links">
        <span>Log in</span> <span>View memos</span>
      </p>
    </>
  )
}

type PlanWallProps = { title: string; offers: readonly Plan[]; current: string | undefined }

/** Stands for the article before members without the plan. */
export function PlanWall({ title, offers, current }: PlanWallProps) {
  const names = new Intl.ListFormat('en-US', { type: 'disjunction' }).format(offers.map(({ name }) => name))
  const text =
    offers.length === 0
      ? 'Your plan doesn’t include this article.'
      : `This article comes with the ${names} plan.${current === undefined ? '' : ` You have the ${current} plan.`}`
  return (
    <>
      <h2>{title}</h2>
      <p>{text}</p>
      {offers.map((plan) => (
        <div key={plan.id} className="articles-offer">
          <p>
            <b>{plan.name}</b>, {plan.price === null ? 'free' : priceText(plan)}
          </p>
          <p className="articles-shown-button">
            {current !== undefined && plan.price !== null
              ? `Change to the ${plan.name} plan`
              : `Get the ${plan.name} plan`}
          </p>
        </div>
      ))}
      <p className="articles-shown-links">
        <span>Account</span> <span>View memos</span> <span>Go back</span>
      </p>
    </>
  )
}

function priceText({ price }: Plan): string {
  if (price === null) return ''
  const money = new Intl.NumberFormat('en', { style: 'currency', currency: price.currency }).format(
    price.amount,
  )
  if (price.interval === null) return money
  return `${money} a ${price.interval === 'YEARLY' ? 'year' : 'month'}`
}
