import { limits } from '@tidings/contracts/limits'
import { type PageSite, type SmallPage, smallPage } from '#http/site/small-page.ts'
import { html } from '#platform/html/html.ts'

/** Returns the page behind an emailed link. Mail scanners open links, so only its button signs in. */
export function signInPage(site: PageSite): SmallPage {
  return smallPage({
    site,
    title: 'Sign in',
    heading: 'Sign in to the desk',
    content: html`<form method="post"><button>Sign in</button></form>`,
    sendsForm: true,
  })
}

export function endedLinkPage(site: PageSite): SmallPage {
  return smallPage({
    site,
    title: 'Sign in',
    heading: 'This link has ended',
    content: html`<p>A link works once, within ${limits.signInLinkMinutes} minutes. Get a new one at the desk.</p>`,
  })
}

/** Returns the page of a person who has just signed in. */
export function signedInPage(site: PageSite): SmallPage {
  return smallPage({
    site,
    title: 'Signed in',
    heading: 'You’re signed in',
    content: html`<p><a href="/desk">Open the desk</a></p>`,
  })
}
