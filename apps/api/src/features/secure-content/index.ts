/**
 * Content that only members with the right plans get.
 *
 * - rule: the permissions and the plans that open something, any one of each; an empty list requires nothing
 * - content group: a rule under a key, shared by gated articles and secure content
 * - secure content: content under an id, with a rule of its own and perhaps a group; both must hold
 * - grants: the member's active plans and the permissions that these include
 */
export { grantsOf, isOpen, plansThatOpen, requirePlans } from './content-access.ts'
export { parseContent } from './content-field.ts'
export {
  contentGroupIdPrefix,
  countUses,
  createGroup,
  createGroupOnce,
  getGroup,
  holdGroup,
  listAllGroups,
  listGroups,
  lockGroup,
  removeGroup,
  requireGroup,
  updateGroup,
} from './content-groups.repository.ts'
export { fail } from './secure-content.errors.ts'
export {
  contentFields,
  groupFields,
  toDeskContent,
  toDeskContentSummary,
  toDeskGroup,
} from './secure-content.mapper.ts'
export {
  createSecureContentOnce,
  getSecureContent,
  listHeldPlanSets,
  listSecureContents,
  lockSecureContent,
  removeSecureContent,
  updateSecureContent,
} from './secure-content.repository.ts'
export { registerSecureContentRoutes } from './secure-content.routes.ts'
export {
  contentGroupsCacheKey,
  createSecureContentService,
  listContentGroups,
  type SecureContentService,
} from './secure-content.service.ts'
