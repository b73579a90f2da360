/** @jsxImportSource preact */
import type { Member } from '../membership-calls.ts'
import { useDialog } from '../state/dialog-context.ts'

export function Plans({ member }: { member: Member }) {
  const { t, app, calls, run, dispatch, showMessage, setMember } = useDialog()
  const free = member.planConnections.filter(({ type }) => type === 'FREE')
  const nameOf = (planId: string, name?: string) =>
    app.plans.find(({ id }) => id === planId)?.name ?? name ?? planId

  function remove(planId: string, name: string): void {
    void run(
      () => calls.removePlan?.({ planId }),
      ({ message }) => {
        const planConnections = member.planConnections.filter((one) => one.planId !== planId)
        setMember({ ...member, planConnections })
        dispatch({ type: 'saved' })
        showMessage(message ?? t('plan_removed', { plan: name }))
      },
    )
  }

  return (
    <>
      {(free.length > 0 || !member.stripeCustomerId) && <h3>{t('free_plans')}</h3>}
      {free.length === 0 && !member.stripeCustomerId && <p class="hint">{t('no_free_plans')}</p>}
      <ul class="rows">
        {free.map(({ planId, planName }) => {
          const plan = nameOf(planId, planName)
          return (
            <li key={planId}>
              <span>{plan}</span>
              {calls.removePlan && (
                <button
                  type="button"
                  class="small"
                  aria-label={t('remove_plan', { plan })}
                  onClick={() => remove(planId, plan)}
                >
                  {t('remove')}
                </button>
              )}
            </li>
          )
        })}
      </ul>
      {member.stripeCustomerId && calls.launchStripeCustomerPortal && (
        <>
          <h3>{t('subscriptions')}</h3>
          <ul class="rows">
            {member.planConnections
              .filter(({ type }) => type !== 'FREE')
              .map(({ id, planId, planName }) => (
                <li key={id}>
                  <span>{nameOf(planId, planName)}</span>
                </li>
              ))}
          </ul>
          <button
            type="button"
            class="secondary"
            onClick={() =>
              void run(
                () => calls.launchStripeCustomerPortal?.(),
                () => dispatch({ type: 'saved' }),
              )
            }
          >
            {t('manage_subscriptions')}
          </button>
        </>
      )}
    </>
  )
}
