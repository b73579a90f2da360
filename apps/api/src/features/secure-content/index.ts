/**
 * What only the right members are handed.
 *
 * - rule: the permissions and the plans that open something, any one of each; an empty list asks for nothing
 * - content group: a rule under a key, shared by gated articles and secure content
 * - secure content: something under a content id, with a rule of its own and perhaps a group, which must both hold
 * - grants: the plans that a member holds now, and what those permit
 */
export {
  type ContentGroupFields,
  type ContentGroupRow,
  countUses,
  createGroup,
  findGroup,
  holdGroup,
  listGroups,
  lockGroup,
  removeGroup,
  updateGroup,
} from './content-groups.repository.ts'
export { listContentGroups } from './content-groups.ts'
export {
  ContentGroupInUseError,
  ContentGroupNotFoundError,
  ContentNotFoundError,
} from './secure-content.errors.ts'
export {
  createSecureContentOnce,
  findSecureContent,
  listSecureContents,
  lockSecureContent,
  removeSecureContent,
  type SecureContentFields,
  type SecureContentName,
  type SecureContentRow,
  type SecureContentSummaryRow,
  updateSecureContent,
} from './secure-content.repository.ts'
export { registerSecureContentRoutes } from './secure-content.routes.ts'
export { createSecureContentService, type SecureContentService } from './secure-content.service.ts'
