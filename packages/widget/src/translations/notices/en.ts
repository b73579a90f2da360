/** The English notices at a page's elements, which are there before all others. */
export const notices = {
  loading: 'Loading...',
  dismiss_message: 'Dismiss message',
  open_failed: 'Couldn’t open. Check your connection and try again.',
  logout_failed: 'Couldn’t log out. Check your connection and try again.',
} as const

/** The notices in a language, which the script of a page itself has. */
export type NoticeCatalog = Record<keyof typeof notices, string>
