/** Texts of the site's account screens. Clients compare them literally (ADR 0005), and the last one is recorded. */
export const siteMessages = {
  inputAllValues: 'Please input all values.',
  inputEmail: 'Please input your email.',
  checkItems: 'Please check items to update',
  checkValue: 'Please check value to update',
  updateSucceeded: 'Update succeeded',
  successfullyUpdated: 'Successfully updated',
  smsConsent:
    'By requesting the code you agree to get texts at this number: the code, and then the editions that you choose. Message and data rates may apply. Reply STOP to end them.',
} as const
