import { escapeHtml } from '#http/pages/site-config.ts'
import { type PageSite, type SmallPage, smallPage } from '#http/pages/small-page.ts'
import type { DeliveryMethod } from './linked-deliveries.repository.ts'
import { memberMethods } from './member-methods.ts'

/** The addresses to which the forms of a delivery's pages post. */
type Forms = { unsubscribe: string; preferences: string }

const dashboard = '/#/account/dashboard'

/** The names in the middle of a sentence. */
const namesInText: Readonly<Record<DeliveryMethod, string>> = {
  memo_email: 'memos by email',
  memo_sms: 'memos by text message',
  pdf_email: 'PDFs by email',
  pdf_sms: 'PDFs by text message',
  digest: 'the evening digest',
}

export function unsubscribePage(site: PageSite, method: DeliveryMethod, forms: Forms): SmallPage {
  const name = namesInText[method]
  return smallPage({
    site,
    title: 'Unsubscribe',
    heading: `Unsubscribe from ${name}?`,
    content: `<p>Your account and your plan stay as they are.</p>
<form method="post" action="${forms.unsubscribe}"><button>Unsubscribe</button></form>
<p><a href="${forms.preferences}">Change how you receive editions</a></p>`,
    sendsForm: true,
  })
}

export function unsubscribedPage(site: PageSite, method: DeliveryMethod, forms: Forms): SmallPage {
  return smallPage({
    site,
    title: 'Unsubscribed',
    heading: 'You’re unsubscribed',
    content: `<p>We’ll send you no more ${escapeHtml(namesInText[method].replace('the evening digest', 'evening digests'))}.</p>
<p><a href="${forms.preferences}">Change how you receive editions</a></p>`,
  })
}

export function preferencesPage(
  site: PageSite,
  chosen: ReadonlySet<DeliveryMethod>,
  { preferences }: Forms,
  saved: 'saved' | 'unsaved',
): SmallPage {
  const boxes = memberMethods.map(
    ([method, name]) =>
      `<label class="choice"><input type="checkbox" name="method" value="${method}"${chosen.has(method) ? ' checked' : ''}> ${escapeHtml(name)}</label>`,
  )
  return smallPage({
    site,
    title: 'How you receive editions',
    heading: 'How you receive editions',
    content: `${saved === 'saved' ? '<p role="status">Your changes are saved.</p>' : '<p>The evening digest replaces the other ways.</p>'}
<form method="post" action="${preferences}"><fieldset><legend>Send me</legend>
${boxes.join('\n')}
</fieldset><button>Save</button></form>
<p><a href="${dashboard}">Go to your account</a></p>`,
    sendsForm: true,
  })
}

export function expiredLinkPage(site: PageSite): SmallPage {
  return messagePage(
    site,
    'This link has expired',
    'You can change how you receive editions in your account.',
  )
}

export function invalidLinkPage(site: PageSite): SmallPage {
  return messagePage(
    site,
    'This link doesn’t work',
    'It may be incomplete. Open it again from the email, or change how you receive editions in your account.',
  )
}

export function accountDeletedPage(site: PageSite): SmallPage {
  return messagePage(site, 'This account is deleted', 'We send no more editions to it.')
}

export function withdrawnPage(site: PageSite): SmallPage {
  return messagePage(site, 'This edition was withdrawn', 'The newest editions are on the site.')
}

function messagePage(site: PageSite, heading: string, text: string): SmallPage {
  const content = `<p>${escapeHtml(text)}</p>\n<p><a href="${dashboard}">Go to your account</a></p>`
  return smallPage({ site, title: heading, heading, content })
}
