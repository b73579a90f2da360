import type { App, Member, MembershipCalls } from '../membership-calls.ts'
import type { ModalParams, ModalType } from '../open-modal.ts'
import type { DialogState, Method, Section } from './dialog-state.ts'
import { enter } from './reduce-dialog.ts'

type Start = {
  app: App
  calls: MembershipCalls
  params: ModalParams
  /** The member, null for a visitor. */
  member: Member | null
  /** Whether the profile area starts with its menu. */
  isNarrow: boolean
}

/** Returns the state that a dialog opens with. */
export function startState(type: ModalType, start: Start): DialogState {
  const methods = methodsOf(start)
  switch (type) {
    case 'LOGIN':
      return enter('login', methods)
    case 'SIGNUP':
      return enter('signup', methods)
    case 'FORGOT_PASSWORD':
      return { display: 'forgot_password', phase: 'idle', methods }
    case 'RESET_PASSWORD':
      return { display: 'reset_password', phase: 'idle', email: null, methods }
    case 'PROFILE': {
      if (start.member === null) return { display: 'closed' }
      const sections = sectionsOf(start.member, start.params)
      if (start.params.hideAccountDetails) {
        return { display: 'profile', phase: 'idle', sections, home: 'profile' }
      }
      const home =
        sections.includes('profile') && visibleFields(start.app).length > 0 ? 'profile' : 'security'
      return { display: start.isNarrow ? 'profile-nav' : home, phase: 'idle', sections, home }
    }
  }
}

/** Returns the methods of login and sign-up, the default first. */
function methodsOf({ app, calls }: Pick<Start, 'app' | 'calls'>): Method[] {
  const { enabled, isDefault } = app.additionalAuthMethods.passwordless
  if (!enabled || calls.sendMemberLoginPasswordlessEmail === undefined) return ['password']
  return isDefault ? ['passwordless', 'password'] : ['password', 'passwordless']
}

/** Returns the sections of the profile area. Plans are there for a payment customer or a free plan. */
export function sectionsOf(
  member: Member,
  { hideProfileSection, hideAccountDetails }: ModalParams,
): Section[] {
  if (hideAccountDetails) return ['profile']
  const hasPlans =
    Boolean(member.stripeCustomerId) || member.planConnections.some(({ type }) => type === 'FREE')
  return [
    ...(hideProfileSection ? [] : ['profile' as const]),
    'security',
    ...(hasPlans ? ['plans' as const] : []),
  ]
}

/** Returns the custom fields that the dialogs show, in their order. */
export function visibleFields(app: App): App['customFields'] {
  return app.customFields.filter(({ hidden }) => !hidden).toSorted((a, b) => (a.order ?? 0) - (b.order ?? 0))
}
