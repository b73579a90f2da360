/** Members: record, custom fields, JSON and profile image. */
export { readCustomFields } from './custom-fields.ts'
export {
  type FoundMember,
  type MemberClue,
  parseMemberClue,
} from './member-lookup.repository.ts'
export { memberCacheKey } from './member-record.ts'
export { fail } from './members.errors.ts'
export { inMajorUnits, paidPlanOf, profileImageUrl, toWireMember } from './members.mapper.ts'
export {
  changeEmail,
  createMember,
  endPreferencesLinks,
  findMember,
  findMemberByEmail,
  isAddressHeld,
  lockMember,
  lockMemberByEmail,
  type MemberRow,
  memberIdPrefix,
  removeExpiredPushDevices,
  removePhone,
  removePushDevices,
  updateMember,
} from './members.repository.ts'
export { registerMemberRoutes } from './members.routes.ts'
export { createMemberService, type MemberService } from './members.service.ts'
export { registerProfileImageFiles } from './profile-image.routes.ts'
export { createUnverifiedCleanUp } from './unverified-accounts.ts'
