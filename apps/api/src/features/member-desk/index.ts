/** Members as editors see them: found, looked at with an audit entry each, and changed only in their suppression. */
export { registerMemberDesk } from './member-desk.routes.ts'
export { createMemberDesk } from './member-desk.service.ts'
