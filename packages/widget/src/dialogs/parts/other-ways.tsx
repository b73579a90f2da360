/** @jsxImportSource preact */

import { useDialog } from '../state/dialog-context.ts'
import type { LoginState, SignupState } from '../state/dialog-state.ts'

type Props = {
  state: LoginState | SignupState
  onProvider: ((provider: string) => void) | undefined
}

/** The other ways to log in or sign up: without a password or with one, and with identity providers. */
export function OtherWays({ state, onProvider }: Props) {
  const { t, app, dispatch } = useDialog()
  const providers = onProvider ? app.authProviders.toSorted((a, b) => a.order - b.order) : []
  const hasToggle = state.methods.length > 1
  if (!hasToggle && providers.length === 0) return null
  return (
    <div class="ways">
      <p class="or">
        <span>{t('or')}</span>
      </p>
      {hasToggle && (
        <button type="button" class="secondary" onClick={() => dispatch({ type: 'methodToggled' })}>
          {t(state.method === 'password' ? 'use_passwordless' : 'use_password')}
        </button>
      )}
      {providers.map(({ provider, name, icon }) => (
        <button
          type="button"
          key={provider}
          class="secondary"
          part="provider"
          aria-disabled={state.phase !== 'idle'}
          onClick={() => onProvider?.(provider)}
        >
          {icon && <img src={icon} alt="" width="20" height="20" />}
          {t('continue_with', { provider: name })}
        </button>
      ))}
    </div>
  )
}
