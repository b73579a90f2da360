/** Members: their record, their custom fields and JSON, their profile image. */
export { readCustomFields } from './custom-fields.ts'
export { MemberNotFoundError } from './members.errors.ts'
export { profileImageUrl } from './members.mapper.ts'
export {
  changeEmail,
  createMember,
  findMember,
  findMemberByEmail,
  lockMember,
  lockMemberByEmail,
  type MemberRow,
  updateMember,
} from './members.repository.ts'
export { registerMemberRoutes, registerProfileImageFiles } from './members.routes.ts'
export { createMemberService, type MemberService } from './members.service.ts'
export { createUnverifiedCleanUp } from './unverified-accounts.ts'
