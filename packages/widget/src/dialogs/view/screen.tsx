/** @jsxImportSource preact */
import { opensOnPage } from '../../captcha/open-captcha.ts'
import { AccountArea } from '../account/account-area.tsx'
import type { Member } from '../membership-calls.ts'
import { ForgotPassword } from '../screens/forgot-password.tsx'
import { Login } from '../screens/login.tsx'
import { PasswordlessToken } from '../screens/passwordless-token.tsx'
import { ResetPassword, ResetPasswordSuccess } from '../screens/reset-password.tsx'
import { Signup } from '../screens/signup.tsx'
import { DialogContext } from '../state/dialog-context.ts'
import type { DialogState, Display } from '../state/dialog-state.ts'
import { isAccount } from '../state/dialog-state.ts'
import type { DialogStore } from '../state/dialog-store.ts'
import { brandColors } from './brand-colors.ts'
import { Frame } from './frame.tsx'
import { Messages } from './messages.tsx'

/** The ids by which pages style the dialogs. */
const ids = {
  login: 'LoginModal',
  signup: 'SignupModal',
  forgot_password: 'PasswordResetModal',
  reset_password: 'PasswordTokenModal',
  reset_password_success: 'PasswordSuccessModal',
  passwordless_token: 'PasswordlessTokenModal',
} as const satisfies Partial<Record<Display, string>>

const provider = 'Tidings'

type Props = {
  store: DialogStore
  language: string
  isNarrow: boolean
  onClose: () => void
}

/** Returns the frame with what a dialog shows, by its state. */
export function screen({ store, isNarrow, ...frame }: Props) {
  const { t, app, params, member } = store
  const state = store.state()
  if (state.display === 'closed') return null
  const id = isAccount(state) ? (isNarrow ? 'MobileProfileModal' : 'ProfileModal') : ids[state.display]
  return (
    <Frame
      {...frame}
      id={id}
      isWide={isAccount(state) && !params.hideAccountDetails}
      label={t(labelOf(state.display, member()))}
      isBelowPage={
        state.display === 'signup' && app.captchaRequired && app.captcha !== null && opensOnPage(app.captcha)
      }
      isBusy={'phase' in state && state.phase !== 'idle' && state.phase !== 'done'}
      closeText={params.hideCloseButton ? undefined : t('close')}
      colors={brandColors(app.branding.colors.lightMode.primaryButton)}
      footer={
        !app.isPaid && (
          <footer class="secured" part="secured-by">
            {t('secured_by', { provider })}
          </footer>
        )
      }
    >
      <DialogContext.Provider value={store}>
        <Messages />
        <div
          class={isAccount(state) ? 'account' : 'content'}
          key={isAccount(state) ? 'account' : state.display}
        >
          <Content state={state} isNarrow={isNarrow} />
        </div>
      </DialogContext.Provider>
    </Frame>
  )
}

const labels = {
  login: 'login_to_your_account',
  signup: 'create_an_account',
  forgot_password: 'reset_your_password',
  reset_password: 'reset_your_password',
  reset_password_success: 'reset_your_password',
  passwordless_token: 'verify_email',
  'profile-nav': 'account_menu',
  profile: 'my_profile',
  security: 'security',
  changePassword: 'change_password',
  plans: 'plans',
} as const

function labelOf(display: keyof typeof labels, member: Member | null) {
  return display === 'changePassword' && member?.auth.hasPassword === false ? 'set_password' : labels[display]
}

type Shown = Exclude<DialogState, { display: 'closed' }>

function Content({ state, isNarrow }: { state: Shown; isNarrow: boolean }) {
  switch (state.display) {
    case 'login':
      return <Login state={state} />
    case 'signup':
      return <Signup state={state} />
    case 'forgot_password':
      return <ForgotPassword />
    case 'reset_password':
      return <ResetPassword state={state} />
    case 'reset_password_success':
      return <ResetPasswordSuccess />
    case 'passwordless_token':
      return <PasswordlessToken state={state} />
    case 'profile-nav':
    case 'profile':
    case 'security':
    case 'changePassword':
    case 'plans':
      return <AccountArea state={state} isNarrow={isNarrow} />
  }
}
