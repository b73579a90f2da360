/** The option that published dialogs pass to login and sign-up. */
export const withContentGroups = { options: { includeContentGroups: true } }
