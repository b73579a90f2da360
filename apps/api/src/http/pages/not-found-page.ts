import { escapeHtml } from './site-config.ts'
import { type SmallPage, smallPage } from './small-page.ts'

/** The page of addresses that lead nowhere. */
export function notFoundPage(siteName: string): SmallPage {
  return smallPage({
    siteName,
    title: 'Not found',
    heading: 'There is nothing here',
    content: `<p><a href="/">Go to ${escapeHtml(siteName)}</a></p>`,
  })
}
