import { seedVault } from './articles/seed-vault.ts'
import type { SeedArticle, SeedContentGroup, SeedSecureContent } from './types.ts'

const yearlyPlan = 'pln_yearly-9b5s7j3dy6'

/** The one content group: for those who pay by the year. */
export const yearlyGroup: SeedContentGroup = {
  key: 'yearly',
  name: 'For yearly members',
  plans: [yearlyPlan],
  redirect: '/#/account/change-plan',
}

/** The gated article that belongs to it. */
export const yearlyArticle: SeedArticle = seedVault

/** The secure contents of the sample site: one for every member, one for members who pay by the year. */
export const seedSecureContents: readonly SeedSecureContent[] = [
  {
    contentId: 'members-welcome',
    plans: [],
    content: `<h2>It is good to have you here</h2>
<p>Thank you for joining. Three times a day we set down what happened, briefly and in its place, and then we leave you in peace. Nothing here blinks, counts what you missed or asks you to come back sooner.</p>
<p>The <strong>archive</strong> is yours from today, and so are the longer pieces, for evenings when you would rather stay with one thing. Choose under your account how the editions should reach you; or choose nothing, and look in when you like.</p>
<p>Read slowly. The news will still be there.</p>`,
  },
  {
    contentId: 'yearly-only',
    plans: [yearlyPlan],
    content: `<h2>For those who stay the year</h2>
<p>A year is a good length for following the news. Long enough to see which of the great matters of January were still being spoken of in June, and which small notes of the spring had by then become the story.</p>
<p>Because you pay by the year, we can plan by the year: we take up a subject early, leave it alone while nothing happens, and return to it once there is something to say. The first of the long pieces set aside for you is waiting among the gated articles. Thank you for making that possible.</p>`,
  },
]
