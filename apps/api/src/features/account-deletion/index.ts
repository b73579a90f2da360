/**
 * Account deletion: settles the payments of an account that its member deleted.
 *
 * Closing: from the request until the payments are settled. The address stays taken meanwhile.
 */
export { closeAccount, deletionSweep } from './account-deletion.jobs.ts'
export { createAccountDeletion } from './account-deletion.service.ts'
