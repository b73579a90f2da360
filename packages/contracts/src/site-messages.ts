/** Texts of the site's account screens that clients compare literally (ADR 0005). */
export const siteMessages = {
  inputAllValues: 'Please input all values.',
  inputEmail: 'Please input your email.',
  checkItems: 'Please check items to update',
  checkValue: 'Please check value to update',
  updateSucceeded: 'Update succeeded',
  successfullyUpdated: 'Successfully updated',
} as const
