import type { MembershipClient } from '@tidings/client'

type DialogCalls = Pick<
  MembershipClient,
  | 'getApp'
  | 'getCurrentMember'
  | 'loginMemberEmailPassword'
  | 'signupMemberEmailPassword'
  | 'sendMemberLoginPasswordlessEmail'
  | 'loginMemberPasswordless'
  | 'sendMemberSignupPasswordlessEmail'
  | 'signupMemberPasswordless'
  | 'sendMemberResetPasswordEmail'
  | 'resetMemberPassword'
  | 'loginWithProvider'
  | 'signupWithProvider'
  | 'connectProvider'
  | 'disconnectProvider'
  | 'updateMember'
  | 'updateMemberProfileImage'
  | 'updateMemberAuth'
  | 'setPassword'
  | 'removePlan'
  | 'launchStripeCustomerPortal'
  | 'onAuthChange'
  | 'logout'
  | 'apiBase'
>

/**
 * The calls that the dialogs make, with the names and parameters of the browser client. A dialog hides the part whose call
 * is missing. `apiBase` is where ALTCHA gets its challenges; by default the dialogs' own origin.
 */
export type MembershipCalls = { [Name in keyof DialogCalls]?: DialogCalls[Name] | undefined }

/** The app's configuration. */
export type App = Awaited<ReturnType<MembershipClient['getApp']>>['data']

/** The member that is logged in. */
export type Member = NonNullable<Awaited<ReturnType<MembershipClient['getCurrentMember']>>['data']>
