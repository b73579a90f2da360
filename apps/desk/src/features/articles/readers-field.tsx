import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ArticleReaders } from '@tidings/contracts/desk/content/article-readers'
import { useId, useState } from 'react'
import { Failure } from '#components/failure.tsx'
import { useFieldState } from '#features/writing/use-draft-state.ts'
import { articleReadersQuery, groupOfPlans } from './state/article-calls.ts'
import type { OpenArticle } from './state/article-drafts.ts'

type Props = { open: OpenArticle; readers: ArticleReaders; canWrite: boolean }

type Choice = 'everyone' | 'plans' | 'group'

/** Chooses who may read an article: every member, those with one of some plans, or those of a content group. */
export function ReadersField({ open: { draft }, readers, canWrite }: Props) {
  const { group: key } = useFieldState(draft).text
  const queryClient = useQueryClient()
  const group = readers.groups.find((each) => each.key === key)
  const named = readers.groups.filter(({ isForPlans }) => !isForPlans)
  const stored: Choice = key === null ? 'everyone' : group?.isForPlans === true ? 'plans' : 'group'
  // Plans without a tick open nothing, so the choice alone isn't saved.
  const [ticked, setTicked] = useState<readonly string[] | null>(null)
  const choice = ticked !== null ? 'plans' : stored
  const open = useMutation({
    mutationFn: groupOfPlans,
    async onSuccess(made) {
      // The choice below is known only after the groups are read again.
      await queryClient.invalidateQueries({ queryKey: articleReadersQuery.queryKey })
      draft.type({ group: made.key })
      setTicked(null)
    },
    onError: () => setTicked(stored === 'plans' ? null : []),
  })
  const chosen = stored === 'plans' && group !== undefined ? group.plans : []
  const plans = ticked ?? chosen
  const take = (next: string | null) => {
    setTicked(null)
    draft.type({ group: next })
  }
  const tick = (id: string, isTicked: boolean) => {
    const next = isTicked ? [...plans, id] : plans.filter((each) => each !== id)
    if (next.length === 0) return
    setTicked(next)
    open.mutate(next)
  }
  const ids = { name: useId(), heading: useId() }
  return (
    <fieldset className="articles-readers" disabled={!canWrite} aria-labelledby={ids.heading}>
      <h2 id={ids.heading}>Who may read it</h2>
      <div className="articles-choice">
        <label>
          <input type="radio" name={ids.name} checked={choice === 'everyone'} onChange={() => take(null)} />
          Every member
        </label>
        <span className="meta">{membersCount(readers.members)}</span>
      </div>
      <div className="articles-choice">
        <label>
          <input type="radio" name={ids.name} checked={choice === 'plans'} onChange={() => setTicked([])} />
          Members with one of these plans
        </label>
        {choice === 'plans' && group !== undefined && ticked === null && (
          <span className="meta">{`${membersCount(group.members)} today`}</span>
        )}
      </div>
      {choice === 'plans' && (
        <PlanChoices plans={readers.plans} chosen={plans} isPending={open.isPending} tick={tick} />
      )}
      {named.length > 0 && (
        <div className="articles-choice">
          <label>
            <input
              type="radio"
              name={ids.name}
              checked={choice === 'group'}
              onChange={() => take(named[0]?.key ?? null)}
            />
            A group of contents:
          </label>
          <select
            aria-label="Group of contents"
            value={choice === 'group' ? (key ?? '') : (named[0]?.key ?? '')}
            onChange={({ target }) => take(target.value)}
          >
            {named.map((each) => (
              <option key={each.key} value={each.key}>
                {each.name}
              </option>
            ))}
          </select>
          {choice === 'group' && group !== undefined && (
            <span className="meta">{`${membersCount(group.members)} today, ${openingText(group.opening.length)}`}</span>
          )}
        </div>
      )}
      <Failure text={open.error?.message ?? null} canClose />
      <p className="meta">
        {choice === 'everyone'
          ? 'Visitors see a way to sign up.'
          : 'Other members see the title and the plan that opens it. Visitors see a way to sign up.'}
      </p>
    </fieldset>
  )
}

type PlanChoicesProps = {
  plans: ArticleReaders['plans']
  chosen: readonly string[]
  isPending: boolean
  tick: (id: string, isTicked: boolean) => void
}

function PlanChoices({ plans, chosen, isPending, tick }: PlanChoicesProps) {
  return (
    <div className="articles-choice articles-plans">
      {plans.map(({ id, name, members }) => (
        <label key={id}>
          <input
            type="checkbox"
            checked={chosen.includes(id)}
            disabled={isPending || (chosen.length === 1 && chosen.includes(id))}
            onChange={({ target }) => tick(id, target.checked)}
          />
          {name} <span className="meta">{membersCount(members)}</span>
        </label>
      ))}
      {chosen.length === 0 && <p className="meta">Choose a plan. Until then, nothing changes.</p>}
    </div>
  )
}

function membersCount(members: number): string {
  return members.toLocaleString('en')
}

function openingText(plans: number): string {
  return plans === 1 ? '1 plan opens it' : `${plans} plans open it`
}
