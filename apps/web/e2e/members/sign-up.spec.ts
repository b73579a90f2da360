import { expectAccessiblePage } from '../membership/accessible-page.ts'
import { payWith } from '../membership/checkout.ts'
import { expect, expectCheckout, fillSignUp, memberOf, submit, test } from './member.ts'

test.describe('a visitor who signs up', () => {
  test('becomes a paying member, by the keyboard alone', async ({ reader }) => {
    await reader.goto('/#/home')
    await reader.getByRole('link', { name: 'Sign up' }).click()
    await expect(reader.getByText(/\$\d+\.\d\d a month\. You pay on the next page/)).toBeVisible()
    const email = await fillSignUp(reader)
    await reader.getByLabel('Name').focus()
    for (const label of ['Email', 'Phone number', 'Password']) {
      await reader.keyboard.press('Tab')
      await expect(reader.getByLabel(label, { exact: true })).toBeFocused()
    }
    await expect(reader.getByLabel('Phone number')).toHaveValue('(213) 373-4253')
    await reader.keyboard.press('Enter')
    await expectCheckout(reader)
    await payWith(reader, 'Pays')
    await reader.waitForURL(/\/#\/account\/dashboard/)
    await expect
      .poll(async () => (await memberOf(reader))?.planConnections)
      .toEqual([expect.objectContaining({ planName: 'Monthly', active: true })])
    expect(await memberOf(reader)).toMatchObject({
      auth: { email },
      customFields: { name: 'Ada Reader', phone: '+12133734253' },
    })
    expect(await reader.evaluate(() => localStorage.getItem('email'))).toBe(email)

    await reader.goto('/#/account/signup')
    await expect(reader.getByText('You have a plan already.')).toBeVisible()
    await expectAccessiblePage(reader, 'Sign up')
  })

  test('continues after canceling, going back and reloading, with one account', async ({ reader }) => {
    let signUps = 0
    reader.on('request', (request) => {
      if (request.method() === 'POST' && request.url().endsWith('/auth/signup')) signUps += 1
    })
    await fillSignUp(reader)
    await reader.getByRole('button', { name: 'Submit' }).dblclick()
    await expectCheckout(reader)

    await reader.getByRole('link', { name: /^Back to/ }).click()
    await expect(reader.getByText(/You canceled the payment\. Nothing was charged/)).toBeVisible()
    await expectAccessiblePage(reader, 'Sign up')
    const next = reader.getByRole('button', { name: 'Continue to payment' })
    await next.click()
    await expectCheckout(reader)

    await reader.goBack()
    await expect(next).toHaveAttribute('aria-disabled', 'false')
    await reader.reload()
    await next.click()
    await expectCheckout(reader)
    expect(signUps).toBe(1)
  })

  test('continues after a reload in the middle of each step', async ({ reader, consoleErrors }) => {
    // The account is created, but its response does not arrive.
    await reader.route('**/auth/signup', async (route) => {
      await route.fetch()
      await route.abort()
    })
    await fillSignUp(reader)
    await submit(reader)
    await expect(reader.getByText(/We can’t reach the server/)).toBeVisible()
    await reader.unroute('**/auth/signup')
    await reader.reload()
    await expect(reader.getByLabel('Name')).toHaveValue('Ada Reader')
    await reader.getByLabel('Password', { exact: true }).fill('a long password')

    // The session is stored, but name and phone are not saved.
    await reader.route('**/member', (route) =>
      route.request().method() === 'POST' ? route.abort() : route.continue(),
    )
    await submit(reader)
    const next = reader.getByRole('button', { name: 'Continue to payment' })
    await expect(next).toBeVisible()
    await reader.unroute('**/member')
    await reader.reload()

    // They are saved, but the payment does not start.
    await reader.route('**/create-checkout-session', (route) => route.abort())
    await next.click()
    await expect(reader.getByText(/We can’t reach the server/)).toBeVisible()
    expect((await memberOf(reader))?.customFields).toMatchObject({
      name: 'Ada Reader',
      phone: '+12133734253',
    })
    await reader.unroute('**/create-checkout-session')
    await reader.reload()
    await next.click()
    await expectCheckout(reader)
    consoleErrors.ignore()
  })

  test('reads what is missing at each field', async ({ reader }) => {
    await reader.goto('/#/account/signup')
    await submit(reader)
    await expect(reader.getByText('Please input all values.')).toBeVisible()
    await expect(reader.getByLabel('Name')).toBeFocused()
    await expect(reader.getByLabel('Phone number')).toHaveAccessibleDescription(/^Enter your phone number\./)
    await expectAccessiblePage(reader, 'Sign up')
    await expect(reader.getByText('Please input all values.')).toBeHidden()
  })

  test('loads the phone library with the first focus of the phone field, and does without it', async ({
    reader,
    consoleErrors,
  }) => {
    const libraries: string[] = []
    reader.on('request', (request) => {
      if (request.url().includes('phone-library')) libraries.push(request.url())
    })
    await reader.route('**/phone-library-*.js', (route) => route.abort())
    await reader.goto('/#/account/signup')
    await reader.getByLabel('Email').fill('a@b.example')
    expect(libraries).toHaveLength(0)
    await reader.getByLabel('Phone number').focus()
    await expect.poll(() => libraries.length).toBeGreaterThan(0)
    await fillSignUp(reader)
    await submit(reader)
    await expectCheckout(reader)
    await reader.goto('/#/home')
    expect((await memberOf(reader))?.customFields).toMatchObject({ phone: '213 373 4253' })
    consoleErrors.ignore()
  })
})
