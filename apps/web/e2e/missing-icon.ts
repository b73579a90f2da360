import type { ConsoleMessage } from '@playwright/test'

/** Whether a console error is about the icon that some Chromiums ask for at a page without one, such as `/robots.txt`. */
export function isMissingIcon(message: ConsoleMessage): boolean {
  return new URL(message.location().url || 'about:blank').pathname === '/favicon.ico'
}
