/** Members: their record, their custom fields and JSON, their profile image. */
export { publicFieldsOf, readCustomFields } from './custom-fields.ts'
export { MemberNotFoundError } from './members.errors.ts'
export { profileImageUrl, shortText } from './members.mapper.ts'
export {
  createMember,
  findMember,
  findMemberByEmail,
  findPasswordByEmail,
  isEmailTaken,
  listSessionIds,
  lockMember,
  type MemberRow,
  updateMember,
} from './members.repository.ts'
export { registerMemberRoutes, registerProfileImageFiles } from './members.routes.ts'
export { createMemberService, type MemberService } from './members.service.ts'
