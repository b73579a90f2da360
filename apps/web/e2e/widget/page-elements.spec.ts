import type { APIRequestContext, Page } from '@playwright/test'
import { expect, freshAddress, freshName, test } from '../membership/guest.ts'
import { siteUnderTest } from '../site-under-test.config.ts'
import { call, createDialog, openHtml, widgetScript } from './dialog.ts'

const address = 'https://files.example/guide.pdf'
const picture = 'data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA='

/** Content by its type, with what an element shows of it. */
const contents = {
  HTML: ['<p>Hello <b>members</b></p>', '<p>Hello <b>members</b></p>'],
  TEXT: ['<b>plain</b>', '&lt;b&gt;plain&lt;/b&gt;'],
  JSON: ['{"open":true}', '{"open":true}'],
  IMAGE: ['https://files.example/a.png', '<img alt="" src="https://files.example/a.png">'],
  LINK: [address, `<a href="${address}" rel="noopener">${address}</a>`],
  FILE: [address, `<a href="${address}" rel="noopener">guide.pdf</a>`],
  CSS: ['h1 { letter-spacing: 3px }', '<style>h1 { letter-spacing: 3px }</style>'],
  JS: ['document.title = "ran"', ''],
} as const

async function storeContents(request: APIRequestContext, prefix: string): Promise<void> {
  const headers = { Authorization: `Bearer ${siteUnderTest.editorKey()}` }
  for (const [type, [content]] of Object.entries(contents)) {
    const path = `${siteUnderTest.url()}/desk/v1/secure-content/${prefix}-${type}`
    const reply = await request.put(path, { headers, data: { type, content } })
    expect(reply.status()).toBe(201)
  }
}

/** Returns what the elements with secure content show, by their type. */
function filled(page: Page): Promise<Record<string, string>> {
  return page
    .locator('[data-membership-secure]')
    .evaluateAll((elements) =>
      Object.fromEntries(elements.map((element) => [element.getAttribute('data-type'), element.innerHTML])),
    )
}

test('the elements of a page follow the session', async ({ page, request, consoles: _ }) => {
  const prefix = freshName()
  await storeContents(request, prefix)
  await page.route('https://files.example/**', (route) =>
    route.fulfill({ contentType: 'image/gif', body: Buffer.from(picture.split(',')[1] ?? '', 'base64') }),
  )
  // The server never sends this: the widget doesn't trust it either.
  await page.route('**/secure-content', (route) => {
    if (route.request().postDataJSON().contentId !== 'unclean') return route.fallback()
    const content =
      '<p onclick="document.title = 1">Hi <a href="javascript:alert(1)">there</a></p><script>document.title = 2</script><img src="https://files.example/b.png" onload="document.title = 3">'
    const headers = {
      'access-control-allow-origin': siteUnderTest.guestOrigin(),
      'access-control-allow-credentials': 'true',
    }
    return route.fulfill({ headers, json: { data: { type: 'HTML', content } } })
  })
  const warnings: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'warning') warnings.push(message.text())
  })
  await openHtml(page, {
    head: widgetScript(),
    body: `<div data-membership-content="visitors">
<button data-membership="login">Log in</button> <a href="#join" data-membership="signup">Join</a></div>
<div data-membership-content="members" hidden>
<button data-membership="profile">Account</button> <button data-membership="logout">Leave</button></div>
<p data-membership-content="plan:pln_other" hidden>For a plan</p>
<p data-membership-content="permission:paid" hidden>For a permission</p>
<button data-membership="profile">My account</button>
${Object.keys(contents)
  .map((type) => `<div data-type="${type}" data-membership-secure="${prefix}-${type}">Members only</div>`)
  .join('')}<div data-type="unclean" data-membership-secure="unclean"></div>`,
  })
  const { dialog, field, button } = createDialog(page)
  const shown = (text: string) => expect(page.getByText(text, { exact: true })).toBeVisible()
  const hidden = (text: string) => expect(page.getByText(text, { exact: true })).toBeHidden()
  const empty = Object.fromEntries([...Object.keys(contents), 'unclean'].map((type) => [type, '']))
  const full = {
    ...Object.fromEntries(Object.entries(contents).map(([type, [, html]]) => [type, html])),
    unclean: '<p>Hi <a>there</a></p><img src="https://files.example/b.png">',
  }

  await shown('Log in')
  await hidden('Leave')
  expect(await filled(page)).toEqual(empty)
  await page.getByRole('link', { name: 'Join' }).click()
  await expect(dialog).toHaveAccessibleName('Create an account')
  const email = freshAddress()
  await field('Email address').fill(email)
  await field('Password').fill('a long password')
  await button('Sign up').click()
  await expect(dialog).toHaveCount(0)
  await shown('Leave')
  await hidden('Log in')
  await hidden('For a plan')
  await hidden('For a permission')
  await expect.poll(() => filled(page)).toEqual(full)
  await expect(page.getByRole('heading', { name: 'Page' })).toHaveCSS('letter-spacing', '3px')
  expect(await page.title()).toBe('Page')
  await expect.poll(() => warnings).toEqual([expect.stringContaining(`'${prefix}-JS' is a script`)])

  await page.getByRole('button', { name: 'Account', exact: true }).click()
  await button('Logout').click()
  await expect(dialog).toHaveCount(0)
  await shown('Log in')
  await hidden('Leave')
  expect(await filled(page)).toEqual(empty)
  await expect(page.getByRole('heading', { name: 'Page' })).toHaveCSS('letter-spacing', 'normal')

  // A profile opens the login first; the widget closes that.
  const app = await call(page, 'getApp')
  const free = app.plans.find(({ prices }: { prices: [] }) => prices.length === 0)
  await page
    .getByText('For a plan')
    .evaluate((element, id) => element.setAttribute('data-membership-content', `plan:${id}`), free.id)
  await page.getByRole('button', { name: 'My account' }).click()
  await field('Email address').fill(email)
  await field('Password').fill('a long password')
  await button('Login').click()
  await expect(dialog).toHaveAccessibleName('Account menu')
  await call(page, 'addPlan', { planId: free.id })
  await shown('For a plan')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Leave' }).click()
  await shown('Log in')
  expect(await filled(page)).toEqual(empty)
})
