/** @jsxImportSource preact */

import { useDialog } from '../state/dialog-context.ts'
import type { AccountState } from '../state/dialog-state.ts'

/** The menu of the profile area. */
export function AccountMenu({ state }: { state: AccountState }) {
  const dialog = useDialog()
  const { t, calls, dispatch, run } = dialog
  const member = dialog.member()
  const current = state.display === 'changePassword' ? 'security' : state.display
  const hasPortal = Boolean(member?.stripeCustomerId) && calls.launchStripeCustomerPortal !== undefined

  function logout(): void {
    void run(
      () => calls.logout?.(),
      ({ data }) => {
        dialog.report('LOGOUT', data)
        dispatch({ type: 'saved' })
      },
      { start: { type: 'logoutChosen' } },
    )
  }

  return (
    <nav class="menu" aria-label={t('account_menu')}>
      <h2 class="owner" tabIndex={-1}>
        {member?.auth.email}
      </h2>
      <ul>
        {state.sections.map((section) => (
          <li key={section}>
            <button
              type="button"
              aria-current={current === section ? 'page' : undefined}
              onClick={() => dispatch({ type: 'sectionChosen', section })}
            >
              {t(section)}
            </button>
          </li>
        ))}
        {hasPortal && (
          <li>
            <button
              type="button"
              onClick={() =>
                void run(
                  () => calls.launchStripeCustomerPortal?.(),
                  () => dispatch({ type: 'saved' }),
                )
              }
            >
              {t('billing_portal')}
            </button>
          </li>
        )}
        {calls.logout && (
          <li>
            <button type="button" onClick={logout}>
              {t('logout')}
            </button>
          </li>
        )}
      </ul>
    </nav>
  )
}
