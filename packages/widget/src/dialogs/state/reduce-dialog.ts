import {
  type AccountState,
  type DialogEvent,
  type DialogState,
  isAccount,
  type LoginState,
  type Method,
  type PasswordlessTokenState,
  type Section,
  type SignupState,
  sections,
} from './dialog-state.ts'

/** Returns the state after an event. An event that the state does not expect changes nothing. */
export function reduceDialog(state: DialogState, event: DialogEvent): DialogState {
  if (state.display === 'closed') return state
  if (event.type === 'closed') return { display: 'closed' }
  return isAccount(state) ? reduceAccount(state, event) : reduceVisitor(state, event)
}

type VisitorState = Exclude<DialogState, AccountState | { display: 'closed' }>

function reduceVisitor(state: VisitorState, event: DialogEvent): DialogState {
  switch (state.display) {
    case 'login':
    case 'signup':
      return reduceEntry(state, event)
    case 'forgot_password':
      return reduceForgotPassword(state, event)
    case 'reset_password':
      return reduceResetPassword(state, event)
    case 'reset_password_success':
      return event.type === 'loginChosen' || event.type === 'backChosen'
        ? enter('login', state.methods)
        : state
    case 'passwordless_token':
      return reducePasswordlessToken(state, event)
  }
}

/** Returns the login or the sign-up with the first of its methods. */
export function enter(display: 'login' | 'signup', methods: readonly Method[]): LoginState | SignupState {
  return { display, phase: 'idle', method: methods[0] ?? 'password', methods }
}

type Pending = { phase: 'idle' | 'pending' | 'done' }

/** Handles the start and the end of a call. */
function reducePhase<State extends Pending>(state: State, event: DialogEvent): State {
  if (event.type === 'submitted' && state.phase === 'idle') return { ...state, phase: 'pending' }
  if (event.type === 'failed' && state.phase === 'pending') return { ...state, phase: 'idle' }
  return state
}

function reduceEntry(state: LoginState | SignupState, event: DialogEvent): DialogState {
  const { display, phase, method, methods } = state
  if (phase === 'pending') {
    if (event.type === 'entered') return { ...state, phase: 'done' }
    if (event.type === 'codeSent' && method === 'passwordless') {
      const { email, details } = event
      return { display: 'passwordless_token', phase: 'idle', flow: display, email, details, methods }
    }
  }
  if (phase === 'idle') {
    if (event.type === 'signupChosen' && display === 'login') return { ...state, display: 'signup' }
    if (event.type === 'loginChosen' && display === 'signup') return { ...state, display: 'login' }
    if (event.type === 'forgotPasswordChosen' && display === 'login') {
      return { display: 'forgot_password', phase: 'idle', methods }
    }
    if (event.type === 'methodToggled') {
      return { ...state, method: methods.find((other) => other !== method) ?? method }
    }
  }
  return reducePhase(state, event)
}

function reduceForgotPassword(
  state: Extract<DialogState, { display: 'forgot_password' }>,
  event: DialogEvent,
): DialogState {
  const { phase, methods } = state
  if (phase === 'pending' && event.type === 'resetEmailSent') {
    return { display: 'reset_password', phase: 'idle', email: event.email, methods }
  }
  if (phase === 'idle') {
    if (event.type === 'codeEntryChosen') {
      return { display: 'reset_password', phase: 'idle', email: null, methods }
    }
    if (event.type === 'backChosen') return enter('login', methods)
  }
  return reducePhase(state, event)
}

function reduceResetPassword(
  state: Extract<DialogState, { display: 'reset_password' }>,
  event: DialogEvent,
): DialogState {
  const { phase, methods } = state
  if (phase === 'pending' && event.type === 'passwordReset') {
    return { display: 'reset_password_success', methods }
  }
  if (phase === 'idle' && event.type === 'backChosen') {
    return { display: 'forgot_password', phase: 'idle', methods }
  }
  return reducePhase(state, event)
}

function reducePasswordlessToken(state: PasswordlessTokenState, event: DialogEvent): DialogState {
  const { phase, flow, methods } = state
  if (phase === 'pending' && event.type === 'entered') return { ...state, phase: 'done' }
  if (phase === 'idle' && event.type === 'backChosen') {
    return { display: flow, phase: 'idle', method: 'passwordless', methods }
  }
  return reducePhase(state, event)
}

function reduceAccount(state: AccountState, event: DialogEvent): DialogState {
  if (event.type === 'memberChanged') return { ...state, sections: withShown(event.sections, state) }
  if (event.type === 'sessionEnded') return state.phase === 'leaving' ? state : { display: 'closed' }
  if (event.type === 'widened') {
    return state.display === 'profile-nav' ? { ...state, display: state.home } : state
  }
  switch (state.phase) {
    case 'idle':
      return reduceIdleAccount(state, event)
    case 'pending':
      if (event.type === 'failed') return { ...state, phase: 'idle' }
      if (event.type !== 'saved') return state
      return {
        ...state,
        phase: 'idle',
        display: state.display === 'changePassword' ? 'security' : state.display,
      }
    case 'leaving':
      if (event.type === 'failed') return { ...state, phase: 'idle' }
      return event.type === 'saved' ? { display: 'closed' } : state
  }
}

function reduceIdleAccount(state: AccountState, event: DialogEvent): AccountState {
  switch (event.type) {
    case 'submitted':
      return { ...state, phase: 'pending' }
    case 'logoutChosen':
      return { ...state, phase: 'leaving' }
    case 'backChosen':
      return { ...state, display: state.display === 'changePassword' ? 'security' : 'profile-nav' }
    case 'sectionChosen': {
      const { section } = event
      const isOpen = section === 'changePassword' || state.sections.includes(section)
      return isOpen ? { ...state, display: section } : state
    }
    default:
      return state
  }
}

/** Keeps the section that is shown: it does not disappear with the member's last plan. */
function withShown(available: readonly Section[], { display }: AccountState): Section[] {
  return sections.filter((section) => section === display || available.includes(section))
}
