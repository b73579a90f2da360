export {
  createMembershipClient,
  type MembershipClient,
  type MembershipClientOptions,
} from './membership-client.ts'
export type { AuthCallback } from './session/auth-listeners.ts'
export type { SessionKeys } from './session/session-store.ts'
export { type ClientErrorCode, MembershipError, type MembershipErrorCode } from './wire/membership-error.ts'
export type { Reply } from './wire/replies.ts'
