/** How a visitor proves the address: with the password or with a code from an email. */
export type Method = 'password' | 'passwordless'

/** The parts of the profile area, in the order of the menu. */
export const sections = ['profile', 'security', 'plans'] as const
export type Section = (typeof sections)[number]

/**
 * Whether a call is under way: `pending` disables the buttons, `done` means that the page has got its result. During a
 * logout (`leaving`) the end of the session is no surprise.
 */
export type Phase = 'idle' | 'pending' | 'done'
type AccountPhase = 'idle' | 'pending' | 'leaving'

/** The visitor's entries before the code was sent. */
export type SignupDetails = { customFields: Record<string, string>; captchaToken?: string }

type Entry = { phase: Phase; method: Method; methods: readonly Method[] }
export type LoginState = Entry & { display: 'login' }
export type SignupState = Entry & { display: 'signup' }
export type ForgotPasswordState = { display: 'forgot_password'; phase: Phase } & Pick<Entry, 'methods'>
/** `email` is unknown when the visitor already had a code. */
export type ResetPasswordState = {
  display: 'reset_password'
  phase: Phase
  email: string | null
} & Pick<Entry, 'methods'>
export type ResetPasswordSuccessState = { display: 'reset_password_success' } & Pick<Entry, 'methods'>
export type PasswordlessTokenState = {
  display: 'passwordless_token'
  phase: Phase
  flow: 'login' | 'signup'
  email: string
  details: SignupDetails
} & Pick<Entry, 'methods'>
export type AccountState = {
  display: 'profile-nav' | 'changePassword' | Section
  phase: AccountPhase
  /** The sections that the member can open. */
  sections: readonly Section[]
  /** The one that opens first. */
  home: Section
}
type ClosedState = { display: 'closed' }

/** The state of the dialog. */
export type DialogState =
  | LoginState
  | SignupState
  | ForgotPasswordState
  | ResetPasswordState
  | ResetPasswordSuccessState
  | PasswordlessTokenState
  | AccountState
  | ClosedState

export type Display = DialogState['display']

export type DialogEvent =
  | { type: 'signupChosen' }
  | { type: 'loginChosen' }
  | { type: 'forgotPasswordChosen' }
  | { type: 'codeEntryChosen' }
  | { type: 'backChosen' }
  | { type: 'methodToggled' }
  | { type: 'sectionChosen'; section: Section | 'changePassword' }
  | { type: 'submitted' }
  | { type: 'logoutChosen' }
  | { type: 'failed' }
  | { type: 'codeSent'; email: string; details: SignupDetails }
  | { type: 'resetEmailSent'; email: string }
  | { type: 'passwordReset' }
  | { type: 'entered' }
  | { type: 'saved' }
  | { type: 'memberChanged'; sections: readonly Section[] }
  | { type: 'sessionEnded' }
  | { type: 'widened' }
  | { type: 'closed' }

/** Returns whether the state belongs to the profile area. */
export function isAccount(state: DialogState): state is AccountState {
  return 'sections' in state
}
