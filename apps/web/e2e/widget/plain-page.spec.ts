import { payWith } from '../membership/checkout.ts'
import { expect, freshAddress, test } from '../membership/guest.ts'
import { siteUnderTest } from '../site-under-test.config.ts'
import { createDialog } from './dialog.ts'

const password = 'a long password'
const otherPassword = 'another long password'

const html = () => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Plain page</title>
<script src="${siteUnderTest.url()}/membership/widget.js" data-public-key="${siteUnderTest.publicKey()}"></script></head>
<body><main><h1>Plain page</h1>
<button data-membership="signup">Join</button>
<button data-membership="login">Enter</button>
<button data-membership="profile">My account</button>
<p data-membership-content="members" hidden>For members</p>
<p data-membership-content="permission:paid" hidden>For paying members</p></main></body></html>`

test('a plain page with the script tag alone signs up, edits, pays, logs out and logs in', async ({
  page,
}) => {
  const home = `${siteUnderTest.guestOrigin()}/?html=${encodeURIComponent(html())}`
  await page.goto(home)
  const { dialog, field, button } = createDialog(page)
  const onPage = (name: string) => page.getByRole('button', { name, exact: true })
  const email = freshAddress()

  await onPage('Join').click()
  await field('Name').fill('Ada')
  await field('Email address').fill(email)
  await field('Password').fill(password)
  await button('Sign up').click()
  await expect(page.getByText('For members')).toBeVisible()
  await expect(page.getByText('For paying members')).toBeHidden()
  await expect(dialog).toHaveCount(0)

  await onPage('My account').click()
  await button('Profile').click()
  await field('Name').fill('Ada Lovelace')
  await button('Save').click()
  await expect(button('Save')).toHaveAttribute('aria-disabled', 'true')
  await button('Back').click()
  await button('Security').click()
  await button('Change Password').click()
  await field('Current password').fill(password)
  await field('New password').fill(otherPassword)
  await field('Confirm password').fill(otherPassword)
  await button('Save').click()
  await expect(dialog).toHaveAccessibleName('Security')
  await page.keyboard.press('Escape')

  await page.evaluate(async () => {
    const membership = Reflect.get(window, '$membership')
    const { data: plans } = await membership.getPlans()
    const monthly = plans.find(({ name }: { name: string }) => name === 'Monthly')
    // The page is left before the call resolves.
    void membership.purchasePlansWithCheckout({
      priceId: monthly.prices[0].id,
      successUrl: location.href,
    })
  })
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Subscribe to Monthly')
  await payWith(page, 'Pays')
  await page.waitForURL(home)
  // The page reads the member again until the payment has arrived.
  await expect
    .poll(() =>
      page.evaluate(async () => {
        const { data } = await Reflect.get(window, '$membership').getCurrentMember()
        return data.planConnections.length
      }),
    )
    .toBe(1)
  await expect(page.getByText('For paying members')).toBeVisible()
  await onPage('My account').click()
  await expect(button('Billing Portal')).toBeVisible()
  await button('Plans').click()
  await expect(dialog.getByText('Monthly', { exact: true })).toBeVisible()
  await button('Back').click()
  await button('Logout').click()
  await expect(dialog).toHaveCount(0)
  await expect(page.getByText('For members')).toBeHidden()

  await onPage('Enter').click()
  await field('Email address').fill(email)
  await field('Password').fill(otherPassword)
  await page.keyboard.press('Enter')
  await expect(page.getByText('For members')).toBeVisible()
  await expect(dialog).toHaveCount(0)
})
