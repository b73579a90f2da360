import { expect, freshAddress, test } from '../membership/guest.ts'
import { signInAs } from '../membership/identity.ts'
import { siteUnderTest } from '../site-under-test.config.ts'
import { call, clientScript, createDialog, openHtml } from './dialog.ts'

const name = 'test-prebuilt-ui'

/** A published client as its page sees it: its methods, and the element that it creates for each dialog. */
const client = `<script>
const calls = []
const results = []
window.$memberstackDom = { onAuthChange: (callback) => $membership.onAuthChange(callback) }
function addMethods(...names) {
  for (const name of names) {
    window.$memberstackDom[name] = async (parameters) => {
      calls.push(name)
      window.lastParameters = parameters
      const { data, message } = await $membership[name](parameters)
      return message ? { data, _internalUseOnly: { message } } : { data }
    }
  }
}
addMethods('getApp', 'getCurrentMember', 'loginMemberEmailPassword', 'signupMemberEmailPassword', 'updateMember', 'logout')
async function openModal(display, params) {
  if (!customElements.get('${name}')) {
    const script = document.createElement('script')
    script.src = window.__MS_PREBUILT_UI_URL__
    await new Promise((resolve) => { script.onload = resolve; document.body.append(script) })
  }
  window.element?.remove()
  window.element = document.createElement('${name}')
  document.body.append(element)
  Object.assign(element, { display, params, onSuccess: ({ type }) => results.push(type) })
}
</script>`

test('the dialogs of a published client make its calls and no other', async ({ page, consoles: _ }) => {
  const requests: string[] = []
  page.on('request', (request) => {
    const { origin, pathname } = new URL(request.url())
    if (origin === siteUnderTest.url() && !pathname.startsWith('/membership/')) requests.push(pathname)
  })
  const openAsClient = (display: string, params: object) =>
    page.evaluate(([type, given]) => Reflect.get(window, 'openModal')(type, given), [
      display,
      params,
    ] as const)
  const value = (expression: string) => page.evaluate(expression)
  await openHtml(page, {
    head: clientScript() + client,
    body: `<script>window.__MS_PREBUILT_UI_URL__ = '${siteUnderTest.url()}/membership/dialogs.js?element=${name}'</script>`,
  })
  const { dialog, field, button, inPopup, message } = createDialog(page)
  const email = freshAddress()

  await openAsClient('signup', {})
  await expect(dialog).toHaveAccessibleName('Create an account')
  await field('Name').fill('Ada')
  await field('Email address').fill(email)
  await field('Password').fill('a long password')
  await button('Sign up').click()
  await expect.poll(() => value('results')).toEqual(['SIGNUP'])
  expect(await value('lastParameters')).toMatchObject({
    customFields: { name: 'Ada' },
    options: { includeContentGroups: true },
  })
  await page.evaluate(() => Reflect.get(window, '$membership').logout())
  expect(requests.splice(0)).toEqual(['/app', '/auth/signup', '/member/logout'])
  expect(await value('calls.splice(0)')).toEqual(['getApp', 'signupMemberEmailPassword'])

  // The client removes the element of the dialog before, and gets a new one.
  const app = await call(page, 'getApp')
  requests.splice(0)
  await openAsClient('login', { app, hideCloseButton: true })
  await expect(dialog).toHaveAccessibleName('Login to your account')
  await expect(dialog).toHaveCount(1)
  // Parts whose method the client doesn't have are left out.
  await expect(button('Forgot Password?')).toHaveCount(0)
  await expect(button('Continue without a password')).toHaveCount(0)
  await expect(button('Continue with Tidings ID')).toHaveCount(0)
  await field('Email address').fill(email)
  await field('Password').fill('a long password')
  await button('Login').click()
  await expect(message('You have successfully logged in.')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  expect(await value('results')).toEqual(['SIGNUP', 'LOGIN', 'CLOSED'])
  expect(await value('element.isConnected')).toBe(true)
  expect(requests.splice(0)).toEqual(['/auth/login'])
  expect(await value('calls.splice(0)')).toEqual(['loginMemberEmailPassword'])

  await openAsClient('profile', { app })
  await button('Profile').click()
  await field(/^Phone/).fill('+1 213 555 0100')
  await button('Save').click()
  await expect(button('Save')).toHaveAttribute('aria-disabled', 'true')
  await expect(dialog.getByRole('status').filter({ hasText: /\w/ }).first()).toBeVisible()
  // Every key, also those that didn't change.
  expect(await value('lastParameters')).toMatchObject({
    customFields: { name: 'Ada', phone: '+1 213 555 0100' },
  })
  await expect(message('Profile image')).toHaveCount(0)
  await button('Back').click()
  await button('Logout').click()
  await expect(dialog).toHaveCount(0)
  expect(await value('results')).toEqual(['SIGNUP', 'LOGIN', 'CLOSED', 'LOGOUT', 'CLOSED'])
  expect(await value('calls.splice(0)')).toEqual(['getCurrentMember', 'updateMember', 'logout'])

  // Its promise never settles for a window that is closed, which frees the dialog.
  await value(`$memberstackDom.loginWithProvider = () => {
    open('${siteUnderTest.url()}/membership/providers/other.svg')
    return new Promise(() => {})
  }`)
  await openAsClient('login', { app })
  await inPopup('Continue with Tidings ID', (popup) => popup.close())
  await expect(message(/^You closed the login window/)).toBeVisible()
  await expect(button('Login')).toHaveAttribute('aria-disabled', 'false')

  // A client with more methods logs in with a provider, and opens the billing portal of a customer.
  await value("addMethods('loginWithProvider', 'launchStripeCustomerPortal')")
  await openAsClient('login', { app, login: { allowSignup: true } })
  const address = freshAddress()
  await inPopup('Continue with Tidings ID', signInAs(address))
  await expect.poll(() => value('results.at(-1)')).toBe('LOGIN')
  expect(await value('lastParameters')).toMatchObject({ allowSignup: true })
  expect(await call(page, 'getCurrentMember')).toMatchObject({ auth: { email: address } })
  // Stripe returns to the page's address, which is shorter on a real site.
  await value("history.replaceState(null, '', '/')")
  const monthly = app.plans.find(({ name }: { name: string }) => name === 'Monthly')
  await call(page, 'purchasePlansWithCheckout', { priceId: monthly.prices[0].id, autoRedirect: false })
  await openAsClient('profile', { app })
  expect(await value('calls')).toEqual(['loginWithProvider', 'getCurrentMember'])
  await button('Billing Portal').click()
  await page.waitForURL(/\/stripe\/portal/)
})
